/** Authorization code grant of the token endpoint: redeems the code and sets the end date of the grant. */

import { includesOfflineAccess } from '../../catalog/oauth/scopes.ts';
import type { Digests } from '../../platform/kernel/digests.ts';
import type { AuthorizationStore } from '../authorize/authorization-store-port.ts';
import type { AuthorizationCode } from '../authorize/interaction.ts';
import type { AuditTrail } from '../oauth/audit-decision.ts';
import { type AuditDecision, aboutSubject, auditEvent } from '../oauth/audit-decision.ts';
import { parameterOf } from '../oauth/parameters.ts';
import type { GrantRequest, GrantType, TokenAnswer } from './grant-type.ts';
import { formatRefreshToken, newRefreshFamily } from './refresh-token-family.ts';
import { accessLifetime, type SigningServices, signTokens } from './sign-tokens.ts';
import { refuseToken } from './token-error.ts';
import {
  type AuthorizationCodeRefusal,
  authorizationCodeRefusals,
  verifyAuthorizationCode,
} from './verify-authorization-code.ts';

type CodeGrantServices = SigningServices & {
  readonly store: Pick<AuthorizationStore, 'code' | 'redeem' | 'end'>;
  readonly audit: AuditTrail;
  readonly digests: Digests;
  readonly grantSeconds: number;
  readonly refreshIdleSeconds: number;
};

/** Maximum characters of a code (codes of this service have 43). Longer text is not looked up. */
const longestCode = 128;

/** Authorization code grant (RFC 6749 section 4.1.3), with PKCE (RFC 7636). */
export const authorizationCode: GrantType = {
  type: 'authorization_code',
  registeredAs: 'authorization_code',
  parameters: ['code', 'redirect_uri', 'code_verifier'],
  async handle(services, request) {
    const { parameters, lob, client } = request;
    const presented = parameterOf(parameters, 'code');
    if (presented === undefined) return refuseToken('invalid_request', 'code is missing', 'code_missing');
    if (parameterOf(parameters, 'redirect_uri') === undefined) {
      return refuseToken('invalid_request', 'redirect_uri is missing', 'redirect_uri_missing');
    }
    const sha256 = services.digests.sha256Hex(presented);
    const code = presented.length > longestCode ? undefined : await services.store.code(lob, sha256);
    if (code === undefined) return await refuse(services, request, 'code_unknown');
    const nowSeconds = Math.floor(services.now() / 1000);
    const wrong = verifyAuthorizationCode(code, client, parameters, nowSeconds, services.digests);
    if (wrong === undefined) return await redeem(services, request, code);
    return await end(services, request, code, wrong);
  },
};

/** Redeems a code. The tokens are signed before the code is written as used, so that no code is used up without a token. */
async function redeem(
  services: CodeGrantServices,
  request: GrantRequest,
  code: AuthorizationCode,
): Promise<TokenAnswer> {
  const { lob, client } = request;
  // The end of a grant that is active already, and of a representation, limits the tokens.
  const lifetime = accessLifetime(services, request, endOf(code));
  const { iat: now } = lifetime;
  const refreshable = includesOfflineAccess(code.scope) ? issueRefreshToken(services, code, now) : undefined;
  const issued = await signTokens(services, request, code, lifetime);
  const redeemed = await services.store.redeem({
    lob,
    code,
    now,
    grantExpiresAt: refreshable?.family.expiresAt ?? lifetime.exp,
    ...(refreshable && { family: refreshable.family }),
    audit: event(services, request, { outcome: 'succeeded', actor: client.clientId }, code),
  });
  if (redeemed === 'grant_ended') return await refuse(services, request, 'grant_ended', code);
  // A concurrent redemption was first, so this one counts as a replay.
  if (redeemed === 'code_used') return await end(services, request, code, 'code_replayed');
  return {
    kind: 'issued',
    issued: { ...issued, ...(refreshable && { refresh_token: formatRefreshToken(refreshable.token) }) },
  };
}

function issueRefreshToken(
  {
    digests,
    random,
    grantSeconds,
    refreshIdleSeconds,
  }: Pick<CodeGrantServices, 'digests' | 'random' | 'grantSeconds' | 'refreshIdleSeconds'>,
  code: AuthorizationCode,
  now: number,
) {
  const lifetime = Math.min(code.grantSeconds ?? grantSeconds, grantSeconds);
  const expiresAt = code.grantExpiresAt ?? Math.min(now + lifetime, endOfRepresentation(code));
  const idleSeconds = Math.min(refreshIdleSeconds, expiresAt - now);
  return newRefreshFamily(digests, random, code, { now, idleSeconds, expiresAt });
}

/**
 * The latest second of the code's access, seconds since 1970: the end of its active grant or of the representation. Infinity if neither
 * limits it.
 */
function endOf(code: AuthorizationCode): number {
  return Math.min(code.grantExpiresAt ?? Number.POSITIVE_INFINITY, endOfRepresentation(code));
}

/** The first second after the representation, seconds since 1970; Infinity if it has no end. */
function endOfRepresentation({ representedBy }: AuthorizationCode): number {
  return (representedBy?.until ?? Number.POSITIVE_INFINITY) + 1;
}

async function end(
  services: CodeGrantServices,
  request: GrantRequest,
  code: AuthorizationCode,
  because: AuthorizationCodeRefusal,
): Promise<TokenAnswer> {
  const ends = authorizationCodeRefusals[because];
  if (ends === 'nothing') return await refuse(services, request, because, code);
  const decision = { outcome: 'refused', actor: request.client.clientId, reason: because } as const;
  await services.store.end({
    lob: request.lob,
    code,
    because,
    ends,
    now: Math.floor(services.now() / 1000),
    audit: event(services, request, decision, code),
  });
  return invalidGrant(because);
}

async function refuse(
  services: CodeGrantServices,
  request: GrantRequest,
  reason: string,
  code?: AuthorizationCode,
): Promise<TokenAnswer> {
  const decision = { outcome: 'refused', actor: request.client.clientId, reason } as const;
  await services.audit.record(event(services, request, decision, code));
  return invalidGrant(reason);
}

/** Makes the same response for every refusal, so that the holder of a stolen code learns nothing. */
function invalidGrant(reason: string): TokenAnswer {
  const description =
    'the code is unknown, expired, already used, or was issued for another client, redirect_uri or code_verifier';
  return refuseToken('invalid_grant', description, reason);
}

/**
 * Makes the audit event. If the code is known, the event belongs to the code's patient and names the client that the code was issued to.
 */
function event(
  { now, random }: Pick<CodeGrantServices, 'now' | 'random'>,
  { client, context }: GrantRequest,
  decision: Pick<AuditDecision, 'outcome' | 'actor' | 'reason'>,
  code: AuthorizationCode | undefined,
) {
  const about =
    code === undefined
      ? { clientId: client.clientId }
      : { clientId: code.clientId, grantId: code.grantId, ...aboutSubject(code) };
  return auditEvent(context, { action: 'token.issue', ...decision, ...about }, now(), random.uuid());
}
