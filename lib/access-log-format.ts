import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

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
    apiKeyId: '$context.identity.apiKeyId',
    clientId: '$context.authorizer.principalId',
    reason: '$context.authorizer.reason',
    sourceIp: '$context.identity.sourceIp',
    responseLength: '$context.responseLength',
    latencyMs: '$context.responseLatency',
    integrationMs: '$context.integrationLatency',
    authorizerMs: '$context.authorizer.latency',
  }),
);
