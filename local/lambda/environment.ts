/** Local Lambda: environment variables of a function. */

import { localSecretAccessKey } from '../aws/iam/presigned.ts';
import type { LambdaFunction } from './functions.ts';

/** Service ids of the stand-ins, as `AWS_ENDPOINT_URL_<SERVICE>` spells them. */
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

/** Addresses of this machine's stand-ins: DynamoDB's own, and that of every service. */
export interface Endpoints {
  readonly endpoint: string;
  readonly dynamoDbEndpoint: string;
}

/** Points an AWS SDK at this machine's stand-ins: the general variable too, so that no call ever leaves it. */
export function endpointVariables({ endpoint, dynamoDbEndpoint }: Endpoints): Record<string, string> {
  const specific = services.map((service) => [`AWS_ENDPOINT_URL_${service}`, endpoint]);
  return {
    AWS_ENDPOINT_URL: endpoint,
    ...Object.fromEntries(specific),
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint,
  };
}

/**
 * All a function sees of the world: the template's variables and Lambda's own ("Defined runtime environment
 * variables", AWS Lambda Developer Guide). */
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
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${lambda.name}`,
    AWS_ACCESS_KEY_ID: lambda.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localSecretAccessKey,
    AWS_SESSION_TOKEN: 'local',
    LAMBDA_TASK_ROOT: lambda.codePath,
  };
}
