/**
 * Prints, as JSON, the values that the recipes of CONTRIBUTING.md change. contributing.test.ts runs it in the repository and in a copy with
 * the recipes applied. The argument is a folder for bundles and the cloud assembly.
 */

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundle } from '../../bin/bundle.ts';
import { english } from '../../lambdas/authorization/pages/words/english.ts';
import { spanish } from '../../lambdas/authorization/pages/words/spanish.ts';
import { linesOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { capabilityStatement } from '../../lambdas/fhir/capability-statement.ts';
import { searchValues } from '../../lambdas/fhir/values/values.ts';
import { parseConfiguration } from '../../lib/config/configuration.ts';
import { sandbox } from '../../lib/config/sandbox.ts';
import { checkReservedConcurrency } from '../../lib/constructs/reserved-concurrency.ts';
import { EnvironmentStage } from '../../lib/environment/environment-stage.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { sandboxPersonas } from '../../ops/generator/personas.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { member, operationsOf, service } from './documents.ts';

export interface RecipeEffects {
  /** Search parameters of Coverage in the CapabilityStatement. */
  readonly stated: readonly string[];
  /** Query parameters of the search of Coverage in the OpenAPI document. */
  readonly documented: readonly string[];
  /** Names of the values in the index entry of an active Coverage. */
  readonly indexed: readonly string[];
  readonly linesOfBusiness: readonly string[];
  /** Lines of business that have a name on members' pages, in English and in Spanish. */
  readonly named: { readonly en: readonly string[]; readonly es: readonly string[] };
  /** Lines of business of the sandbox's test members and personas. */
  readonly members: readonly string[];
  /** Values of the variable `lob` in the hosts of the OpenAPI document. */
  readonly hosts: readonly string[];
  /** Names of the bundled functions: the recipe's `key-check`, or none if it does not exist. */
  readonly bundled: readonly string[];
  /** Stacks of the sandbox. */
  readonly stacks: readonly string[];
  /** Policy statements of the recipe's function on items of the table. */
  readonly rights: readonly unknown[];
}

/**
 * Synthesizes the sandbox with placeholder bundles.
 *
 * @throws ConfigurationError
 */
function synthesizeSandbox(folder: string) {
  for (const handler of globSync('lambdas/**/*.handler.ts', { cwd: repositoryRoot })) {
    const bundle = join(folder, 'dist', basename(handler, '.handler.ts'));
    mkdirSync(bundle, { recursive: true });
    writeFileSync(join(bundle, 'index.cjs'), 'exports.handler = () => {};');
  }
  const { context } = JSON.parse(readFileSync(join(repositoryRoot, 'cdk.json'), 'utf8'));
  const app = new App({ context, outdir: join(folder, 'cdk.out'), treeMetadata: false });
  const configuration = parseConfiguration('lib/config/sandbox.ts', sandbox);
  const bundles = join(folder, 'dist');
  const stage = new EnvironmentStage(app, {
    configuration,
    bundles,
    portalAwsAccount: configuration.account,
    portalOrigin: 'https://developer.example.org',
  });
  checkReservedConcurrency([{ ...configuration, stage }]);
  return stage.synth().stacks;
}

/** The statements on items of the table in a function's policy. */
function tableStatements(template: Template, construct: string): readonly unknown[] {
  const policy = new RegExp(`^${construct}TablePolicy[0-9A-F]{8}$`);
  return Object.entries(template.Resources)
    .filter(([id]) => policy.test(id))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument?.Statement ?? []);
}

interface Template {
  readonly Resources: Readonly<
    Record<
      string,
      { readonly Properties: { readonly PolicyDocument?: { readonly Statement: readonly unknown[] } } }
    >
  >;
}

const folder = process.argv[2] ?? '';
const stacks = synthesizeSandbox(folder);
const { outputs } = await bundle({ only: ['key-check'], outdir: join(folder, 'bundled') });
const { origins } = service.environments.sandbox;
const statement = capabilityStatement(
  { origins, lob: 'DSNP', subscriptionKey: 'required' },
  'patient-access',
);
const coverage = statement.rest?.[0]?.resource?.find(({ type }) => type === 'Coverage');
const search = operationsOf(member).find(
  ({ method, path }) => method === 'GET' && path.endsWith('patientaccess/v1/Coverage'),
);
const members = [...syntheticMembers('sandbox'), ...sandboxPersonas().map((each) => each.member)];
const { tokens } = searchValues({ resourceType: 'Coverage', id: 'one', status: 'active' });

const effects: RecipeEffects = {
  stated: coverage?.searchParam?.map(({ name }) => name) ?? [],
  documented: search?.operation.parameters?.map(({ name }) => name) ?? [],
  indexed: Object.keys(tokens),
  linesOfBusiness: Object.keys(linesOfBusiness),
  named: { en: Object.keys(english.plans), es: Object.keys(spanish.plans) },
  members: [...new Set(members.map(({ lob }) => lob))],
  hosts: member.servers.flatMap(({ variables }) => variables?.lob?.enum ?? []),
  bundled: Object.keys(outputs).map((path) => basename(dirname(path))),
  stacks: stacks.map(({ hierarchicalId }) => hierarchicalId),
  rights: stacks
    .filter(({ hierarchicalId }) => hierarchicalId === 'sandbox/Data')
    .flatMap(({ template }) => tableStatements(template as Template, 'KeyCheck')),
};
console.log(JSON.stringify(effects));
