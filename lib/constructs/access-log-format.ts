import { AccessLogFormat, MethodLoggingLevel, type StageOptions } from 'aws-cdk-lib/aws-apigateway';

/**
 * Format of the access log: caller, route and outcome. `resourcePath` contains `{id}` instead of a patient's ID, and no header or query
 * string is included, so that neither PHI nor a secret is logged.
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
    // The subscription key of the call, from the authorizer; API Gateway itself knows only the metering key.
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
 * Disables API Gateway's other logs: execution logs contain paths, headers and bodies, and traces contain URLs. Metrics by route would be
 * custom metrics, which cost money; the access log has the same data.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-understanding-xray-traces.html
 */
export const noExecutionLogs = {
  loggingLevel: MethodLoggingLevel.OFF,
  dataTraceEnabled: false,
  tracingEnabled: false,
  metricsEnabled: false,
} as const satisfies StageOptions;
