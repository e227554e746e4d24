import { type AuthorizationDecision, auditEvent } from '../../audit-event.ts';
import { parameterOf } from '../../parameters.ts';
import { refreshedScope } from '../../scope-grant.ts';
import {
  formatRefreshToken,
  isAlive,
  parseRefreshToken,
  type RefreshFamily,
  type RefreshToken,
  refreshTokenDigest,
  successorOf,
} from '../refresh-token-family.ts';
import { refuseToken } from '../token-error.ts';
import type { GrantRequest, GrantType, MemberTokenServer, TokenAnswer } from './grant-type.ts';
import { accessLifetime, signTokens } from './sign-tokens.ts';
import { verifyRefreshToken } from './verify-refresh-token.ts';

/** A rotation lost to another is judged anew; that other's is seen by then. */
const mostAttempts = 3;

/** Refreshing an access token (RFC 6749 section 6), with rotation (RFC 9700 section 4.14.2). */
export const refreshToken: GrantType = {
  type: 'refresh_token',
  registeredAs: 'authorization_code',
  parameters: ['refresh_token'],
  async handle(server, request) {
    const text = parameterOf(request.parameters, 'refresh_token');
    if (text === undefined) {
      return refuseToken('invalid_request', 'refresh_token is missing', 'refresh_token_missing');
    }
    const token = parseRefreshToken(text);
    if (token === undefined) return await refuse(server, request, 'refresh_token_unknown');
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const answer = await present(server, request, token);
      if (answer !== 'family_changed') return answer;
    }
    return await refuse(server, request, 'refresh_token_contended');
  },
};

/** One look at the family, and what follows from it. */
async function present(
  server: MemberTokenServer,
  request: GrantRequest,
  token: RefreshToken,
): Promise<TokenAnswer | 'family_changed'> {
  const { lob, client, parameters } = request;
  const family = await server.tokens.family(lob, token.familyId);
  if (family === undefined) return await refuse(server, request, 'refresh_token_unknown');
  const sha256 = refreshTokenDigest(server.digests, token);
  const nowSeconds = Math.floor(server.now() / 1000);
  const verdict = verifyRefreshToken(family, sha256, client.clientId, nowSeconds, server.digests);
  if ('reason' in verdict) {
    if (!verdict.revokesGrant) return await refuse(server, request, verdict.reason, family);
    return await end(server, request, family, verdict.reason);
  }
  const scope = refreshedScope(family.scope, parameterOf(parameters, 'scope'));
  if (scope === undefined) {
    const refusal = refuseToken('invalid_scope', 'scope is wider than the granted scope', 'scope_widened');
    await record(server, request, family, { outcome: 'refused', reason: refusal.refusal.reason });
    return refusal;
  }
  if (await server.isAccountClosed(lob, family)) return await end(server, request, family, 'account_ended');
  return verdict.use === 'rotate'
    ? await rotate(server, request, family, token, scope)
    : await repeat(server, request, family, token, scope);
}

/** Signs first and commits then: a token is never used up without its successor. */
async function rotate(
  server: MemberTokenServer,
  request: GrantRequest,
  family: RefreshFamily,
  token: RefreshToken,
  scope: string,
): Promise<TokenAnswer | 'family_changed'> {
  const lifetime = accessLifetime(server, request, family.expiresAt);
  const salt = server.random.token();
  const successor = successorOf(server.digests, token, salt);
  const issued = await signTokens(server, request, { ...family, scope }, lifetime);
  const outcome = await server.tokens.rotate({
    lob: request.lob,
    family,
    sha256: refreshTokenDigest(server.digests, successor),
    salt,
    now: lifetime.iat,
    idleExpiresAt: Math.min(lifetime.iat + server.refreshIdleSeconds, family.expiresAt),
    audit: event(server, request, { outcome: 'succeeded' }, family),
  });
  if (outcome === 'grant_ended') return await refuse(server, request, 'grant_ended', family);
  if (outcome === 'family_changed') return outcome;
  return { issued: { ...issued, refresh_token: formatRefreshToken(successor) } };
}

/**
 * The token before the live one, within its grace: the same successor once more, and nothing changes. No lock is needed:
 * whatever happens meanwhile, that successor is the only one there ever was.
 */
async function repeat(
  server: MemberTokenServer,
  request: GrantRequest,
  family: RefreshFamily,
  token: RefreshToken,
  scope: string,
): Promise<TokenAnswer> {
  const { lob, client } = request;
  const lifetime = accessLifetime(server, request, family.expiresAt);
  const grant = await server.tokens.grant(lob, family.patientId, family.grantId);
  if (!isAlive(grant, client.clientId, lifetime.iat)) {
    return await refuse(server, request, 'grant_ended', family);
  }
  const successor = successorOf(server.digests, token, family.salt ?? '');
  const issued = await signTokens(server, request, { ...family, scope }, lifetime);
  await record(server, request, family, { outcome: 'succeeded', reason: 'repeated' });
  return { issued: { ...issued, refresh_token: formatRefreshToken(successor) } };
}

async function end(
  server: MemberTokenServer,
  request: GrantRequest,
  family: RefreshFamily,
  because: string,
): Promise<TokenAnswer> {
  const audit = event(server, request, { outcome: 'refused', reason: because }, family);
  await server.tokens.end({ lob: request.lob, reference: family, because, audit });
  return invalidGrant(because);
}

async function refuse(
  server: MemberTokenServer,
  request: GrantRequest,
  reason: string,
  family?: RefreshFamily,
): Promise<TokenAnswer> {
  await record(server, request, family, { outcome: 'refused', reason });
  return invalidGrant(reason);
}

/** One answer for all: who holds a stolen token learns nothing from it. */
function invalidGrant(reason: string): TokenAnswer {
  const description = 'the refresh token is unknown, expired, revoked, already used, or of another client';
  return refuseToken('invalid_grant', description, reason);
}

async function record(
  server: MemberTokenServer,
  request: GrantRequest,
  family: RefreshFamily | undefined,
  decision: Pick<AuthorizationDecision, 'outcome' | 'reason'>,
): Promise<void> {
  await server.audit.record(event(server, request, decision, family));
}

/** A known token's events lie with its patient, and name the client it was issued to. */
function event(
  { now, random }: MemberTokenServer,
  { client, context }: GrantRequest,
  decision: Pick<AuthorizationDecision, 'outcome' | 'reason'>,
  family: RefreshFamily | undefined,
) {
  const about =
    family === undefined
      ? { clientId: client.clientId }
      : { clientId: family.clientId, grantId: family.grantId, patientId: family.patientId };
  const who = { action: 'token.refresh', actor: client.clientId } as const;
  return auditEvent(context, { ...who, ...decision, ...about }, now(), random.uuid());
}
