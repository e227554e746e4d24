/** Schema of an environment's configuration file. */

import * as z from 'zod';
import { environments } from '../../lambdas/catalog/environments.ts';
import { directoryAccesses } from '../../lambdas/catalog/fhir/directory-access.ts';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { longestAccessTokenSeconds } from '../../lambdas/catalog/oauth/access-token.ts';
import { demonstration } from '../../lambdas/catalog/oauth/demonstration.ts';
import { memberVerifications } from '../../lambdas/catalog/oauth/member-verifications.ts';
import { isNpi } from '../../lambdas/catalog/payer/npi.ts';
import { organizationIdentifierKinds } from '../../lambdas/catalog/payer/organization-identifiers.ts';
import { subscriptionKeyRequirements } from '../../lambdas/catalog/subscription-key-requirements.ts';
import { accountAndRegionOf, fields, isInZone, parseFile, wrongField } from './common-fields.ts';
import { federationField, federationIssues } from './federation.ts';

const { wholeNumber } = fields;

const lifetimes = z.strictObject({
  /** Lifetime of access tokens of the authorization code grant. */
  memberAccessTokenSeconds: wholeNumber.max(longestAccessTokenSeconds),
  /** Lifetime of access tokens of the client credentials grant. */
  clientAccessTokenSeconds: wholeNumber.max(longestAccessTokenSeconds),
  /** RFC 6749 section 4.1.2 recommends ten minutes at most. */
  authorizationCodeSeconds: wholeNumber.max(600),
  /** Time from the first page of a sign-in to the member's consent decision. */
  interactionSeconds: wholeNumber.max(3600),
  /** Lifetime of a grant with long-term access. */
  grantDays: wholeNumber.max(400),
  /** Days after which an unused refresh token expires. */
  refreshIdleDays: wholeNumber.max(400),
});

const tier = z.strictObject({
  requestsPerSecond: wholeNumber.max(10_000),
  /** Requests that may arrive at once before the rate applies. A page of claims with the resources it references takes up to 200 reads. */
  burst: wholeNumber.max(5_000),
  requestsPerDay: wholeNumber,
});

const rates = z.strictObject({
  /** Token requests of one application in a minute, counted separately at each line of business and at the machine token host. */
  tokenRequestsPerMinute: wholeNumber,
  /** Calls of one method at one host in a second, of all callers together, so that no host uses all of the account's 10,000. */
  hostRequestsPerSecond: wholeNumber.max(10_000),
  /** Requests that may arrive at once; an account allows 5,000. */
  hostBurst: wholeNumber.max(5_000),
});

const loads = z.strictObject({
  /** Ranges of files that are loaded at once. Each takes an instance of `load-range`, which reserves this concurrency. */
  maxConcurrency: wholeNumber.max(500),
  /** Least size of a range in MB (2^20 bytes). One invocation loads one range. */
  rangeMegabytes: wholeNumber.min(8).max(16),
  /**
   * Highest percentage of rejected rows that a load tolerates, by LOB.
   *
   * @default 1
   */
  toleratedFailurePercent: z.partialRecord(z.enum(lineOfBusinessCodes), z.number().min(0).max(100)),
});

/** Quota of an on-demand table in read or write units a second, which Service Quotas can raise. */
const mostUnits = 40_000;

const warmThroughput = z.strictObject({
  readUnitsPerSecond: wholeNumber.min(12_000).max(mostUnits),
  writeUnitsPerSecond: wholeNumber.min(4_000).max(mostUnits),
});

const backup = z.strictObject({
  /** Days for which each daily backup of the table is kept, and can't be deleted. */
  keptDays: wholeNumber.min(7).max(3_650).default(14),
  /**
   * Lock of the vault: with `governance` an administrator of AWS Backup can take it away, with `compliance` nobody after three days, not even
   * the root user. Nor can `keptDays` be lowered then.
   */
  lock: z.enum(['governance', 'compliance']).default('governance'),
  /** ARN of a vault of another Region or account that gets a copy of each backup. @default none */
  copyTo: z
    .string()
    .regex(
      /^arn:aws:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/,
      'expected the ARN of a backup vault',
    )
    .optional(),
});

const directory = z.strictObject({
  /** Percent of a type's resources that may be missing from a new publication; a build that loses more is refused. */
  toleratedLossPercent: z.number().min(0).max(100).default(10),
  /**
   * Memory of `directory-build` in MB (2^20 bytes). It needs 300, and 700 for each million roles of the largest directory. A new account
   * allows 3,008, which is enough for three and a half million; Service Quotas raises it to 10,240.
   */
  buildMegabytes: wholeNumber.min(512).max(10_240).default(3_008),
});

