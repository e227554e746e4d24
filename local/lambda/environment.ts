/** Local Lambda: environment variables of a function. */

import { localSecretAccessKey } from '../aws/iam/presigned.ts';
import type { LambdaFunction } from './functions.ts';

/** Service IDs of the stand-ins, in the spelling of `AWS_ENDPOINT_URL_<SERVICE>`. */
const services = [
  'COGNITO_IDENTITY_PROVIDER',
  'SES',
  'SNS',
  'API_GATEWAY',
  'SECRETS_MANAGER',
  'KMS',
  'LAMBDA',
  'CLOUDWATCH_LOGS',
  'S3',
  'SFN',
] as const;

/** Addresses of the stand-ins: DynamoDB's own, and the one of all services. */
export interface Endpoints {
  readonly endpoint: string;
  readonly dynamoDbEndpoint: string;
}

/** The variables that direct an AWS SDK to the stand-ins. The general variable is set too, so that no call leaves this machine. */
export function endpointVariables({ endpoint, dynamoDbEndpoint }: Endpoints): Record<string, string> {
  const specific = services.map((service) => [`AWS_ENDPOINT_URL_${service}`, endpoint]);
  return {
    AWS_ENDPOINT_URL: endpoint,
    ...Object.fromEntries(specific),
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint,
  };
}

/**
 * All environment variables of a function: the template's, and Lambda's own ("Defined runtime environment variables", AWS Lambda Developer
 * Guide).
 */
export function functionEnvironment(lambda: LambdaFunction, endpoints: Endpoints): Record<string, string> {
  return {
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    ...lambda.environment,
    ...endpointVariables(endpoints),
    _HANDLER: lambda.handler,
    AWS_REGION: lambda.region,
    AWS_DEFAULT_REGION: lambda.region,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: lambda.name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(lambda.memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: lambda.version ?? '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${lambda.name}`,
    AWS_ACCESS_KEY_ID: lambda.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localSecretAccessKey,
    AWS_SESSION_TOKEN: 'local',
    LAMBDA_TASK_ROOT: lambda.codePath,
  };
}
