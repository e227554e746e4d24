/** Questions to an AWS account that read and change nothing. */

import type { NamedResource } from './needs.ts';

/** A certificate as AWS Certificate Manager describes it. */
export interface Certificate {
  /** `ISSUED`, or a status in which it can't be used, e.g. `PENDING_VALIDATION`. */
  readonly status: string;
  /** Host names, each of which may begin with `*.`. */
  readonly names: readonly string[];
  readonly expiresAt: Date | undefined;
}

/**
 * The account of a stage. Each question names the IAM right that it needs in `accountRights`.
 *
 * Each throws `RightMissing` if the caller lacks that right, and `AccountUnreachable` if AWS gives no answer. Undefined means that the thing
 * does not exist.
 */
export interface CloudAccount {
  /** Number of the account to which the credentials belong. */
  callerAccount(): Promise<string>;
  /** Concurrent executions of all functions in the Region, and those that no function reserves. */
  concurrency(): Promise<{ readonly limit: number; readonly unreserved: number }>;
  /** Whether Lambda in the Region knows a runtime. */
  knowsRuntime(runtime: string): Promise<boolean>;
  /** Whether SES sends to any address (production access), and sends at all. */
  mail(): Promise<{ readonly productionAccess: boolean; readonly sending: boolean }>;
  /** Whether SNS sends only to verified numbers (sandbox), its monthly limit in dollars, and its numbers to send from. */
  textMessages(): Promise<{
    readonly sandbox: boolean;
    readonly monthlyDollars: number;
    readonly originationNumbers: number;
  }>;
  certificate(arn: string): Promise<Certificate | undefined>;
  /** Name of a hosted zone, without the dot at its end. */
  hostedZone(id: string): Promise<string | undefined>;
  /** ARN of the role with which API Gateway writes access logs. */
  gatewayLogRole(): Promise<string | undefined>;
  /** Numbers of API keys and usage plans in the Region. */
  gatewayUse(): Promise<{ readonly apiKeys: number; readonly usagePlans: number }>;
  bootstrapVersion(parameter: string): Promise<number | undefined>;
  /** Status of a stack, e.g. `CREATE_COMPLETE`. */
  stackStatus(name: string): Promise<string | undefined>;
  /** State of a resource with a fixed name; a secret in its recovery window is `deleting`. */
  named(resource: NamedResource): Promise<'present' | 'deleting' | undefined>;
}

/** IAM actions of each question. */
export const accountRights: Readonly<Record<keyof CloudAccount, readonly string[]>> = {
  callerAccount: ['sts:GetCallerIdentity'],
  concurrency: ['lambda:GetAccountSettings'],
  knowsRuntime: ['lambda:ListLayers'],
  mail: ['ses:GetAccount'],
  textMessages: ['sns:GetSMSSandboxAccountStatus', 'sns:GetSMSAttributes', 'sns:ListOriginationNumbers'],
  certificate: ['acm:DescribeCertificate'],
  hostedZone: ['route53:GetHostedZone'],
  gatewayLogRole: ['apigateway:GET'],
  gatewayUse: ['apigateway:GET'],
  bootstrapVersion: ['ssm:GetParameter'],
  stackStatus: ['cloudformation:DescribeStacks'],
  named: [
    'apigateway:GET',
    'lambda:GetFunctionConfiguration',
    'logs:DescribeLogGroups',
    'secretsmanager:DescribeSecret',
    'ses:GetEmailIdentity',
    'states:DescribeStateMachine',
  ],
};

/** The caller lacks an IAM right, so the question has no answer. */
export class RightMissing extends Error {
  override readonly name = 'RightMissing';
}

/** AWS gave no answer: there are no valid credentials, or no connection. */
export class AccountUnreachable extends Error {
  override readonly name = 'AccountUnreachable';
}
