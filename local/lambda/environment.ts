import type { LambdaFunction } from './functions.ts';

/** Service ids of the stand-ins, as `AWS_ENDPOINT_URL_<SERVICE>` spells them. */
const services = [
  'DYNAMODB',
  'COGNITO_IDENTITY_PROVIDER',
  'SES',
  'SNS',
  'API_GATEWAY',
  'SECRETS_MANAGER',
  'KMS',
  'LAMBDA',
  'CLOUDWATCH_LOGS',
] as const;

/** Points an AWS SDK at this machine's stand-ins: the general variable too, so that no call ever leaves it. */
export function endpointVariables(endpoint: string): Record<string, string> {
  const specific = services.map((service) => [`AWS_ENDPOINT_URL_${service}`, endpoint]);
  return { AWS_ENDPOINT_URL: endpoint, ...Object.fromEntries(specific) };
}

/** "Reserved environment variables": a template that sets one is not deployed. */
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
 * Why Lambda would refuse to create a function with these variables; undefined where it wouldn't.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export function variablesFault(variables: Readonly<Record<string, string>>): string | undefined {
  for (const name of Object.keys(variables)) {
    if (reserved.has(name)) return `the environment variable ${name} is reserved by Lambda`;
    if (!/^[A-Za-z]\w+$/.test(name)) return `${name} can't be the name of an environment variable`;
  }
  const bytes = Buffer.byteLength(Object.entries(variables).flat().join(''));
  if (bytes <= variablesLimitBytes) return undefined;
  return `its environment variables have ${bytes} bytes, more than Lambda's ${variablesLimitBytes}`;
}

/**
 * All a function sees of the world: the template's variables and Lambda's own ("Defined runtime environment
 * variables", AWS Lambda Developer Guide). */
export function functionEnvironment(lambda: LambdaFunction, endpoint: string): Record<string, string> {
  return {
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    ...lambda.environment,
    ...endpointVariables(endpoint),
    _HANDLER: lambda.handler,
    AWS_REGION: lambda.region,
    AWS_DEFAULT_REGION: lambda.region,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: lambda.name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(lambda.memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${lambda.name}`,
    AWS_ACCESS_KEY_ID: lambda.accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    LAMBDA_TASK_ROOT: lambda.codePath,
  };
}
