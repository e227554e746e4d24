/** Introspection endpoint (RFC 7662). */

import { fhirBase, memberIssuer } from '../../catalog/addresses.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { type AuditDecision, auditEvent } from '../oauth/audit-decision.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import { parameterOf } from '../oauth/parameters.ts';
import {
  authenticateRecorded,
  type ClientAuthentication,
  recordRefusal,
  type TokenRequest,
} from './client-authentication.ts';
import type { MemberTokenServer } from './grant-type.ts';
import { findToken, type IssuedToken, type TokenLookupServices } from './issued-token.ts';
import { isAlive } from './refresh-token-family.ts';
import { refuseToken, type TokenRefusal } from './token-error.ts';

export type IntrospectionServices = TokenLookupServices &
  ClientAuthentication &
  Pick<MemberTokenServer, 'origins' | 'audit' | 'random'>;

/** Introspection response (RFC 7662 section 2.2), with SMART's `patient` and `fhirUser`. */
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
  | { readonly kind: 'introspection'; readonly introspection: Introspection }
  | TokenRefusal;

/**
 * Handles the introspection endpoint of an LOB's authorization server (RFC 7662): tells a confidential client whether one of its own tokens
 * is active, by the state of the grant. Any other token is reported as not active; the reason is only in the audit event, which is stored
 * before the response is sent.
 */
export async function introspectToken(
  services: IntrospectionServices,
  lob: LineOfBusiness,
  request: TokenRequest,
): Promise<IntrospectionAnswer> {
  const { parameters, context } = request;
  const authenticated = await authenticateRecorded(services, 'token.introspect', request);
  if (authenticated.kind === 'refusal') return authenticated;
  const { client } = authenticated;
  // The caller must be authorized (RFC 7662 section 2.1), and a client ID without credentials authorizes nobody.
  if (client.tokenEndpointAuthMethod === 'none') {
    const refusal = refuseToken('invalid_client', 'public clients cannot use this endpoint', 'client_public');
    return await recordRefusal(services, context, 'token.introspect', refusal, client);
  }
  const text = parameterOf(parameters, 'token');
  if (text === undefined) return refuseToken('invalid_request', 'token is missing', 'token_missing');
  const token = await findToken(services, lob, text);
  const reason = await inactivity(services, lob, client, token);
  const { clientId } = client;
  const decision: AuditDecision = {
    action: 'token.introspect',
    outcome: 'permitted',
    actor: clientId,
    clientId,
    ...(reason !== undefined && { reason }),
    ...(token !== undefined && { grantId: token.authorized.grantId }),
  };
  await services.audit.record(auditEvent(context, decision, services.now(), services.random.uuid()));
  const active = token !== undefined && reason === undefined;
  return {
    kind: 'introspection',
    introspection: active ? describe(services, lob, token) : { active: false },
  };
}

/**
 * Finds the reason why a token is not active for the client.
 *
 * @returns undefined if it is active.
 */
async function inactivity(
  { tokens, now }: Pick<IntrospectionServices, 'tokens' | 'now'>,
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
  { origins }: Pick<IntrospectionServices, 'origins'>,
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
