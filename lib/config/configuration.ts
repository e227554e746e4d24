import * as z from 'zod';
import { environments } from '../../lambdas/catalog/environments.ts';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { memberVerifications } from '../../lambdas/catalog/member-verifications.ts';

const wholeNumber = z.int().positive();

const lifetimes = z.strictObject({
  /** Access token of the authorization code grant. */
  memberAccessTokenSeconds: wholeNumber.max(3600),
  /** Access token of the client credentials grant. */
  clientAccessTokenSeconds: wholeNumber.max(3600),
  /** RFC 6749 section 4.1.2 recommends ten minutes at most. */
  authorizationCodeSeconds: wholeNumber.max(600),
  /** From the first page of a sign-in to the member's decision. */
  interactionSeconds: wholeNumber.max(3600),
  /** The longest a grant may live when the member agreed to lasting access. */
  grantDays: wholeNumber.max(400),
  /** A refresh token nobody used for so long has ended. */
  refreshIdleDays: wholeNumber.max(400),
});

const tier = z.strictObject({
  requestsPerSecond: wholeNumber.max(10_000),
  /** How many requests may arrive at once before the rate bites. */
  burst: wholeNumber.max(5_000),
  requestsPerDay: wholeNumber,
});

const rates = z.strictObject({
  /** Token requests of one application in a minute, at each line of business and at the machine token host. */
  tokenRequestsPerMinute: wholeNumber,
});

const hostedZone = z.strictObject({
  id: z.string().regex(/^Z[A-Z0-9]+$/, 'expected a Route 53 hosted zone id'),
  name: z.string().min(1),
});

/** What a platform team decides about one environment; everything else follows from the code. */
const configuration = z.strictObject({
  environment: z.enum(environments),
  /** The domain the hosts of this environment stand under: see `hosts.ts`. */
  domain: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'expected a domain name in lowercase'),
  scheme: z.enum(['https', 'http']).default('https'),
  /** Only where it isn't the scheme's own. */
  port: wholeNumber.max(65_535).optional(),
  account: z.string().regex(/^\d{12}$/, 'expected an AWS account number of 12 digits'),
  region: z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'expected an AWS Region'),
  /** ACM certificate for every host: the domain's `*.api.`, `auth.` and `token.` names. */
  certificateArn: z.string().regex(/^arn:aws:acm:[a-z0-9-]+:\d{12}:certificate\/.+$/, 'expected an ACM ARN'),
  /** Where the hosts' DNS records are written; absent when DNS is kept elsewhere. */
  hostedZone: hostedZone.optional(),
  /** The environment resource id: `<id>/.default` is the scope of the client credentials grant. */
  resourceId: z.uuid(),
  lifetimes,
  rates,
  /**
   * When a member is asked for a code by e-mail or text beside the password: `never`, `always`, or at a `risk`: three
   * failures or more under the name, in a browser where no code was right before.
   */
  memberVerification: z.enum(memberVerifications).default('risk'),
  /** Usage plans, by the name an application's registration gives as its `tier`. */
  tiers: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/, 'expected a tier name in lowercase'), tier),
  linesOfBusiness: z
    .array(z.enum(lineOfBusinessCodes))
    .min(1)
    .refine((codes) => new Set(codes).size === codes.length, 'expected each line of business once'),
  /** How often Secrets Manager replaces a token signing key. */
  keyRotationDays: wholeNumber.max(365),
});

export type Configuration = Readonly<z.output<typeof configuration>>;
export type ConfigurationInput = Readonly<z.input<typeof configuration>>;

/** A configuration file that can't be used; the message names the file, each wrong field and what was expected. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * @param file the file the values stand in, for the message.
 * @throws ConfigurationError
 */
export function parseConfiguration(file: string, input: unknown): Configuration {
  const parsed = configuration.safeParse(input);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${[...issue.path, key].join('.')}: no such field`)
      : [`${issue.path.join('.')}: ${issue.message}`],
  );
  throw new ConfigurationError(`${file} is wrong:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