const auditArchive = z.strictObject({
  /**
   * Object Lock of each file: `compliance` lets nobody delete it before its time, not even the account's root user; `governance` nobody
   * without the right to bypass it. Begin with `governance`: a locked file is paid for until its time ends.
   */
  lock: z.enum(['governance', 'compliance']).default('governance'),
  /** Years for which a file can't be deleted. 42 CFR 422.504(d) and 438.3(u) require ten. */
  years: wholeNumber.max(100).default(10),
  /**
   * Bucket of another account to which each file is replicated (docs/audit.md).
   *
   * @default none
   */
  replicateTo: z
    .strictObject({
      bucketArn: z
        .string()
        .regex(/^arn:aws:s3:::[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'expected the ARN of a bucket'),
      account: fields.account,
    })
    .optional(),
});

/** Identifiers of the plan as an organization. At least one of them, so that other payers can name it. */
const planIdentifiers = z
  .strictObject({
    naic: z
      .string()
      .regex(/^\d{5}$/, 'expected a NAIC company code of five digits')
      .optional(),
    npi: z.string().refine(isNpi, 'expected an NPI of ten digits with its check digit').optional(),
    oid: z
      .string()
      .regex(
        organizationIdentifierKinds.oid.pattern,
        'expected an OID, such as urn:oid:2.16.840.1.113883.3.1',
      )
      .optional(),
  })
  .refine((kinds) => Object.keys(kinds).length > 0, 'expected naic, npi or oid');

/** Settings that a platform team chooses for one environment; everything else follows from the code. */
const values = z.strictObject({
  environment: z.enum(environments),
  /** Domain of this environment's hosts (`hosts.ts`). */
  domain: fields.domain,
  scheme: fields.scheme,
  port: fields.port,
  account: fields.account,
  region: fields.region,
  lambdaConcurrency: fields.lambdaConcurrency,
  /** ARN of the ACM certificate for every host: the domain's `*.api.`, `auth.` and `token.` names. */
  certificateArn: z.string().regex(/^arn:aws:acm:[a-z0-9-]+:\d{12}:certificate\/.+$/, 'expected an ACM ARN'),
  /** Address that gets the alarms by e-mail; absent if the platform team subscribes to the topic itself (`AlarmTopicArn`). */
  alarmEmail: fields.email.optional(),
  /**
   * Costs of the account in a month, in dollars, that AWS Budgets watches: it mails to `alarmEmail` at 80 % and when the forecast exceeds them.
   *
   * @default no budget
   */
  monthlyBudgetDollars: wholeNumber.optional(),
  /** Hosted zone for the hosts' DNS records; absent if DNS is kept elsewhere. */
  hostedZone: fields.hostedZone.optional(),
  /** The environment's resource ID; `<id>/.default` is the scope of the client credentials grant. */
  resourceId: z.uuid(),
  lifetimes,
  rates,
  loads,
  /**
   * Units a second that the table and its index can take without warming up by use. Raise them before the first loads. DynamoDB charges
   * once for the increase, and never lowers them.
   *
   * @default 12,000 and 4,000, as DynamoDB gives a new table
   */
  warmThroughput: warmThroughput.optional(),
  /** Backups of the table beside point-in-time recovery (docs/recovery.md). */
  backup: backup.prefault({}),
  /** Publications of the Provider Directory. */
  directory: directory.prefault({}),
  /**
   * Credentials of a call to the Provider Directory: `subscription` requires a subscription key, `public` none. Choose `public` for
   * production of Medicare and Medicaid (42 CFR 422.120, 431.70, 457.760). A bearer token is never required.
   */
  directoryAccess: z.enum(directoryAccesses).default('subscription'),
  /**
   * Condition for a verification code, by e-mail or text message, in addition to the member's password: `never`, `always`, or at a `risk`:
   * after three or more failures under the user name, in a browser in which no code was entered correctly before.
   */
  memberVerification: z.enum(memberVerifications).default('risk'),
  /**
   * Countries to whose phone numbers codes are sent by text message, by ISO 3166-1. Numbers without a country code belong to the first.
   * Each country needs an origination identity in the account.
   *
   * @default the United States and their territories
   */
  textMessageCountries: z
    .array(z.string().regex(/^[A-Z]{2}$/, 'expected the two capitals of ISO 3166-1'))
    .min(1)
    .default(['US', 'AS', 'GU', 'MP', 'PR', 'VI']),
  /**
   * Identifiers of the plan by line of business. Other payers find it by them, and a member's Consent names it by them. A line of business
   * without any is not published to other payers, and asks none.
   */
  planIdentifiers: z.partialRecord(z.enum(lineOfBusinessCodes), planIdentifiers).default({}),
  /** The plan's own identity providers (`federation.ts`, docs/federation.md). */
  federation: federationField,
  /**
   * Whether `x-api-subscription-key` is required in addition to a member's access token. If `optional`, SMART apps that don't send the
   * header work unchanged, and calls are metered by the token's application.
   */
  subscriptionKey: z.enum(subscriptionKeyRequirements).default('required'),
  /**
   * Usage plans, by the name that a registration gives as its `tier`. The web ACL's limit for one address follows from the fastest of them.
   * `demonstration` is the tier of the sandbox's demonstration (docs/decisions/0067).
   */
  tiers: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/, 'expected a tier name in lowercase'), tier),
  linesOfBusiness: z
    .array(z.enum(lineOfBusinessCodes))
    .min(1)
    .refine((codes) => new Set(codes).size === codes.length, 'expected each line of business once'),
  /**
   * Keys that have signed the audit trail's seals. The newest signs; seals of earlier ones are verified by theirs. Add one to rotate the key
   * (docs/runbook.md, "Rotate the key of the seals"), and never remove one.
   */
  auditSigningKeys: wholeNumber.max(20).default(1),
  /** The bucket that keeps sealed audit events. */
  auditArchive: auditArchive.prefault({}),
  /** Days between rotations of a token signing key by Secrets Manager. */
  keyRotationDays: wholeNumber.max(365),
});

