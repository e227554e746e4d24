/** Schema of the portal's configuration file. */

import * as z from 'zod';
import {
  directoryOperationsFunctionName,
  type Environment,
  environments,
  jobOperationsFunctionName,
  loadOperationsFunctionName,
  provisioningFunctionName,
} from '../../lambdas/catalog/environments.ts';
import { memberVerifications } from '../../lambdas/catalog/oauth/member-verifications.ts';
import {
  accountAndRegionOf,
  ConfigurationError,
  fields,
  isInZone,
  parseFile,
  wrongField,
} from './common-fields.ts';
import type { Configuration } from './configuration.ts';
import { isHostOf } from './hosts.ts';

/** Region of CloudFront's certificates and web ACLs, independent of the stacks' Region. */
const cloudFrontRegion = 'us-east-1';

const arn = {
  certificate: new RegExp(`^arn:aws:acm:${cloudFrontRegion}:\\d{12}:certificate/.+$`),
  webAcl: new RegExp(`^arn:aws:wafv2:${cloudFrontRegion}:\\d{12}:global/webacl/.+$`),
  secret: /^arn:aws:secretsmanager:[a-z0-9-]+:\d{12}:secret:.+$/,
  function: /^arn:aws:lambda:[a-z0-9-]+:\d{12}:function:[\w-]+$/,
};

/** ARNs of functions, by environment. */
const functionArns = z
  .partialRecord(z.enum(environments), z.string().regex(arn.function, 'expected the ARN of a function'))
  .default({});

/** Settings that a platform team chooses for the developer portal; everything else follows from the code. */
const values = z.strictObject({
  /** Host name of both pages and API, an alias of the CloudFront distribution. */
  hostname: fields.domain,
  scheme: fields.scheme,
  port: fields.port,
  account: fields.account,
  region: fields.region,
  lambdaConcurrency: fields.lambdaConcurrency,
  /** ARN of the host's ACM certificate. */
  certificateArn: z.string().regex(arn.certificate, `expected an ACM ARN in ${cloudFrontRegion}`),
  /** Hosted zone for the host's DNS records; absent if DNS is kept elsewhere. */
  hostedZone: fields.hostedZone.optional(),
  /**
   * Domain of the e-mail sender, `no-reply@<senderDomain>`. It must not be an environment's domain, because it is an SES identity of its
   * own.
   */
  senderDomain: fields.domain,
  /** Address that gets the alarms by e-mail; absent if the platform team subscribes to the topic itself (`AlarmTopicArn`). */
  alarmEmail: fields.email.optional(),
  /** Support address for developers. */
  supportEmail: fields.email,
  /** Google's bot check, used instead of the portal's own. An operator keeps its secret in Secrets Manager. */
  recaptcha: z
    .strictObject({
      siteKey: z.string().min(1),
      secretArn: z.string().regex(arn.secret, 'expected the ARN of a secret'),
    })
    .optional(),
  /**
   * Difficulty of the portal's own bot check: PBKDF2 iterations for each key that a browser tries. 2,000 take about two seconds of one
   * core.
   */
  botCheckCost: fields.wholeNumber.max(1_000_000).default(2_000),
  /** Whether two operators must approve an application for production. */
  fourEyes: z.boolean().default(false),
  /** Second factor of operators: `required` allows only an authenticator app, `offered` also codes by e-mail or text message. */
  operatorAuthenticator: z.enum(['required', 'offered']).default('required'),
  /** Protected names: the plan's own, and those of agencies and programs. The portal warns if an application's name is similar. */
  protectedNames: z
    .array(z.string().trim().min(2).max(80))
    .max(50)
    .default(['Medicare', 'Medicaid', 'CMS', 'HHS', 'HealthCare.gov', 'Social Security']),
  /** Condition for a verification code in addition to a developer's password. */
  signInVerification: z.enum(memberVerifications).default('risk'),
  /** Whether the pre-flight checks of a submission call the URLs of the application. */
  networkChecks: z.boolean().default(true),
  /**
   * The environment that "Find a doctor" searches; the page links to the other one. Choose `production` once the plan's directory is
   * published there; until then the page would have no results.
   */
  doctorEnvironment: z.enum(environments).default('sandbox'),
  /** Tier of new applications in each environment, one of the environment's usage plans. */
  tiers: z.record(z.enum(environments), z.string().min(1)),
  /** ARNs of `provisioning` functions that are not in the account and Region of their environment's configuration. */
  provisioningFunctions: functionArns,
  /** ARNs of `job-operations` functions that are not in the account and Region of their environment's configuration. */
  jobFunctions: functionArns,
  /** ARNs of `directory-operations` functions, likewise. */
  directoryFunctions: functionArns,
  /** ARNs of `load-operations` functions, likewise. */
  loadFunctions: functionArns,
  /**
   * Number of the secret by which the API's web ACL recognizes CloudFront. To replace the secret, increase the number by one and deploy; no
   * call is refused meanwhile.
   */
  originSecret: fields.wholeNumber.default(1),
  /** ARN of a web ACL for CloudFront. The API has a web ACL of its own. */
  webAclArn: z
    .string()
    .regex(arn.webAcl, `expected the ARN of a global web ACL in ${cloudFrontRegion}`)
    .optional(),
});

