import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { auditEvent } from '../audit-event.ts';
import type { OAuthClient } from '../client.ts';
import { parameterOf, repeatedAmong } from '../parameters.ts';
import { authenticateClient } from './client-authentication.ts';
import type { MemberTokenServer } from './grants/grant-type.ts';
import { findToken, type IssuedToken } from './issued-token.ts';
import { recordRefusal, type TokenRequest } from './token-endpoint.ts';
import { refuseToken, type TokenErrorResponse } from './token-error.ts';

export type RevocationAnswer = { readonly revoked: true } | { readonly refusal: TokenErrorResponse };

/**
 * The revocation endpoint of a LOB's authorization server (RFC 7009). Whichever of a grant's tokens is revoked, the grant ends,
 * and all its tokens with it: the next call with any of them fails. A token nobody knows is no error (section 2.2); one of
 * another client is (section 2.1).
 */
export async function revokeToken(
  server: MemberTokenServer,
  lob: LineOfBusiness,
  request: TokenRequest,
): Promise<RevocationAnswer> {
  const { parameters, context } = request;
  const repeated = repeatedAmong(parameters, ['token', 'token_type_hint']);
  if (repeated !== undefined) {
    return refuseToken('invalid_request', `${repeated} was sent more than once`, 'repeated');
  }
  const authenticated = await authenticateClient(server, parameters, request.authorization);
  if ('refusal' in authenticated) {
    await recordRefusal(server, context, 'token.revoke', authenticated.refusal, authenticated.claimed);
    return { refusal: authenticated.refusal };
  }
  const text = parameterOf(parameters, 'token');
  if (text === undefined) return refuseToken('invalid_request', 'token is missing', 'token_missing');
  // The hint is not needed: the two kinds look different.
  const token = await findToken(server, lob, text);
  if (token === undefined) return { revoked: true };
  return await revoke(server, lob, request, authenticated.client, token);
}

async function revoke(
  server: MemberTokenServer,
  lob: LineOfBusiness,
  { context }: TokenRequest,
  { clientId: actor }: OAuthClient,
  { authorized, familyId }: IssuedToken,
): Promise<RevocationAnswer> {
  const { clientId, grantId, patientId } = authorized;
  const about = { action: 'token.revoke', actor, clientId, grantId, patientId } as const;
  const event = (decision: { outcome: 'succeeded' } | { outcome: 'refused'; reason: string }) =>
    auditEvent(context, { ...about, ...decision }, server.now(), server.random.uuid());
  if (clientId !== actor) {
    const reason = 'token_of_another_client';
    await server.audit.record(event({ outcome: 'refused', reason }));
    return refuseToken('invalid_grant', 'the token was issued to another client', reason);
  }
  await server.tokens.end({
    lob,
    reference: { patientId, grantId, familyId },
    because: 'token_revoked',
    audit: event({ outcome: 'succeeded' }),
  });
  return { revoked: true };
}
