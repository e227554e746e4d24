import type { APIGatewayProxyEvent } from 'aws-lambda';

export interface EventParts {
  readonly resource: string;
  readonly method?: string;
  readonly id?: string;
  /** Value of `{operation}` in the path. */
  readonly operation?: string;
  readonly query?: Record<string, string>;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly authorizer?: Record<string, string>;
}

/** Makes a request event of API Gateway with the fields that the FHIR functions read. */
export function gatewayEvent(parts: EventParts): APIGatewayProxyEvent {
  return {
    resource: parts.resource,
    path: parts.resource.replace('{id}', parts.id ?? '').replace('{operation}', parts.operation ?? ''),
    httpMethod: parts.method ?? 'GET',
    headers: parts.headers ?? {},
    multiValueHeaders: {},
    queryStringParameters: parts.query ?? null,
    multiValueQueryStringParameters: null,
    pathParameters: pathParametersOf(parts),
    stageVariables: null,
    body: parts.body ?? null,
    isBase64Encoded: false,
    requestContext: {
      requestId: 'gateway-request-1',
      authorizer: parts.authorizer ?? {},
    } as unknown as APIGatewayProxyEvent['requestContext'],
  };
}

function pathParametersOf({ id, operation }: EventParts): Record<string, string> | null {
  if (id === undefined) return null;
  return { id, ...(operation !== undefined && { operation }) };
}

/** Environment variables that the stack gives a function of the sandbox's DSNP API. */
export function functionEnvironment(endpoint: string, tableName: string): Record<string, string> {
  return {
    ENVIRONMENT: 'sandbox',
    TABLE_NAME: tableName,
    LINE_OF_BUSINESS: 'DSNP',
    SUBSCRIPTION_KEY: 'required',
    DIRECTORY_ACCESS: 'subscription',
    PUBLICATION_BUCKET: 'publications',
    JOB_BUCKET: 'jobs',
    JOB_STATE_MACHINE: 'arn:aws:states:us-east-1:111111111111:stateMachine:jobs',
    JOB_STATE_MACHINE_TEMPLATE: 'arn:aws:states:us-east-1:111111111111:stateMachine:{lob}',
    AUTH_ORIGIN: 'https://auth.sandbox.example.org',
    TOKEN_ORIGIN: 'https://token.sandbox.example.org',
    API_ORIGIN_TEMPLATE: 'https://{lob}.api.sandbox.example.org',
    RESOURCE_ID: 'sandbox-resource',
    PLAN_IDENTIFIERS: JSON.stringify({
      DSNP: [{ system: 'urn:oid:2.16.840.1.113883.6.300', value: '99903' }],
    }),
    PORTAL_ORIGIN: 'https://portal.example.org',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'AKIDTEST',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  };
}
