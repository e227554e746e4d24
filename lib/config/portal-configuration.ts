/** Schema of the portal's configuration file. */

import * as z from 'zod';
import {
  type Environment,
  environments,
  jobOperationsFunctionName,
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

/** Region of CloudFront's certificates and web ACLs, whatever the Region of the stacks. */
const cloudFrontRegion = 'us-east-1';

const arn = {
  certificate: new RegExp(`^arn:aws:acm:${cloudFrontRegion}:\\d{12}:certificate/.+$`),
  webAcl: new RegExp(`^arn:aws:wafv2:${cloudFrontRegion}:\\d{12}:global/webacl/.+$`),
  secret: /^arn:aws:secretsmanager:[a-z0-9-]+:\d{12}:secret:.+$/,
  function: /^arn:aws:lambda:[a-z0-9-]+:\d{12}:function:[\w-]+$/,
};

/** Functions of environments. */
const functionArns = z
  .partialRecord(z.enum(environments), z.string().regex(arn.function, 'expected the ARN of a function'))
  .default({});

/** Settings a platform team chooses for the developer portal; everything else follows from the code. */
const values = z.strictObject({
  /** The one host of pages and API: CloudFront's alias. */
  hostname: fields.domain,
  scheme: fields.scheme,
  port: fields.port,
  account: fields.account,
  region: fields.region,
  lambdaConcurrency: fields.lambdaConcurrency,
  /** ACM certificate for the host. */
  certificateArn: z.string().regex(arn.certificate, `expected an ACM ARN in ${cloudFrontRegion}`),
  /** Hosted zone for the host's DNS records; absent if DNS is kept elsewhere. */
  hostedZone: fields.hostedZone.optional(),
  /** E-mail comes from `no-reply@<senderDomain>`; an identity of its own, so no environment's domain. */
  senderDomain: fields.domain,
  /** Address that gets the alarms by e-mail; absent if the platform team subscribes to the topic itself (`AlarmTopicArn`). */
  alarmEmail: fields.email.optional(),
  /** Support address for developers. */
  supportEmail: fields.email,
  /** Google's bot check in place of the portal's own; the secret is kept in Secrets Manager by hand. */
  recaptcha: z
    .strictObject({
      siteKey: z.string().min(1),
      secretArn: z.string().regex(arn.secret, 'expected the ARN of a secret'),
    })
    .optional(),
  /** Difficulty of the portal's own bot check: PBKDF2 iterations of each key a browser tries. 2,000 take about two seconds of one core. */
  botCheckCost: fields.wholeNumber.max(1_000_000).default(2_000),
  /** Two operators must approve an application for production. */
  fourEyes: z.boolean().default(false),
  /** Second factor of operators: an authenticator app only, or codes by e-mail or text as well. */
  operatorAuthenticator: z.enum(['required', 'offered']).default('required'),
  /** Protected names: the plan’s own, and those of agencies and programs. The portal warns of applications with a similar name. */
  protectedNames: z
    .array(z.string().trim().min(2).max(80))
    .max(50)
    .default(['Medicare', 'Medicaid', 'CMS', 'HHS', 'HealthCare.gov', 'Social Security']),
  /** Condition for a verification code in addition to a developer's password. */
  signInVerification: z.enum(memberVerifications).default('risk'),
  /** Whether the pre-flight of a submission calls the addresses an application names. */
  networkChecks: z.boolean().default(true),
  /**
   * The environment that "Find a doctor" searches by itself; the other one has a link. Choose `production` once the plan's directory is
   * published there: until then the page would have nothing to show.
   */
  doctorEnvironment: z.enum(environments).default('sandbox'),
  /** The usage-plan tier of new applications, one of the environment's own. */
  tiers: z.record(z.enum(environments), z.string().min(1)),
  /** ARNs of `provisioning` functions outside the accounts or Regions of the environments' configurations. */
  provisioningFunctions: functionArns,
  /** The same of `job-operations` functions. */
  jobFunctions: functionArns,
  /** Number of the secret CloudFront shows to the API's web ACL. Raise it by one and deploy to replace the secret; no call is refused meanwhile. */
  originSecret: fields.wholeNumber.default(1),
  /** Web ACL in front of CloudFront; the API has one of its own. */
  webAclArn: z
    .string()
    .regex(arn.webAcl, `expected the ARN of a global web ACL in ${cloudFrontRegion}`)
    .optional(),
});

/** Least difficulty of the bot check over https; over http, on one machine, tests may use less. */
const leastBotCheckCost = 1_000;

/** Schema of the configuration: a value that would fail a deployment midway fails the synthesis. */
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
 * @param environmentsOf the environments the portal acts on.
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
  for (const setting of ['provisioningFunctions', 'jobFunctions'] as const) {
    const place = accountAndRegionOf(environmentFunctionArns(setting, portal, [of])[environment] ?? '');
    if (place.region === portal.region) continue;
    wrong.push(`region: expected ${place.region}, where the ${functionWords[setting]} of ${environment} is`);
  }
  if (portal.senderDomain === domain && portal.account === account && portal.region === region) {
    wrong.push(`senderDomain: ${domain} is the sender of ${environment}, in the same account and Region`);
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
};
/** The functions in messages. */
const functionWords = { provisioningFunctions: 'provisioning function', jobFunctions: 'function for jobs' };

/** ARNs of the function of each environment that the portal invokes, by the setting that may say where it is. */
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
