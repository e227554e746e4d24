/** Handles the refresh token grant (RFC 6749 §6): rotates the refresh token and issues an access token. */

import type { Digests } from '../../platform/kernel/digests.ts';
import type { AuditTrail } from '../oauth/audit-decision.ts';
import { type AuditDecision, aboutSubject, auditEvent } from '../oauth/audit-decision.ts';
import type { IsAccountClosed } from '../oauth/member-account.ts';
import { parameterOf } from '../oauth/parameters.ts';
import { refreshedScope } from '../oauth/scope-grant.ts';
import type { GrantRequest, GrantType, TokenAnswer } from './grant-type.ts';
import {
  formatRefreshToken,
  isAlive,
  parseRefreshToken,
  type RefreshFamily,
  type RefreshToken,
  refreshTokenDigest,
  successorOf,
  type TokenStore,
} from './refresh-token-family.ts';
import { accessLifetime, type SigningServices, signTokens } from './sign-tokens.ts';
import { refuseToken } from './token-error.ts';
import { verifyRefreshToken } from './verify-refresh-token.ts';

type RefreshGrantServices = SigningServices & {
  readonly tokens: TokenStore;
  readonly isAccountClosed: IsAccountClosed;
  readonly audit: AuditTrail;
  readonly digests: Digests;
  readonly refreshIdleSeconds: number;
};

/** A concurrent rotation changed the family, so the token has to be verified again. */
interface FamilyChanged {
  readonly kind: 'family_changed';
}

/** Maximum attempts of one request. After a concurrent rotation the token is verified again. */
const mostAttempts = 3;

/** Refresh token grant (RFC 6749 section 6), with rotation (RFC 9700 section 4.14.2). */
export const refreshToken: GrantType = {
  type: 'refresh_token',
  registeredAs: 'authorization_code',
  parameters: ['refresh_token'],
  async handle(services, request) {
    const text = parameterOf(request.parameters, 'refresh_token');
    if (text === undefined) {
      return refuseToken('invalid_request', 'refresh_token is missing', 'refresh_token_missing');
    }
    const token = parseRefreshToken(text);
    if (token === undefined) return await refuse(services, request, 'refresh_token_unknown');
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const answer = await redeem(services, request, token);
      if (answer.kind !== 'family_changed') return answer;
    }
    return await refuse(services, request, 'refresh_token_contended');
  },
};

/** Verifies the token against its current family, then rotates it, repeats its successor, or refuses. */
async function redeem(
  services: RefreshGrantServices,
  request: GrantRequest,
  token: RefreshToken,
): Promise<TokenAnswer | FamilyChanged> {
  const { lob, client, parameters } = request;
  const family = await services.tokens.family(lob, token.familyId);
  if (family === undefined) return await refuse(services, request, 'refresh_token_unknown');
  const sha256 = refreshTokenDigest(services.digests, token);
  const nowSeconds = Math.floor(services.now() / 1000);
  const verdict = verifyRefreshToken(family, sha256, client.clientId, nowSeconds, services.digests);
  if (verdict.kind === 'refusal') {
    if (!verdict.revokesGrant) return await refuse(services, request, verdict.reason, family);
    return await end(services, request, family, verdict.reason);
  }
  const scope = refreshedScope(family.scope, family.requestedScope, parameterOf(parameters, 'scope'));
  if (scope === undefined) {
    const refusal = refuseToken(
      'invalid_scope',
      'scope asks for more than the authorization request did, or for nothing that was granted',
      'scope_widened',
    );
    await record(services, request, family, { outcome: 'refused', reason: refusal.refusal.reason });
    return refusal;
  }
  if (await services.isAccountClosed(lob, family))
    return await end(services, request, family, 'account_ended');
  return verdict.kind === 'current'
    ? await rotate(services, request, family, token, scope)
    : await repeat(services, request, family, token, scope);
}

