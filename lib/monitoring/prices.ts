/** AWS prices that docs/limits.md and the dashboards reckon with: us-east-1, on demand, without free tiers and discounts. */

export const pricesOf = '2026-11-24';

interface Price {
  readonly what: string;
  readonly dollars: number;
  readonly per: string;
}

export const prices = {
  writeUnits: { what: 'DynamoDB, write units', dollars: 0.625, per: 'million' },
  readUnits: { what: 'DynamoDB, read units', dollars: 0.125, per: 'million' },
  warmWrites: { what: 'DynamoDB, warm throughput, once', dollars: 0.00065, per: 'write unit a second' },
  warmReads: { what: 'DynamoDB, warm throughput, once', dollars: 0.00013, per: 'read unit a second' },
  storage: { what: 'DynamoDB, storage', dollars: 0.25, per: 'GB a month' },
  recovery: { what: 'DynamoDB, point-in-time recovery', dollars: 0.2, per: 'GB a month' },
  invocations: { what: 'Lambda, invocations', dollars: 0.2, per: 'million' },
  compute: { what: 'Lambda, GB-seconds on arm64', dollars: 13.3334, per: 'million' },
  apiCalls: { what: 'API Gateway, calls of a REST API', dollars: 3.5, per: 'million' },
  firewall: { what: 'AWS WAF, requests', dollars: 0.6, per: 'million' },
  firewallRules: { what: 'AWS WAF, a web ACL, and each rule in it', dollars: 5, per: 'month; a rule 1' },
  activeUsers: { what: 'Cognito Lite, active members', dollars: 0.0055, per: 'member a month' },
  transitions: { what: 'Step Functions, state transitions', dollars: 25, per: 'million' },
  logs: { what: 'CloudWatch Logs, collected', dollars: 0.5, per: 'GB' },
  alarms: { what: 'CloudWatch, alarms', dollars: 0.1, per: 'alarm a month' },
  metrics: { what: 'CloudWatch, metrics of filters', dollars: 0.3, per: 'metric a month' },
  keys: { what: 'KMS, keys', dollars: 1, per: 'key a month' },
  secrets: { what: 'Secrets Manager, secrets', dollars: 0.4, per: 'secret a month' },
} as const satisfies Readonly<Record<string, Price>>;
