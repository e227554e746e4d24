/** Reads the deployed environment that the smoke test calls from the outputs of its stacks. */

import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { EnvironmentOrigins } from '../../lambdas/catalog/addresses.ts';
import { type Environment, environments } from '../../lambdas/catalog/environments.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { UsageError } from '../command-line/command-line.ts';
import type { CommandContext } from '../command-line/operation.ts';
import { type LocalSystem, readLocalSystem } from '../command-line/system.ts';

/** CloudFormation outputs by stack, as `cdk deploy --outputs-file` writes them. */
type StackOutputs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** An environment that is deployed in an AWS account, or on this machine. */
export interface SmokeTarget {
  readonly environment: Environment;
  readonly origins: EnvironmentOrigins;
  /** Lines of business that have a stack. */
  readonly linesOfBusiness: readonly [LineOfBusiness, ...LineOfBusiness[]];
  /** Number of the account and the Region in which the stacks are. */
  readonly account: string;
  readonly region: string;
  readonly provisioningFunction: string;
  /** Variables that tell the operator's commands the functions, and that these are not the local system's. */
  readonly variables: CommandContext['variables'];
  /** The local system with the path of its file, if it is the target. */
  readonly local: { readonly system: LocalSystem; readonly file: string } | undefined;
}

const stackOutputs = z.record(z.string(), z.record(z.string(), z.string()));

/**
 * Reads a target: the file that `cdk deploy --outputs-file` wrote, or `system.json` of the local system.
 *
 * @param variables the process's environment variables, which have the AWS credentials.
 * @throws UsageError if the file has no stacks of the environment.
 */
export function readSmokeTarget(
  file: string,
  environment: Environment,
  variables: CommandContext['variables'],
): SmokeTarget {
  const json = readJson(file);
  const local = isLocalSystem(json) ? readLocalSystem(file) : undefined;
  const parsed = z.safeParse(stackOutputs, local === undefined ? json : local.outputs);
  if (!parsed.success) {
    throw new UsageError(
      `--target: ${file} has no outputs of stacks; expected the file of \`cdk deploy --outputs-file\`, or .local/system.json`,
    );
  }
  return targetOf(parsed.data, file, environment, { variables, local });
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is not JSON' : 'can’t be read';
    throw new UsageError(
      `--target: ${file} ${why}; expected the file of \`cdk deploy --outputs-file\`, or .local/system.json`,
    );
  }
}

function isLocalSystem(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'awsEndpoint' in json;
}

function targetOf(
  outputs: StackOutputs,
  file: string,
  environment: Environment,
  {
    variables,
    local,
  }: { readonly variables: CommandContext['variables']; readonly local: LocalSystem | undefined },
): SmokeTarget {
  const stacks = Object.entries(outputs).filter(([stack]) => stack.startsWith(`${environment}-`));
  if (stacks.length === 0) {
    const stages = [...environments, 'portal'].filter((stage) =>
      Object.keys(outputs).some((stack) => stack.startsWith(`${stage}-`)),
    );
    throw new UsageError(
      `--target: ${file} has stacks of ${stages.join(', ') || 'no stage'}, none of ${environment}; name the environment that the file is of with --environment`,
    );
  }
  const own = Object.assign({}, ...stacks.map(([, values]) => values)) as Readonly<Record<string, string>>;
  const required = (name: string): string => {
    const value = own[name];
    if (value !== undefined) return value;
    throw new UsageError(
      `--target: ${file} has no output ${name} of ${environment}; deploy all stacks of the stage into one outputs file`,
    );
  };
  const bases = lineOfBusinessCodes.flatMap((lob) => {
    const url = outputs[`${environment}-Lob${lob}`]?.BaseUrl;
    return url === undefined ? [] : [{ lob, url }];
  });
  const [first, ...others] = bases;
  if (first === undefined) throw new UsageError(`--target: ${file} has no stack of a line of business`);
  const [, , , region = '', account = ''] = required('AlarmTopicArn').split(':');
  return {
    environment,
    origins: {
      auth: required('AuthUrl'),
      token: required('TokenUrl'),
      apiTemplate: first.url.replace(`//${first.lob.toLowerCase()}.`, '//{lob}.'),
    },
    linesOfBusiness: [first.lob, ...others.map(({ lob }) => lob)],
    account,
    region,
    provisioningFunction: required('ProvisioningFunctionName'),
    variables: { AWS_PROFILE: '', ...variables, ...functionVariables(own) },
    local: local === undefined ? undefined : { system: local, file },
  };
}

/** The variables by which the operator's commands find functions: `LoadOperationsFunctionName` becomes `LOAD_OPERATIONS_FUNCTION`. */
function functionVariables(outputs: Readonly<Record<string, string>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [output, value] of Object.entries(outputs)) {
    const name = /^(\w+Function)Name$/.exec(output)?.[1];
    if (name !== undefined) found[name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toUpperCase()] = value;
  }
  return found;
}
