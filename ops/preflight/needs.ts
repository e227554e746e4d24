/** Reads what a stage needs of its AWS account from the synthesized templates. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { UsageError } from '../command-line/command-line.ts';

/** A certificate, and the host names for which the templates use it. */
export interface NeededCertificate {
  readonly arn: string;
  readonly hosts: readonly string[];
}

/** The kinds of resources that the templates give a fixed name, so that one left by an earlier deployment blocks the next. */
export const namedKinds = {
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::SES::EmailIdentity': 'EmailIdentity',
  'AWS::StepFunctions::StateMachine': 'StateMachineName',
  'AWS::ApiGateway::DomainName': 'DomainName',
} as const;
export type NamedKind = keyof typeof namedKinds;

/** A resource with a fixed name, and the stack that creates it. */
export interface NamedResource {
  readonly kind: NamedKind;
  readonly name: string;
  readonly stack: string;
}

/** The demands of a stage's templates on its account. */
export interface StageNeeds {
  readonly stage: string;
  readonly account: string;
  readonly region: string;
  /** Names of the stacks, in the order of the manifest. */
  readonly stacks: readonly string[];
  /** Concurrent executions that its functions reserve. */
  readonly reservedConcurrency: number;
  /** Memory of the largest function in MB (2^20 bytes). */
  readonly memoryMegabytes: number;
  /** Runtimes of its functions, e.g. `nodejs24.x`. */
  readonly runtimes: readonly string[];
  readonly certificates: readonly NeededCertificate[];
  /** Hosted zones of Route 53 in which records are created, by ID. */
  readonly hostedZones: readonly string[];
  /** Least version of the bootstrap stack, and the parameter that has the version. */
  readonly bootstrap: { readonly parameter: string; readonly version: number };
  readonly usagePlans: number;
  readonly named: readonly NamedResource[];
}

const resource = z.object({ Type: z.string(), Properties: z.optional(z.record(z.string(), z.unknown())) });
const template = z.object({ Resources: z.record(z.string(), resource) });
type Resource = z.infer<typeof resource>;

const manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      environment: z.optional(z.string()),
      properties: z.optional(
        z.object({
          templateFile: z.optional(z.string()),
          stackName: z.optional(z.string()),
          directoryName: z.optional(z.string()),
          displayName: z.optional(z.string()),
          requiresBootstrapStackVersion: z.optional(z.number()),
          bootstrapStackVersionSsmParameter: z.optional(z.string()),
        }),
      ),
    }),
  ),
});

interface Stack {
  readonly name: string;
  readonly account: string;
  readonly region: string;
  readonly bootstrap: StageNeeds['bootstrap'];
  readonly resources: readonly Resource[];
}

/**
 * Reads the needs of a stage.
 *
 * @param directory a cloud assembly that `cdk synth` wrote.
 * @param stage name of the stage: `sandbox`, `production` or `portal`.
 * @throws UsageError if there is no assembly, or none of that stage.
 */
export function readNeeds(directory: string, stage: string): StageNeeds {
  const stacks = readStacks(directory, stage);
  const [first] = stacks;
  if (first === undefined) throw new UsageError(`${stage} has no stacks in ${directory}`);
  const all = stacks.flatMap(({ resources }) => resources);
  const functions = all.filter(({ Type }) => Type === 'AWS::Lambda::Function');
  const numbers = (property: string) => functions.map((each) => Number(each.Properties?.[property] ?? 0));
  return {
    stage,
    account: first.account,
    region: first.region,
    stacks: stacks.map(({ name }) => name),
    reservedConcurrency: numbers('ReservedConcurrentExecutions').reduce((sum, each) => sum + each, 0),
    memoryMegabytes: Math.max(0, ...numbers('MemorySize')),
    runtimes: unique(functions.flatMap((each) => texts(each.Properties?.Runtime))),
    certificates: certificatesOf(all),
    hostedZones: unique(all.flatMap((each) => texts(each.Properties?.HostedZoneId))),
    bootstrap: first.bootstrap,
    usagePlans: all.filter(({ Type }) => Type === 'AWS::ApiGateway::UsagePlan').length,
    named: stacks.flatMap(({ name, resources }) => resources.flatMap((each) => namedResource(each, name))),
  };
}

function readStacks(directory: string, stage: string): readonly Stack[] {
  const { artifacts } = readManifest(directory);
  const nested = Object.values(artifacts).find(
    ({ type, properties }) => type === 'cdk:cloud-assembly' && properties?.displayName === stage,
  );
  if (nested === undefined) {
    const stages = Object.values(artifacts).flatMap(({ properties }) => properties?.displayName ?? []);
    throw new UsageError(`${stage} is not a stage; use one of ${stages.join(', ')}`);
  }
  const folder = join(directory, nested.properties?.directoryName ?? '');
  return Object.values(readManifest(folder).artifacts).flatMap(({ type, environment, properties = {} }) => {
    if (type !== 'aws:cloudformation:stack') return [];
    const [, account = '', region = ''] = /^aws:\/\/([^/]+)\/(.+)$/.exec(environment ?? '') ?? [];
    const { Resources } = template.parse(readJson(join(folder, properties.templateFile ?? '')));
    return {
      name: properties.stackName ?? '',
      account,
      region,
      bootstrap: {
        parameter: properties.bootstrapStackVersionSsmParameter ?? '',
        version: properties.requiresBootstrapStackVersion ?? 0,
      },
      resources: Object.values(Resources),
    };
  });
}

function readManifest(directory: string) {
  const file = join(directory, 'manifest.json');
  if (!existsSync(file))
    throw new UsageError(`${directory} has no cloud assembly; run \`npm run synth\` first`);
  return manifest.parse(readJson(file));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The certificates of custom domains of API Gateway and of CloudFront, with the hosts that each must name. */
function certificatesOf(resources: readonly Resource[]): readonly NeededCertificate[] {
  const uses = resources.flatMap(({ Type, Properties = {} }) => {
    if (Type === 'AWS::ApiGateway::DomainName') {
      return { arn: Properties.RegionalCertificateArn, hosts: texts(Properties.DomainName) };
    }
    if (Type !== 'AWS::CloudFront::Distribution') return [];
    const { ViewerCertificate, Aliases } = Properties.DistributionConfig as Record<string, unknown>;
    const { AcmCertificateArn } = (ViewerCertificate ?? {}) as Record<string, unknown>;
    return { arn: AcmCertificateArn, hosts: texts(Aliases) };
  });
  const byArn = Map.groupBy(
    uses.filter(({ arn }) => typeof arn === 'string'),
    ({ arn }) => String(arn),
  );
  return [...byArn].map(([arn, each]) => ({ arn, hosts: unique(each.flatMap(({ hosts }) => hosts)) }));
}

function namedResource({ Type, Properties }: Resource, stack: string): NamedResource | readonly [] {
  if (!Object.hasOwn(namedKinds, Type)) return [];
  const kind = Type as NamedKind;
  const name = Properties?.[namedKinds[kind]];
  return typeof name === 'string' ? { kind, name, stack } : [];
}

/** The literal texts of a property: a text or a list of texts. References are left out. */
function texts(value: unknown): readonly string[] {
  return [value].flat().filter((each) => typeof each === 'string');
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
