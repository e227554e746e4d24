/** Assembles the CDK app: a stage for each environment, and the portal's. */

import { Annotations, App, type Stage, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, HIPAASecurityChecks, NIST80053R5Checks } from 'cdk-nag';
import { exampleValues } from './config/example-values.ts';
import { portalOrigin } from './config/portal-configuration.ts';
import { readConfigurations, readPortalConfiguration } from './config/read-configurations.ts';
import { checkReservedConcurrency } from './constructs/reserved-concurrency.ts';
import { EnvironmentStage } from './environment/environment-stage.ts';
import { PortalStage } from './portal/stage.ts';

export interface MemberDataAppProps {
  /** Folder with the functions that `bin/bundle.ts` bundled. */
  readonly bundles: string;
  /** Folder with the portal's pages that `portal-static/build` wrote. */
  readonly site: string;
  /** Folder for the cloud assembly. The CDK CLI passes it in `CDK_OUTDIR`. */
  readonly outdir?: string;
  /** Context values in addition to the CDK CLI's; `bin/app.ts` lists them. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/**
 * Makes the whole app: a stage for each environment, and the portal's.
 *
 * @throws ConfigurationError
 */
export function memberDataApp({ bundles, site, outdir, context = {} }: MemberDataAppProps): App {
  const given = { ...contextOfCli(), ...context };
  const validate = `${given.validate}` === 'true';
  const app = new App({
    context: { ...context },
    builtinCloudFormationValidation: validate,
    // Recording the constructs' stack traces takes a quarter of the time, and only a validation report shows them.
    stackTraces: validate,
    treeMetadata: validate,
    ...(outdir === undefined ? {} : { outdir }),
  });
  const environments = readConfigurations(given);
  const portal = readPortalConfiguration(given, environments);
  const stages = environments.map((configuration) => ({
    ...configuration,
    stage: new EnvironmentStage(app, {
      configuration,
      bundles,
      portalAwsAccount: portal.account,
      portalOrigin: portalOrigin(portal),
    }),
  }));
  const stage = new PortalStage(app, { configuration: portal, environments, bundles, site });
  checkReservedConcurrency([...stages, { ...portal, stage }]);
  if (given.configuration === undefined) {
    for (const { stage: of, environment, account, domain } of stages) {
      warnOfExamples(of, `lib/config/${environment}.ts`, exampleValues({ account, domain }));
    }
    const { account, hostname, senderDomain } = portal;
    warnOfExamples(stage, 'lib/config/portal.ts', exampleValues({ account, hostname, senderDomain }));
  }
  for (const { stage: of, environment, directoryAccess } of stages) {
    if (environment === 'production' && directoryAccess !== 'public') warnOfClosedDirectory(of);
  }
  if (validate) {
    const packs = [AwsSolutionsChecks, HIPAASecurityChecks, NIST80053R5Checks];
    Validations.of(app).addPlugins(...packs.map((Pack) => new Pack(app)));
  }
  return app;
}

/** Adds a warning about example values to the stack that is deployed first; every command of the CDK CLI prints it. */
function warnOfExamples(stage: Stage, file: string, values: readonly string[]): void {
  if (values.length === 0) return;
  const warning = `${file} still has the repository's examples (${values.join(', ')}). Write yours before you deploy.`;
  Annotations.of(stage.node.findChild('Data')).addWarningV2('member-data:exampleValues', warning);
}

/**
 * Warns of a production directory that requires a key: every line of business with a directory is Medicare or Medicaid, for which 42 CFR
 * 422.120, 431.70 and 457.760 require a public one.
 */
function warnOfClosedDirectory(stage: Stage): void {
  const warning =
    "lib/config/production.ts: directoryAccess is 'subscription', but the provider directories of Medicare and Medicaid plans must be public " +
    "(42 CFR 422.120, 431.70, 457.760). Set 'public' before members rely on it.";
  Annotations.of(stage.node.findChild('Directory')).addWarningV2('member-data:closedDirectory', warning);
}

/** The context of the CDK CLI, including that of cdk.json, from the environment variable that it passes to the app. */
export function contextOfCli(): Record<string, unknown> {
  return JSON.parse(process.env.CDK_CONTEXT_JSON ?? '{}');
}
