import { includesOfflineAccess } from '../../../catalog/scopes.ts';
import { type AuthorizationDecision, auditEvent } from '../../audit-event.ts';
import type { AuthorizationCode } from '../../authorize/interaction.ts';
import { parameterOf } from '../../parameters.ts';
import { formatRefreshToken, newRefreshFamily } from '../refresh-token-family.ts';
import { refuseToken } from '../token-error.ts';
import type { GrantRequest, GrantType, MemberTokenServer, TokenAnswer } from './grant-type.ts';
import { accessLifetime, signTokens } from './sign-tokens.ts';
import {
  type AuthorizationCodeRefusal,
  authorizationCodeRefusals,
  verifyAuthorizationCode,
} from './verify-authorization-code.ts';

/** A code is 43 characters; longer text is not worth a read. */
const longestCode = 128;

/** Authorization code grant (RFC 6749 section 4.1.3), with PKCE (RFC 7636). */
export const authorizationCode: GrantType = {
  type: 'authorization_code',
  registeredAs: 'authorization_code',
  parameters: ['code', 'redirect_uri', 'code_verifier'],
  async handle(server, request) {
    const { parameters, lob, client } = request;
    const presented = parameterOf(parameters, 'code');
    if (presented === undefined) return refuseToken('invalid_request', 'code is missing', 'code_missing');
    if (parameterOf(parameters, 'redirect_uri') === undefined) {
      return refuseToken('invalid_request', 'redirect_uri is missing', 'redirect_uri_missing');
    }
    const sha256 = server.digests.sha256Hex(presented);
    const code = presented.length > longestCode ? undefined : await server.store.code(lob, sha256);
    if (code === undefined) return await refuse(server, request, 'code_unknown');
    const nowSeconds = Math.floor(server.now() / 1000);
    const wrong = verifyAuthorizationCode(code, client, parameters, nowSeconds, server.digests);
    if (wrong === undefined) return await redeem(server, request, code);
    return await end(server, request, code, wrong);
  },
};

/** Signs first and commits then: a code is never used up without its token. */
async function redeem(
  server: MemberTokenServer,
  request: GrantRequest,
  code: AuthorizationCode,
): Promise<TokenAnswer> {
  const { lob, client } = request;
  // What is shared without a page ends when the first time would have.
  const lifetime = accessLifetime(server, request, code.grantExpiresAt);
  const { iat: now } = lifetime;
  const lasting = includesOfflineAccess(code.scope) ? issueRefreshToken(server, code, now) : undefined;
  const issued = await signTokens(server, request, code, lifetime);
  const redeemed = await server.store.redeem({
    lob,
    code,
    now,
    grantExpiresAt: lasting?.family.expiresAt ?? lifetime.exp,
    ...(lasting && { family: lasting.family }),
    audit: event(server, request, { outcome: 'succeeded', actor: client.clientId }, code),
  });
  if (redeemed === 'grant_ended') return await refuse(server, request, 'grant_ended', code);
  // Another redemption was first, a moment ago: the code is used twice all the same.
  if (redeemed === 'code_used') return await end(server, request, code, 'code_replayed');
  return { issued: { ...issued, ...(lasting && { refresh_token: formatRefreshToken(lasting.token) }) } };
}

function issueRefreshToken(
  { digests, random, grantSeconds, refreshIdleSeconds }: MemberTokenServer,
  code: AuthorizationCode,
  now: number,
) {
  const expiresAt = code.grantExpiresAt ?? now + grantSeconds;
  const idleSeconds = Math.min(refreshIdleSeconds, expiresAt - now);
  return newRefreshFamily(digests, random, code, { now, idleSeconds, expiresAt });
}

async function end(
  server: MemberTokenServer,
  request: GrantRequest,
  code: AuthorizationCode,
  because: AuthorizationCodeRefusal,
): Promise<TokenAnswer> {
  const ends = authorizationCodeRefusals[because];
  if (ends === 'nothing') return await refuse(server, request, because, code);
  const decision = { outcome: 'refused', actor: request.client.clientId, reason: because } as const;
  await server.store.end({
    lob: request.lob,
    code,
    because,
    ends,
    now: Math.floor(server.now() / 1000),
    audit: event(server, request, decision, code),
  });
  return invalidGrant(because);
}

async function refuse(
  server: MemberTokenServer,
  request: GrantRequest,
  reason: string,
  code?: AuthorizationCode,
): Promise<TokenAnswer> {
  const decision = { outcome: 'refused', actor: request.client.clientId, reason } as const;
  await server.audit.record(event(server, request, decision, code));
  return invalidGrant(reason);
}

/** One answer for all: who holds a stolen code learns nothing from it. */
function invalidGrant(reason: string): TokenAnswer {
  const description =
    'the code is unknown, expired, already used, or was issued for another client, redirect_uri or code_verifier';
  return refuseToken('invalid_grant', description, reason);
}

/** A known code's events lie with its patient, and name the client it was issued to. */
function event(
  { now, random }: MemberTokenServer,
  { client, context }: GrantRequest,
  decision: Pick<AuthorizationDecision, 'outcome' | 'actor' | 'reason'>,
  code: AuthorizationCode | undefined,
) {
  const about =
    code === undefined
      ? { clientId: client.clientId }
      : { clientId: code.clientId, grantId: code.grantId, patientId: code.patientId };
  return auditEvent(context, { action: 'token.issue', ...decision, ...about }, now(), random.uuid());
}
