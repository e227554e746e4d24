import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, CloudFormationValidatePlugin } from 'aws-cdk-lib';
import { type ConfigurationInput, parseConfiguration } from '../../lib/config/configuration.ts';
import { portal } from '../../lib/config/portal.ts';
import { parsePortalConfiguration } from '../../lib/config/portal-configuration.ts';
import { sandbox } from '../../lib/config/sandbox.ts';
import { EnvironmentStage } from '../../lib/environment/environment-stage.ts';
import { PortalStage } from '../../lib/portal/stage.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { madeOnce } from './made-once.ts';
import { type Template, withBundles } from './synthesized-app.ts';

const account = '210987654321';
const domain = 'interoperability.a-health-plan-of-many-states.org';
export const hostedZone = { id: 'Z0123456789ABCDEFGHIJ', name: domain };

/** A configuration that sets every option, in a Region other than CloudFront's, with names of the greatest length. */
const environment: ConfigurationInput = {
  ...sandbox,
  account,
  hostedZone,
  domain: `sandbox.${domain}`,
  region: 'us-west-2',
  certificateArn: `arn:aws:acm:us-west-2:${account}:certificate/0f7c2e5a-3d41-4b8e-9a56-1c2d3e4f5a6b`,
  alarmEmail: 'on-call@plan.org',
  monthlyBudgetDollars: 4_000,
  backup: {
    keptDays: 365,
    lock: 'compliance',
    copyTo: 'arn:aws:backup:us-east-2:510987654321:backup-vault:member-data-copies',
  },
  memberVerification: 'always',
  warmThroughput: { readUnitsPerSecond: 24_000, writeUnitsPerSecond: 40_000 },
  auditSigningKeys: 2,
  auditArchive: {
    lock: 'compliance',
    replicateTo: { bucketArn: 'arn:aws:s3:::plan-audit-copy', account: '310987654321' },
  },
  subscriptionKey: 'optional',
  directoryAccess: 'public',
  federation: {
    default: {
      issuer: 'https://login.a-health-plan-of-many-states.org/realms/members',
      clientId: 'member-data',
      memberIdClaim: 'plan_member_id',
      scopes: ['openid', 'plan'],
      label: { en: 'Member Portal', es: 'Portal para miembros' },
      acrValues: ['urn:plan:mfa'],
      localAccounts: false,
    },
    linesOfBusiness: {
      DSNP: {
        issuer: 'https://sign-in.dual-plan.org',
        clientId: 'member-data-dual',
        clientAuthentication: 'client_secret_basic',
        memberIdClaim: 'member',
        label: 'Dual Plan Portal',
      },
    },
  },
  tiers: { ...sandbox.tiers, partner: { requestsPerSecond: 100, burst: 200, requestsPerDay: 5_000_000 } },
};

const portalOfAll: typeof portal = {
  ...portal,
  account: '410987654321',
  hostedZone,
  region: 'us-west-2',
  hostname: `developer.${domain}`,
  senderDomain: `developer.${domain}`,
  certificateArn: 'arn:aws:acm:us-east-1:410987654321:certificate/0f7c2e5a-3d41-4b8e-9a56-1c2d3e4f5a6b',
  webAclArn: 'arn:aws:wafv2:us-east-1:410987654321:global/webacl/edge/0f7c2e5a-3d41-4b8e-9a56-1c2d3e4f5a6b',
  alarmEmail: 'on-call@plan.org',
  recaptcha: {
    siteKey: '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ',
    secretArn: 'arn:aws:secretsmanager:us-west-2:410987654321:secret:recaptcha-AbCdEf',
  },
  fourEyes: true,
};

export interface ConfiguredApp {
  readonly templates: ReadonlyMap<string, Template>;
  /** Findings of CloudFormation's schemas and rules as `rule resource: description`. */
  readonly violations: readonly string[];
}

/** Synthesizes the sandbox and the portal of a plan that sets every option, once for each run. Only the app without overrides is validated. */
export function configuredApp(overrides: Partial<ConfigurationInput> = {}): ConfiguredApp {
  const name = `configured ${JSON.stringify(overrides)}`;
  const { templates, violations } = madeOnce(name, () => synthesize(overrides));
  return { templates: new Map(templates), violations };
}

function synthesize(overrides: Partial<ConfigurationInput>) {
  return withBundles([], ({ bundles, site, outdir }) => {
    const { context } = JSON.parse(readFileSync(join(repositoryRoot, 'cdk.json'), 'utf8'));
    const app = new App({ outdir, context, builtinCloudFormationValidation: false });
    const configuration = parseConfiguration('test', { ...environment, ...overrides });
    const ofPortal = parsePortalConfiguration('test', portalOfAll, [configuration]);
    new EnvironmentStage(app, {
      configuration,
      bundles,
      portalAwsAccount: ofPortal.account,
      portalOrigin: 'https://developer.example.org',
    });
    // The portal is given the sandbox only, to which the guided first call on its pages goes.
    new PortalStage(app, { configuration: ofPortal, environments: [configuration], bundles, site });
    const stacks = app.synth().nestedAssemblies.flatMap(({ nestedAssembly }) => nestedAssembly.stacks);
    return {
      templates: stacks.map((stack) => [stack.hierarchicalId, stack.template as Template] as const),
      violations: Object.keys(overrides).length === 0 ? violationsIn(stacks) : [],
    };
  });
}

type Stacks = readonly { readonly hierarchicalId: string; readonly templateFullPath: string }[];

/**
 * Lists the findings of the validator of `npm run synth:validate`, including warnings, which that command accepts: a wrong enum value is a
 * warning.
 */
function violationsIn(stacks: Stacks): readonly string[] {
  const plugin = new CloudFormationValidatePlugin();
  const stackTemplates = stacks.map(({ hierarchicalId, templateFullPath }) => ({
    stackConstructPath: hierarchicalId,
    templatePath: templateFullPath,
    accountId: account,
    region: 'us-west-2',
  }));
  const { violations } = plugin.validate({
    stackTemplates,
    templatePaths: stackTemplates.map(({ templatePath }) => templatePath),
  } as unknown as Parameters<typeof plugin.validate>[0]);
  return violations.map(
    ({ ruleName, description, violatingResources: [first] }) =>
      `${ruleName} ${first?.resourceLogicalId}: ${description}`,
  );
}
