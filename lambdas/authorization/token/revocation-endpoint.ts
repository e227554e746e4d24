/** Revocation endpoint (RFC 7009). */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { auditEvent } from '../oauth/audit-decision.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import { parameterOf } from '../oauth/parameters.ts';
import {
  authenticateRecorded,
  type ClientAuthentication,
  type TokenRequest,
} from './client-authentication.ts';
import type { MemberTokenServer } from './grant-type.ts';
import { findToken, type IssuedToken, type TokenLookupServices } from './issued-token.ts';
import type { TokenStore } from './refresh-token-family.ts';
import { refuseToken, type TokenRefusal } from './token-error.ts';

export type RevocationServices = TokenLookupServices &
  ClientAuthentication &
  Pick<MemberTokenServer, 'audit' | 'random'> & { readonly tokens: Pick<TokenStore, 'end'> };

export type RevocationAnswer = { readonly kind: 'revoked' } | TokenRefusal;

/**
 * Handles the revocation endpoint of an LOB's authorization server (RFC 7009). Revoking any token of a grant ends the grant, so that the
 * next call with any of its tokens fails. An unknown token is no error (section 2.2); a token of another client is (section 2.1).
 */
export async function revokeToken(
  services: RevocationServices,
  lob: LineOfBusiness,
  request: TokenRequest,
): Promise<RevocationAnswer> {
  const authenticated = await authenticateRecorded(services, 'token.revoke', request);
  if (authenticated.kind === 'refusal') return authenticated;
  const text = parameterOf(request.parameters, 'token');
  if (text === undefined) return refuseToken('invalid_request', 'token is missing', 'token_missing');
  // `token_type_hint` is not needed: access and refresh tokens have different forms.
  const token = await findToken(services, lob, text);
  if (token === undefined) return { kind: 'revoked' };
  return await revoke(services, lob, request, authenticated.client, token);
}

async function revoke(
  services: RevocationServices,
  lob: LineOfBusiness,
  { context }: TokenRequest,
  { clientId: actor }: OAuthClient,
  { authorized, familyId }: IssuedToken,
): Promise<RevocationAnswer> {
  const { clientId, grantId, patientId } = authorized;
  const about = { action: 'token.revoke', actor, clientId, grantId, patientId } as const;
  const event = (decision: { outcome: 'succeeded' } | { outcome: 'refused'; reason: string }) =>
    auditEvent(context, { ...about, ...decision }, services.now(), services.random.uuid());
  if (clientId !== actor) {
    const reason = 'token_of_another_client';
    await services.audit.record(event({ outcome: 'refused', reason }));
    return refuseToken('invalid_grant', 'the token was issued to another client', reason);
  }
  await services.tokens.end({
    lob,
    reference: { patientId, grantId, familyId },
    because: 'token_revoked',
    audit: event({ outcome: 'succeeded' }),
  });
  return { kind: 'revoked' };
}
