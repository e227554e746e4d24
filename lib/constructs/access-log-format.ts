import { AccessLogFormat, MethodLoggingLevel, type StageOptions } from 'aws-cdk-lib/aws-apigateway';

/**
 * The access log: who called what with which outcome. `resourcePath` has `{id}` where the path has a patient's id, and
 * no header or query string is named, so that neither PHI nor a secret can be logged.
 */
export const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    time: '$context.requestTimeEpoch',
    requestId: '$context.requestId',
    host: '$context.domainName',
    method: '$context.httpMethod',
    route: '$context.resourcePath',
    status: '$context.status',
    responseType: '$context.error.responseType',
    // The subscription key of the call: API Gateway itself knows the key the application is metered by.
    apiKeyId: '$context.authorizer.apiKeyId',
    clientId: '$context.authorizer.principalId',
    reason: '$context.authorizer.reason',
    sourceIp: '$context.identity.sourceIp',
    responseLength: '$context.responseLength',
    latencyMs: '$context.responseLatency',
    integrationMs: '$context.integrationLatency',
    authorizerMs: '$context.authorizer.latency',
  }),
);

/**
 * All else that API Gateway would write of a call: execution logs hold paths, headers and bodies, a trace holds the whole URL.
 * A metric for each route is a custom metric that is paid for; the access log has the same for each call.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-understanding-xray-traces.html
 */
export const noExecutionLogs = {
  loggingLevel: MethodLoggingLevel.OFF,
  dataTraceEnabled: false,
  tracingEnabled: false,
  metricsEnabled: false,
} as const satisfies StageOptions;
