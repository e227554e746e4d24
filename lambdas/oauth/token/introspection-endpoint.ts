import { fhirBase, memberIssuer } from '../../catalog/addresses.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { type AuthorizationDecision, auditEvent } from '../audit-event.ts';
import type { OAuthClient } from '../client.ts';
import { parameterOf, repeatedAmong } from '../parameters.ts';
import { authenticateClient } from './client-authentication.ts';
import type { MemberTokenServer } from './grants/grant-type.ts';
import { findToken, type IssuedToken } from './issued-token.ts';
import { isAlive } from './refresh-token-family.ts';
import { recordRefusal, type TokenRequest } from './token-endpoint.ts';
import { refuseToken, type TokenErrorResponse } from './token-error.ts';

/** RFC 7662 section 2.2, with SMART's `patient` and `fhirUser`. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly iss: string;
      readonly aud: string;
      readonly sub: string;
      readonly client_id: string;
      readonly scope: string;
      readonly iat: number;
      readonly exp: number;
      readonly patient: string;
      readonly fhirUser?: string;
      readonly jti?: string;
      readonly token_type?: 'Bearer';
    };

export type IntrospectionAnswer =
  | { readonly introspection: Introspection }
  | { readonly refusal: TokenErrorResponse };

/**
 * The introspection endpoint of a LOB's authorization server (RFC 7662): what a confidential client's own token is worth now,
 * by the grant as it stands. Any other token is not active, and nothing says why but the audit event, which is durable before
 * the answer leaves.
 */
export async function introspectToken(
  server: MemberTokenServer,
  lob: LineOfBusiness,
  request: TokenRequest,
): Promise<IntrospectionAnswer> {
  const { parameters, context } = request;
  const repeated = repeatedAmong(parameters, ['token', 'token_type_hint']);
  if (repeated !== undefined) {
    return refuseToken('invalid_request', `${repeated} was sent more than once`, 'repeated');
  }
  const authenticated = await authenticateClient(server, parameters, request.authorization);
  if ('refusal' in authenticated) {
    await recordRefusal(server, context, 'token.introspect', authenticated.refusal, authenticated.claimed);
    return { refusal: authenticated.refusal };
  }
  const { client } = authenticated;
  // RFC 7662 section 2.1: the caller must be authorized; who only knows a client's name is not.
  if (client.tokenEndpointAuthMethod === 'none') {
    const { refusal } = refuseToken(
      'invalid_client',
      'public clients cannot use this endpoint',
      'client_public',
    );
    await recordRefusal(server, context, 'token.introspect', refusal, client);
    return { refusal };
  }
  const text = parameterOf(parameters, 'token');
  if (text === undefined) return refuseToken('invalid_request', 'token is missing', 'token_missing');
  const token = await findToken(server, lob, text);
  const reason = await inactivity(server, lob, client, token);
  const { clientId } = client;
  const decision: AuthorizationDecision = {
    ...{ action: 'token.introspect', outcome: 'permitted', actor: clientId, clientId },
    ...(reason !== undefined && { reason }),
    ...(token !== undefined && { grantId: token.authorized.grantId }),
  };
  await server.audit.record(auditEvent(context, decision, server.now(), server.random.uuid()));
  const active = token !== undefined && reason === undefined;
  return { introspection: active ? describe(server, lob, token) : { active: false } };
}

/** Why a token is worth nothing to the client that asks; undefined where it is active. */
async function inactivity(
  { tokens, now }: MemberTokenServer,
  lob: LineOfBusiness,
  { clientId, linesOfBusiness }: OAuthClient,
  token: IssuedToken | undefined,
): Promise<string | undefined> {
  if (token === undefined) return 'token_unknown';
  const { authorized, superseded } = token;
  if (authorized.clientId !== clientId) return 'token_of_another_client';
  if (superseded) return 'token_superseded';
  if (!linesOfBusiness.includes(lob)) return 'lob_not_registered';
  const grant = await tokens.grant(lob, authorized.patientId, authorized.grantId);
  return isAlive(grant, clientId, now() / 1000) ? undefined : 'grant_ended';
}

function describe(
  { origins }: MemberTokenServer,
  lob: LineOfBusiness,
  { kind, authorized, issuedAt, expiresAt, jti }: IssuedToken,
): Introspection {
  const { clientId, sub, patientId, scope } = authorized;
  const base = fhirBase(origins, lob, 'patient-access');
  return {
    active: true,
    iss: memberIssuer(origins, lob),
    aud: base,
    sub,
    client_id: clientId,
    scope,
    iat: issuedAt,
    exp: expiresAt,
    patient: patientId,
    ...(scope.split(' ').includes('fhirUser') && { fhirUser: `${base}/Patient/${patientId}` }),
    ...(jti !== undefined && { jti }),
    ...(kind === 'access' && { token_type: 'Bearer' }),
  };
}