/** Schema of the configuration. A value that would make a deployment fail halfway is refused at synthesis. */
const configuration = values.check(({ value, issues }) => {
  const { account, region, certificateArn, domain, hostedZone, tiers, rates } = value;
  for (const [name, { requestsPerSecond, burst }] of Object.entries(tiers)) {
    if (requestsPerSecond > rates.hostRequestsPerSecond || burst > rates.hostBurst) {
      const expected = `expected at most the limits of a host: ${rates.hostRequestsPerSecond} a second, burst ${rates.hostBurst}`;
      issues.push(wrongField(['tiers', name], expected, `${requestsPerSecond} a second, burst ${burst}`));
    }
  }
  if (value.monthlyBudgetDollars !== undefined && value.alarmEmail === undefined) {
    const expected = 'expected alarmEmail too, the address that AWS Budgets mails to';
    issues.push(wrongField(['monthlyBudgetDollars'], expected, 'no alarmEmail'));
  }
  if (value.environment !== 'sandbox' && demonstration.tier in tiers) {
    const expected = 'expected no tier of this name: the demonstration is for a sandbox';
    issues.push(wrongField(['tiers', demonstration.tier], expected, 'one'));
  }
  const place = accountAndRegionOf(certificateArn);
  if (place.account !== account || place.region !== region) {
    const expected = `expected a certificate of account ${account} in ${region}, which API Gateway requires`;
    issues.push(wrongField(['certificateArn'], expected, certificateArn));
  }
  const { copyTo } = value.backup;
  if (copyTo !== undefined) {
    const vault = accountAndRegionOf(copyTo);
    if (vault.account === account && vault.region === value.region) {
      const expected =
        'expected a vault of another Region or account: a copy beside the backup is lost with it';
      issues.push(wrongField(['backup', 'copyTo'], expected, copyTo));
    }
  }
  if (hostedZone !== undefined && !isInZone(hostedZone.name, domain)) {
    issues.push(
      wrongField(['hostedZone', 'name'], `expected ${domain} or a domain above it`, hostedZone.name),
    );
  }
  const { replicateTo } = value.auditArchive;
  if (replicateTo?.account === account) {
    const expected = 'expected another account: the copy must outlive this one';
    issues.push(wrongField(['auditArchive', 'replicateTo', 'account'], expected, account));
  }
  issues.push(...federationIssues(value.federation, value));
});

export type Configuration = Readonly<z.output<typeof configuration>>;
export type ConfigurationInput = Readonly<z.input<typeof configuration>>;

/**
 * Validates an environment's configuration.
 *
 * @param file name of the file, for the message.
 * @throws ConfigurationError
 */
export function parseConfiguration(file: string, input: unknown): Configuration {
  return parseFile(configuration, file, input);
}
