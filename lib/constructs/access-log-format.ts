import { AccessLogFormat, MethodLoggingLevel, type StageOptions } from 'aws-cdk-lib/aws-apigateway';

/**
 * Format of the access log: caller, route and outcome. `resourcePath` has `{id}` in place of a patient's id, and
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
    // The subscription key of the call; API Gateway itself knows the metering key.
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
 * Disables API Gateway's other logs: execution logs contain paths, headers and bodies, a trace contains the URL.
 * Metrics per route are paid custom metrics; the access log has the same data.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-understanding-xray-traces.html
 */
export const noExecutionLogs = {
  loggingLevel: MethodLoggingLevel.OFF,
  dataTraceEnabled: false,
  tracingEnabled: false,
  metricsEnabled: false,
} as const satisfies StageOptions;