/** Lowest difficulty of the bot check over https. Tests on one machine, over http, may use less. */
const leastBotCheckCost = 1_000;

/** Schema of the configuration. A value that would make a deployment fail halfway is refused at synthesis. */
const portal = values.check(({ value, issues }) => {
  const { account, region, certificateArn, webAclArn, recaptcha, hostname, senderDomain, hostedZone } = value;
  for (const [field, arn] of Object.entries({ certificateArn, webAclArn })) {
    if (arn !== undefined && accountAndRegionOf(arn).account !== account) {
      issues.push(wrongField([field], `expected one of account ${account}, where the distribution is`, arn));
    }
  }
  if (recaptcha !== undefined) {
    const place = accountAndRegionOf(recaptcha.secretArn);
    if (place.account !== account || place.region !== region) {
      const expected = `expected a secret of account ${account} in ${region}, where the functions are`;
      issues.push(wrongField(['recaptcha', 'secretArn'], expected, recaptcha.secretArn));
    }
  }
  if (value.scheme === 'https' && value.botCheckCost < leastBotCheckCost) {
    const expected = `expected at least ${leastBotCheckCost}`;
    issues.push(wrongField(['botCheckCost'], expected, value.botCheckCost));
  }
  for (const name of hostedZone === undefined ? [] : [hostname, senderDomain]) {
    if (isInZone(hostedZone?.name ?? '', name)) continue;
    issues.push(
      wrongField(['hostedZone', 'name'], `expected ${name} or a domain above it`, hostedZone?.name),
    );
  }
});

export type PortalConfiguration = Readonly<z.output<typeof portal>>;
export type PortalConfigurationInput = Readonly<z.input<typeof portal>>;

/**
 * Validates the portal's configuration.
 *
 * @param environmentsOf configurations of the environments that the portal manages.
 * @throws ConfigurationError
 */
export function parsePortalConfiguration(
  file: string,
  input: unknown,
  environmentsOf: readonly Configuration[],
): PortalConfiguration {
  const parsed = parseFile(portal, file, input);
  const wrong = environmentsOf.flatMap((environment) => disagreements(parsed, environment));
  if (wrong.length === 0) return parsed;
  throw new ConfigurationError(`${file} is invalid:\n${wrong.map((line) => `  ${line}`).join('\n')}`);
}

/** Conflicts between the portal's configuration and an environment's. */
function disagreements(portal: PortalConfiguration, of: Configuration): string[] {
  const { environment, tiers, domain, account, region } = of;
  const wrong: string[] = [];
  const tier = portal.tiers[environment];
  if (!(tier in tiers)) {
    wrong.push(`tiers.${environment}: expected one of ${Object.keys(tiers).join(', ')}, got "${tier}"`);
  }
  for (const setting of Object.keys(functionNames) as (keyof typeof functionNames)[]) {
    const place = accountAndRegionOf(environmentFunctionArns(setting, portal, [of])[environment] ?? '');
    if (place.region === portal.region) continue;
    wrong.push(`region: expected ${place.region}, where the ${functionWords[setting]} of ${environment} is`);
  }
  if (portal.senderDomain === domain && portal.account === account && portal.region === region) {
    wrong.push(`senderDomain: ${domain} is the sender of ${environment}, in the same account and Region`);
  }
  if (isHostOf(portal.hostname, of)) {
    wrong.push(
      `hostname: ${portal.hostname} is a host of ${environment}; expected one that is not auth., token. or api. of ${domain}, nor below it`,
    );
  }
  return wrong;
}

/** Origin of the portal: scheme, host and port. */
export function portalOrigin({ scheme, hostname, port }: PortalConfiguration): string {
  return `${scheme}://${hostname}${port === undefined ? '' : `:${port}`}`;
}

const functionNames = {
  provisioningFunctions: provisioningFunctionName,
  jobFunctions: jobOperationsFunctionName,
  directoryFunctions: directoryOperationsFunctionName,
  loadFunctions: loadOperationsFunctionName,
};
/** Names of the functions in messages. */
const functionWords = {
  provisioningFunctions: 'provisioning function',
  jobFunctions: 'function for jobs',
  directoryFunctions: 'function for directories',
  loadFunctions: 'function for loads',
} as const satisfies Readonly<Record<keyof typeof functionNames, string>>;

/**
 * ARNs of the functions that the portal invokes, by environment.
 *
 * @param setting the field that may contain an ARN; otherwise it follows from the environment's configuration.
 */
export function environmentFunctionArns(
  setting: keyof typeof functionNames,
  portal: PortalConfiguration,
  environmentsOf: readonly Configuration[],
): Readonly<Partial<Record<Environment, string>>> {
  return Object.fromEntries(
    environmentsOf.map(({ environment, account, region }) => [
      environment,
      portal[setting][environment] ??
        `arn:aws:lambda:${region}:${account}:function:${functionNames[setting](environment)}`,
    ]),
  );
}
