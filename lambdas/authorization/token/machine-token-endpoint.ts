/** Machine-to-machine token endpoint: client credentials grant. */

import { auditEvent } from '../oauth/audit-decision.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import { type Parameters, parameterOf, valuesOf } from '../oauth/parameters.ts';
import { authenticateRecorded, recordRefusal, type TokenRequest } from './client-authentication.ts';
import type { TokenAnswer, TokenServer } from './grant-type.ts';
import { grantMachineScope } from './machine-scope.ts';
import { requestedLifetime } from './requested-lifetime.ts';
import { machineClaims } from './token-claims.ts';
import { refuseToken, type TokenRefusal } from './token-error.ts';

/** Services of the machine-to-machine token endpoint. */
export interface MachineTokenServer extends TokenServer {
  /** The environment's resource ID, which is the audience of the tokens. */
  readonly resourceId: string;
  /** Whether the caller must send the client's subscription key (`subscriptionKey` of the configuration). */
  readonly requiresKey: boolean;
}

export interface MachineTokenRequest extends TokenRequest {
  /** Client ID of the subscription key, from the authorizer; undefined if the key is no client's, or no key is required. */
  readonly subscriber: string | undefined;
}

/** Handles the machine-to-machine token endpoint: client credentials only (docs/service.md S5.4). */
export async function issueMachineToken(
  server: MachineTokenServer,
  request: MachineTokenRequest,
): Promise<TokenAnswer> {
  const { parameters, context } = request;
  const authenticated = await authenticateRecorded(server, 'token.issue', request);
  if (authenticated.kind === 'refusal') return authenticated;
  const { client } = authenticated;
  const refuse = (refusal: TokenRefusal) => recordRefusal(server, context, 'token.issue', refusal, client);
  const grantType = parameterOf(parameters, 'grant_type');
  if (grantType === undefined) {
    return refuseToken('invalid_request', 'grant_type is missing', 'grant_type_missing');
  }
  const isOtherKey = server.requiresKey && request.subscriber !== client.clientId;
  const refusal = verifyMachineRequest(client, grantType, parameters, isOtherKey, server.resourceId);
  if (refusal !== undefined) return await refuse(refusal);
  const granted = grantMachineScope(client, parameterOf(parameters, 'scope'), server.resourceId);
  if (granted.kind === 'refusal') return await refuse(granted);
  const lifetime = requestedLifetime(parameters, server.accessTokenSeconds);
  return lifetime.kind === 'refusal'
    ? await refuse(lifetime)
    : await issue(server, request, client, granted.scope, lifetime.seconds);
}

function verifyMachineRequest(
  client: OAuthClient,
  grantType: string,
  parameters: Parameters,
  isOtherKey: boolean,
  resourceId: string,
): TokenRefusal | undefined {
  if (isOtherKey) {
    const description = 'the subscription key does not belong to this client';
    return refuseToken('invalid_client', description, 'key_of_another_client');
  }
  if (client.tokenEndpointAuthMethod === 'none') {
    // Only confidential clients may use this grant (RFC 6749 section 4.4).
    return refuseToken('unauthorized_client', 'the client has no secret', 'client_public');
  }
  if (grantType !== 'client_credentials') {
    const description = 'grant_type must be client_credentials';
    return refuseToken('unsupported_grant_type', description, 'grant_type_unsupported');
  }
  if (!client.grantTypes.includes('client_credentials')) {
    const description = 'the application is not registered for grant type client_credentials';
    return refuseToken('unauthorized_client', description, 'grant_type_not_registered');
  }
  if (!valuesOf(parameters, 'resource').every((sent) => sent === resourceId)) {
    const description = `resource must be ${resourceId}`;
    return refuseToken('invalid_target', description, 'resource_foreign');
  }
  return undefined;
}

/** Issues a token. Its audit event is stored before the response is sent. */
async function issue(
  server: MachineTokenServer,
  { context }: MachineTokenRequest,
  { clientId }: OAuthClient,
  scope: string,
  seconds: number,
): Promise<TokenAnswer> {
  const { origins, resourceId, random } = server;
  const iat = Math.floor(server.now() / 1000);
  const lifetime = { iat, exp: iat + seconds };
  const claims = machineClaims(
    origins,
    context.environment,
    clientId,
    { resourceId, scope },
    lifetime,
    random.uuid(),
  );
  const decision = { action: 'token.issue', outcome: 'succeeded', actor: clientId, clientId } as const;
  const event = auditEvent(context, decision, server.now(), random.uuid());
  const accessToken = await server.signingKeys.sign('M2M', claims, 'at+jwt');
  await server.audit.record(event);
  return {
    kind: 'issued',
    issued: { access_token: accessToken, token_type: 'Bearer', expires_in: seconds, scope },
  };
}
