import { auditEvent } from './audit-event.ts';
import type { Client } from './client.ts';
import { authenticateClient } from './client-authentication.ts';
import type { TokenAnswer, TokenServer } from './grants/grant-type.ts';
import { type Parameters, parameterOf, repeatedAmong } from './parameters.ts';
import { refused, type TokenRequest } from './token-endpoint.ts';
import { refuseToken, type TokenRefusal } from './token-error.ts';
import { machineClaims } from './tokens.ts';

export interface MachineTokenServer extends TokenServer {
  /** The environment resource id: audience of the tokens. */
  readonly resourceId: string;
}

export interface MachineTokenRequest extends TokenRequest {
  /** Whose subscription key the call came with, by the authorizer; undefined where the key is nobody's. */
  readonly subscriber: string | undefined;
}

/** The machine-to-machine token endpoint: client credentials only (service description, "Endpoints"). */
export async function issueMachineToken(
  server: MachineTokenServer,
  request: MachineTokenRequest,
): Promise<TokenAnswer> {
  const { parameters, context } = request;
  const repeated = repeatedAmong(parameters, ['grant_type', 'scope']);
  if (repeated !== undefined) {
    return refuseToken('invalid_request', `${repeated} was sent more than once`, 'repeated');
  }
  const authenticated = await authenticateClient(server, parameters, request.authorization);
  if ('refusal' in authenticated) {
    return await refused(server, context, authenticated.refusal, authenticated.claimed);
  }
  const { client } = authenticated;
  const refusal = judge(client, parameters, request.subscriber, server.resourceId);
  return refusal === undefined
    ? await issue(server, request, client)
    : await refused(server, context, refusal, client);
}

function judge(
  client: Client,
  parameters: Parameters,
  subscriber: string | undefined,
  resourceId: string,
): TokenRefusal | undefined {
  const grantType = parameterOf(parameters, 'grant_type');
  if (subscriber !== client.clientId) {
    const description = 'the subscription key is not of this client';
    return refuseToken('invalid_client', description, 'key_of_another_client').refusal;
  }
  if (client.tokenEndpointAuthMethod === 'none') {
    // RFC 6749 section 4.4: confidential clients only.
    return refuseToken('unauthorized_client', 'the client has no secret', 'client_public').refusal;
  }
  if (grantType === undefined) {
    return refuseToken('invalid_request', 'grant_type is missing', 'grant_type_missing').refusal;
  }
  if (grantType !== 'client_credentials') {
    const description = 'grant_type must be client_credentials';
    return refuseToken('unsupported_grant_type', description, 'grant_type_unsupported').refusal;
  }
  if (!client.grantTypes.includes('client_credentials')) {
    const description = 'the application is not registered for grant type client_credentials';
    return refuseToken('unauthorized_client', description, 'grant_type_not_registered').refusal;
  }
  if (parameterOf(parameters, 'scope') === `${resourceId}/.default`) return undefined;
  return refuseToken('invalid_scope', `scope must be ${resourceId}/.default`, 'scope_unknown').refusal;
}

/** The audit event is durable before the token leaves. */
async function issue(
  server: MachineTokenServer,
  { context }: MachineTokenRequest,
  { clientId }: Client,
): Promise<TokenAnswer> {
  const { origins, resourceId, random } = server;
  const iat = Math.floor(server.now() / 1000);
  const lifetime = { iat, exp: iat + server.accessTokenSeconds };
  const claims = machineClaims(origins, context.environment, clientId, resourceId, lifetime, random.uuid());
  const decision = { action: 'token.issue', outcome: 'succeeded', actor: clientId, clientId } as const;
  const event = auditEvent(context, decision, server.now(), random.uuid());
  const accessToken = await server.signingKeys.sign('M2M', claims, 'at+jwt');
  await server.audit.record(event);
  const expires_in = server.accessTokenSeconds;
  return { issued: { access_token: accessToken, token_type: 'Bearer', expires_in, scope: claims.scope } };
}
