import type { MemberAccessToken } from '../../catalog/access-token.ts';
import { type EnvironmentOrigins, fhirBase } from '../../catalog/addresses.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { BearerErrorCode } from '../../catalog/oauth-errors.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Random } from '../../kernel/random.ts';
import type { GrantRate } from '../../kernel/rates.ts';
import { type AuditContext, type AuthorizationDecision, auditEvent } from '../audit-event.ts';
import { type Parameters, parameterOf, repeatedAmong } from '../parameters.ts';
import type { AuthorizationAuditTrail, ClientStore, MemberAccessTokens } from '../ports.ts';
import { isAlive, type TokenStore } from './refresh-token-family.ts';

/** OpenID Connect Core section 5.3.2, with SMART's `fhirUser` where it was granted. */
export interface UserInfo {
  readonly sub: string;
  readonly fhirUser?: string;
}

/** RFC 6750 section 3.1. Without an error where no token was sent: there is nothing to say of it. */
export interface BearerRefusal {
  readonly error?: BearerErrorCode;
  /** For the application's developer; ASCII without `"` and `\`. */
  readonly description: string;
  /** For the log; finer than the code, and not told to the caller. */
  readonly reason: string;
  /** Present where the grant's tokens asked too often: the answer is 429. */
  readonly retryAfterSeconds?: number;
}

export type UserInfoAnswer = { readonly userInfo: UserInfo } | { readonly refusal: BearerRefusal };

export interface UserInfoServer {
  readonly origins: EnvironmentOrigins;
  readonly accessTokens: MemberAccessTokens;
  readonly tokens: Pick<TokenStore, 'grant'>;
  readonly clients: ClientStore;
  readonly audit: AuthorizationAuditTrail;
  readonly rate: GrantRate;
  readonly random: Pick<Random, 'uuid'>;
  readonly now: Clock;
}

export interface UserInfoRequest {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The body's form; empty where there is none. */
  readonly form: Parameters;
  readonly context: AuditContext;
}

/**
 * The UserInfo endpoint of a LOB's authorization server (OpenID Connect Core section 5.3): who signed in, as the id_token said,
 * for as long as the grant lives. What is decided about a token of ours is on record before the answer leaves.
 */
export async function userInfo(
  server: UserInfoServer,
  lob: LineOfBusiness,
  request: UserInfoRequest,
): Promise<UserInfoAnswer> {
  const presented = presentedToken(request);
  if (typeof presented !== 'string') return { refusal: presented };
  const claims = await server.accessTokens.verify(lob, presented);
  if (claims === undefined) return invalidToken('token_invalid');
  const asked = await server.rate(claims.grant);
  // Not on record: it would fill with what is asked too often (docs/audit.md).
  if (!asked.allowed) return tooMany(asked.retryAfterSeconds);
  const answer = await answerOf(server, lob, claims);
  const { client_id: clientId, patient: patientId, grant: grantId } = claims;
  const decision: AuthorizationDecision = {
    ...{ action: 'userinfo.read', actor: clientId, clientId, grantId, patientId },
    ...('userInfo' in answer
      ? { outcome: 'disclosed' }
      : { outcome: 'refused', reason: answer.refusal.reason }),
  };
  await server.audit.record(auditEvent(request.context, decision, server.now(), server.random.uuid()));
  return answer;
}

/** What the holder of a token of ours, in its time, is told. */
async function answerOf(
  server: UserInfoServer,
  lob: LineOfBusiness,
  { client_id: clientId, sub, patient, grant: grantId, scope }: MemberAccessToken,
): Promise<UserInfoAnswer> {
  const [grant, client] = await Promise.all([
    server.tokens.grant(lob, patient, grantId),
    server.clients.find(clientId),
  ]);
  if (!isAlive(grant, clientId, server.now() / 1000)) return invalidToken('grant_ended');
  if (client?.state !== 'active' || !client.linesOfBusiness.includes(lob)) {
    return invalidToken('client_inactive');
  }
  const scopes = scope.split(' ');
  if (!scopes.includes('openid')) {
    const description = 'the token does not have the scope openid';
    return { refusal: { error: 'insufficient_scope', description, reason: 'openid_not_granted' } };
  }
  const fhirUser = `${fhirBase(server.origins, lob, 'patient-access')}/Patient/${patient}`;
  return { userInfo: { sub, ...(scopes.includes('fhirUser') && { fhirUser }) } };
}

/** `b64token` of RFC 6750 section 2.1; a scheme's name is case-insensitive (RFC 9110 section 11.1). */
const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** A token comes in the header or in the form, never in both (RFC 6750 section 2) nor in the address. */
function presentedToken({ authorization, form }: UserInfoRequest): string | BearerRefusal {
  if (repeatedAmong(form, ['access_token']) !== undefined)
    return malformed('access_token was sent more than once');
  const inForm = parameterOf(form, 'access_token');
  const sent = authorization?.trim() ?? '';
  if (!/^Bearer\b/i.test(sent)) {
    return inForm ?? { description: 'the access token is missing', reason: 'token_missing' };
  }
  if (inForm !== undefined) return malformed('the access token is in both the header and the body');
  return bearer.exec(sent)?.[1] ?? malformed('the Authorization header has no bearer token');
}

function malformed(description: string): BearerRefusal {
  return { error: 'invalid_request', description, reason: 'request_malformed' };
}

function tooMany(retryAfterSeconds: number): UserInfoAnswer {
  const description = 'Too many requests. Wait and try again.';
  return {
    refusal: { error: 'temporarily_unavailable', description, reason: 'rate_limited', retryAfterSeconds },
  };
}

/** One answer for all: who holds a stolen token learns nothing from it. */
function invalidToken(reason: string): UserInfoAnswer {
  const description = 'the access token is unknown, expired, revoked, or of another line of business';
  return { refusal: { error: 'invalid_token', description, reason } };
}
