/** The things that an account can lack before a deployment, for rehearsals of `npm run preflight`. */

/**
 * A gap of the account on this machine, by the name that `npm start -- --account-lacks` takes. Without gaps the account is prepared, and
 * all stacks are deployed.
 */
export const accountGaps = {
  deployment: 'no stack is deployed yet',
  bootstrap: 'CDK is not bootstrapped',
  concurrency: 'Lambda allows 10 concurrent executions, as in many new accounts',
  runtime: 'Lambda does not know the runtime',
  'issued-certificate': 'the certificates wait for the validation of their domains',
  'certificate-names': 'the certificates name another host',
  mail: 'SES is in its sandbox',
  'text-messages': 'SNS is in its SMS sandbox, without a number, with the limit of one dollar',
  'log-role': 'API Gateway writes access logs with a role of others; no stack is deployed',
  names: 'secrets and functions of an earlier deployment remain; no stack is deployed',
  'whole-stacks': 'the creation of each stack failed and was rolled back',
  rights: 'the caller may ask for its own identity only',
} as const;

export type AccountGap = keyof typeof accountGaps;

export function isAccountGap(name: string): name is AccountGap {
  return Object.hasOwn(accountGaps, name);
}
