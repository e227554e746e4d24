/** Local Lambda: functions of the templates. */

import { createHash } from 'node:crypto';
import { AssemblyError } from '../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../assembly/resources.ts';
import { deploymentFunctions } from '../s3/bucket-objects.ts';

/** An `AWS::Lambda::Function`, with what is needed to run it. */
export interface LambdaFunction {
  readonly name: string;
  readonly arn: string;
  /**
   * Number of a published version.
   *
   * @default $LATEST
   */
  readonly version?: string;
  readonly roleArn: string;
  readonly region: string;
  /** Folder of the deployed bundle. */
  readonly codePath: string;
  /** `<file>.<export>`. */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** 0 switches the function off. */
  readonly reservedConcurrency?: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether a state machine calls the function: it then runs in the background, and yields to functions with waiting callers. */
  readonly isBackground: boolean;
  /** Access key by which the AWS endpoint knows the function's role. */
  readonly accessKeyId: string;
}

/** An `AWS::Lambda::Alias`: a name of a function's version, by which callers call it. */
export interface FunctionAlias {
  readonly arn: string;
  readonly name: string;
  readonly functionArn: string;
  /** Number of the version that gets the calls. */
  readonly version: string;
}

/** Reads the aliases of the templates. */
export function readAliases(assembly: Assembly): readonly FunctionAlias[] {
  return assembly.ofType('AWS::Lambda::Alias').map(({ arn, properties }) => ({
    arn,
    name: String(properties.Name),
    functionArn: arn.split(':').slice(0, 7).join(':'),
    version: String(properties.FunctionVersion),
  }));
}

/**
 * Reads the functions of the templates, except those that copy files into buckets while a stack is deployed: the local system does that
 * itself.
 *
 * @throws AssemblyError for a function that can't be run here.
 */
export function readFunctions(assembly: Assembly): readonly LambdaFunction[] {
  const deploying = deploymentFunctions(assembly);
  const definitions = assembly
    .ofType('AWS::StepFunctions::StateMachine')
    .map(({ properties }) => String(properties.DefinitionString));
  return assembly
    .ofType('AWS::Lambda::Function')
    .filter(({ arn }) => !deploying.has(arn))
    .map((resource) => ({
      ...readFunction(assembly, resource),
      isBackground: definitions.some((definition) => definition.includes(`"${resource.arn}"`)),
    }));
}

function readFunction(assembly: Assembly, resource: Resource): Omit<LambdaFunction, 'isBackground'> {
  const { properties } = resource;
  const code = (properties.Code ?? {}) as Readonly<Record<string, unknown>>;
  const codePath = assembly.assetPath(String(code.S3Key));
  const where = `function ${resource.stack}/${resource.logicalId}`;
  if (codePath === undefined) throw new AssemblyError(`${where}: no asset for its code`);
  if (!String(properties.Runtime).startsWith('nodejs')) {
    throw new AssemblyError(`${where}: runtime ${String(properties.Runtime)} can't run on this machine`);
  }
  const { Variables } = (properties.Environment ?? {}) as { Variables?: Readonly<Record<string, unknown>> };
  const environment = Object.fromEntries(
    Object.entries(Variables ?? {}).map(([name, value]) => [name, String(value)]),
  );
  const fault = variablesFault(environment);
  if (fault !== undefined) throw new AssemblyError(`${where}: ${fault}`);
  checkDisk(properties.EphemeralStorage, where);
  const reserved = properties.ReservedConcurrentExecutions;
  return {
    name: resource.physicalId,
    arn: resource.arn,
    roleArn: String(properties.Role),
    region: resource.region,
    codePath,
    handler: String(properties.Handler),
    // Defaults: AWS::Lambda::Function in the CloudFormation resource reference.
    timeoutSeconds: Number(properties.Timeout ?? 3),
    memoryMb: Number(properties.MemorySize ?? 128),
    ...(reserved === undefined ? {} : { reservedConcurrency: Number(reserved) }),
    environment,
    accessKeyId: `ASIA${createHash('sha256').update(resource.arn).digest('hex').slice(0, 16).toUpperCase()}`,
  };
}

/**
 * Checks the disk size. Each instance has a folder of its own, whose size is not limited here ("Configure ephemeral storage for Lambda
 * functions").
 *
 * @throws AssemblyError for a size that Lambda doesn't offer.
 */
function checkDisk(storage: unknown, where: string): void {
  const { Size = 512 } = (storage ?? {}) as { readonly Size?: unknown };
  if (Number(Size) >= 512 && Number(Size) <= 10_240) return;
  throw new AssemblyError(`${where}: EphemeralStorage of ${String(Size)} MB; Lambda has 512 to 10,240`);
}

/** "Reserved environment variables": a template that sets one can't be deployed. */
const reserved = new Set([
  '_HANDLER',
  '_X_AMZN_TRACE_ID',
  'AWS_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_DEFAULT_REGION',
  'AWS_EXECUTION_ENV',
  'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
  'AWS_LAMBDA_FUNCTION_NAME',
  'AWS_LAMBDA_FUNCTION_VERSION',
  'AWS_LAMBDA_INITIALIZATION_TYPE',
  'AWS_LAMBDA_LOG_GROUP_NAME',
  'AWS_LAMBDA_LOG_STREAM_NAME',
  'AWS_LAMBDA_RUNTIME_API',
  'AWS_REGION',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'LAMBDA_RUNTIME_DIR',
  'LAMBDA_TASK_ROOT',
]);

/** "Lambda quotas": the total size of all environment variables associated with the function. */
const variablesLimitBytes = 4_096;

/**
 * The reason for which Lambda would refuse a function with these variables; undefined if it wouldn't.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
function variablesFault(variables: Readonly<Record<string, string>>): string | undefined {
  for (const name of Object.keys(variables)) {
    if (reserved.has(name)) return `the environment variable ${name} is reserved by Lambda`;
    if (!/^[A-Za-z]\w+$/.test(name)) return `${name} can't be the name of an environment variable`;
  }
  const bytes = Buffer.byteLength(Object.entries(variables).flat().join(''));
  if (bytes <= variablesLimitBytes) return undefined;
  return `its environment variables have ${bytes} bytes, more than Lambda's ${variablesLimitBytes}`;
}