/** Rotates the live token. The tokens are signed before the rotation is written, so that no token is used up without its successor. */
async function rotate(
  services: RefreshGrantServices,
  request: GrantRequest,
  family: RefreshFamily,
  token: RefreshToken,
  scope: string,
): Promise<TokenAnswer | FamilyChanged> {
  const lifetime = accessLifetime(services, request, family.expiresAt);
  const salt = services.random.token();
  const successor = successorOf(services.digests, token, salt);
  const issued = await signTokens(services, request, { ...family, scope }, lifetime);
  const outcome = await services.tokens.rotate({
    lob: request.lob,
    family,
    sha256: refreshTokenDigest(services.digests, successor),
    salt,
    now: lifetime.iat,
    idleExpiresAt: Math.min(lifetime.iat + services.refreshIdleSeconds, family.expiresAt),
    audit: event(services, request, { outcome: 'succeeded' }, family),
  });
  if (outcome === 'grant_ended') return await refuse(services, request, 'grant_ended', family);
  if (outcome === 'family_changed') return { kind: outcome };
  return { kind: 'issued', issued: { ...issued, refresh_token: formatRefreshToken(successor) } };
}

/**
 * Returns the same successor again for the previous token, within its grace period, and writes nothing. No lock is needed, because a token
 * has only one successor.
 */
async function repeat(
  services: RefreshGrantServices,
  request: GrantRequest,
  family: RefreshFamily,
  token: RefreshToken,
  scope: string,
): Promise<TokenAnswer> {
  const { lob, client } = request;
  const lifetime = accessLifetime(services, request, family.expiresAt);
  const grant = await services.tokens.grant(lob, family.patientId, family.grantId);
  if (!isAlive(grant, client.clientId, lifetime.iat)) {
    return await refuse(services, request, 'grant_ended', family);
  }
  const successor = successorOf(services.digests, token, family.salt ?? '');
  const issued = await signTokens(services, request, { ...family, scope }, lifetime);
  await record(services, request, family, { outcome: 'succeeded', reason: 'repeated' });
  return { kind: 'issued', issued: { ...issued, refresh_token: formatRefreshToken(successor) } };
}

async function end(
  services: RefreshGrantServices,
  request: GrantRequest,
  family: RefreshFamily,
  because: string,
): Promise<TokenAnswer> {
  const audit = event(services, request, { outcome: 'refused', reason: because }, family);
  await services.tokens.end({ lob: request.lob, reference: family, because, audit });
  return invalidGrant(because);
}

async function refuse(
  services: RefreshGrantServices,
  request: GrantRequest,
  reason: string,
  family?: RefreshFamily,
): Promise<TokenAnswer> {
  await record(services, request, family, { outcome: 'refused', reason });
  return invalidGrant(reason);
}

/** Makes the same response for every refusal, so that the holder of a stolen token learns nothing. */
function invalidGrant(reason: string): TokenAnswer {
  const description = 'the refresh token is unknown, expired, revoked, already used, or of another client';
  return refuseToken('invalid_grant', description, reason);
}

async function record(
  services: RefreshGrantServices,
  request: GrantRequest,
  family: RefreshFamily | undefined,
  decision: Pick<AuditDecision, 'outcome' | 'reason'>,
): Promise<void> {
  await services.audit.record(event(services, request, decision, family));
}

/**
 * Makes the audit event. If the token is known, the event belongs to the token's patient and names the client that the token was issued to.
 */
function event(
  { now, random }: Pick<RefreshGrantServices, 'now' | 'random'>,
  { client, context }: GrantRequest,
  decision: Pick<AuditDecision, 'outcome' | 'reason'>,
  family: RefreshFamily | undefined,
) {
  const about =
    family === undefined
      ? { clientId: client.clientId }
      : { clientId: family.clientId, grantId: family.grantId, ...aboutSubject(family) };
  const who = { action: 'token.refresh', actor: client.clientId } as const;
  return auditEvent(context, { ...who, ...decision, ...about }, now(), random.uuid());
}
