/** Handler of `machine-token`: the client-credentials token endpoint (`POST /token/v2`, RFC 6749 §4.4). */

import { machineAssertionAudiences } from '../catalog/addresses.ts';
import { subscriptionContext } from '../catalog/oauth/authorizer-context.ts';
import { createCallLine } from '../platform/http/call-line.ts';
import { json, oauthDialect, oauthError, oauthMethodNotAllowed } from '../platform/http/oauth-error.ts';
import { createPipeline, header, requestIds } from '../platform/http/pipeline.ts';
import { tokenParameters } from '../platform/http/token-request-body.ts';
import { safeParse } from '../platform/kernel/shapes.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { composeTokenServer } from './compose-token-server.ts';
import { issueMachineToken, type MachineTokenServer } from './token/machine-token-endpoint.ts';

const settings = readEnvironment([
  'environment',
  'tableName',
  'authOrigin',
  'tokenOrigin',
  'apiOriginTemplate',
  'resourceId',
  'signingSecrets',
  'clientAccessTokenSeconds',
  'tokenRequestsPerMinute',
  'subscriptionKey',
]);
const { environment } = settings;
const { server: common, ratesOf, secretUsesOf, assertionsOf } = composeTokenServer(settings);

const server: Omit<MachineTokenServer, 'rates' | 'noteCaller'> = {
  ...common,
  assertions: assertionsOf('M2M', machineAssertionAudiences(common.origins)),
  secretUses: secretUsesOf('M2M'),
  accessTokenSeconds: settings.clientAccessTokenSeconds,
  resourceId: settings.resourceId,
  requiresKey: settings.subscriptionKey === 'required',
};

/**
 * Serves `POST {token_url}/token/v2`. Called by applications; API Gateway calls `machine-authorizer` before, if a subscription key is
 * required. Reads clients; signs with the key of `M2M`.
 */
export const handler = createPipeline({
  dialect: oauthDialect,
  log: consoleLog,
  handler: async (event) => {
    if (event.httpMethod !== 'POST') return oauthMethodNotAllowed('POST');
    const body = tokenParameters(event, 'form');
    if (body.kind === 'refusal') return oauthError(body.refusal);
    const { parameters } = body;
    const ids = requestIds(event);
    const subscriber = safeParse(subscriptionContext, event.requestContext.authorizer);
    const rates = ratesOf('M2M', event.requestContext.identity.sourceIp);
    const line = createCallLine(event);
    const answer = await issueMachineToken(
      { ...server, rates, noteCaller: line.noteCaller },
      {
        parameters,
        authorization: header(event, 'authorization'),
        context: { environment, lob: 'M2M', ...ids },
        subscriber: subscriber?.clientId,
      },
    );
    if (answer.kind === 'issued') {
      line.write({ code: 'token_answered', status: 200 });
      return json(200, answer.issued);
    }
    const { reason } = answer.refusal;
    // The secret was right, but the subscription key belongs to another application. 403, because 401 would suggest another secret.
    const response = oauthError(answer.refusal, reason === 'key_of_another_client' ? 403 : undefined);
    line.write({ code: 'token_refused', status: response.statusCode, reason });
    return response;
  },
});
