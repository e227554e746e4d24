/** UserInfo endpoint (OpenID Connect Core). */

import { type EnvironmentOrigins, fhirBase } from '../../catalog/addresses.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { MemberAccessToken } from '../../catalog/oauth/access-token.ts';
import type { BearerErrorCode } from '../../catalog/oauth/oauth-errors.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { GrantRate } from '../../platform/kernel/rates.ts';
import type { AuditTrail } from '../oauth/audit-decision.ts';
import { type AuditContext, type AuditDecision, auditEvent } from '../oauth/audit-decision.ts';
import type { ClientReader } from '../oauth/client-ports.ts';
import { type Parameters, parameterOf, repeatedParameter } from '../oauth/parameters.ts';
import type { MemberAccessTokens } from '../oauth/token-ports.ts';
import { isAlive, type TokenStore } from './refresh-token-family.ts';

/** UserInfo response (OpenID Connect Core section 5.3.2), with SMART's `fhirUser` if it was granted. */
export interface UserInfo {
  readonly sub: string;
  readonly fhirUser?: string;
}

/** Refusal of a bearer token (RFC 6750 section 3.1); without an error code if no token was sent. */
export interface BearerRefusal {
  readonly error?: BearerErrorCode;
  /** Text for the application's developer; ASCII without `"` and `\`. */
  readonly description: string;
  /** Reason for the log. It is more specific than the error code, and not sent to the caller. */
  readonly reason: string;
  /** Present if there were too many requests with the grant's tokens: the response is 429. */
  readonly retryAfterSeconds?: number;
}

export type UserInfoAnswer = { readonly kind: 'disclosed'; readonly userInfo: UserInfo } | UserInfoRefusal;

interface UserInfoRefusal {
  readonly kind: 'refusal';
  readonly refusal: BearerRefusal;
}

export interface UserInfoServices {
  readonly origins: EnvironmentOrigins;
  readonly accessTokens: MemberAccessTokens;
  readonly tokens: Pick<TokenStore, 'grant'>;
  readonly clients: ClientReader;
  readonly audit: AuditTrail;
  readonly rate: GrantRate;
  readonly random: Pick<Random, 'uuid'>;
  readonly now: Clock;
}

export interface UserInfoRequest {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** Form parameters of the body; empty if there is no form. */
  readonly form: Parameters;
  readonly context: AuditContext;
}

/**
 * Handles the UserInfo endpoint of an LOB's authorization server (OpenID Connect Core section 5.3): returns claims about the member who
 * signed in while the grant is active. A decision on a valid token is stored in the audit before the response is sent.
 */
export async function userInfo(
  services: UserInfoServices,
  lob: LineOfBusiness,
  request: UserInfoRequest,
): Promise<UserInfoAnswer> {
  const presented = presentedToken(request);
  if (presented.kind === 'refusal') return presented;
  const claims = await services.accessTokens.verify(lob, presented.token);
  if (claims === undefined) return invalidToken('token_invalid');
  const asked = await services.rate(claims.grant);
  // Refusals for too many requests are not audited, because a flood would fill the audit (docs/audit.md).
  if (asked.kind === 'limited') return tooMany(asked.retryAfterSeconds);
  const answer = await discloseUserInfo(services, lob, claims);
  const { client_id: clientId, patient: patientId, grant: grantId } = claims;
  const decision: AuditDecision = {
    action: 'userinfo.read',
    actor: clientId,
    clientId,
    grantId,
    patientId,
    ...(answer.kind === 'disclosed'
      ? { outcome: 'disclosed' }
      : { outcome: 'refused', reason: answer.refusal.reason }),
  };
  await services.audit.record(auditEvent(request.context, decision, services.now(), services.random.uuid()));
  return answer;
}

/** Decides on a request with a valid token, and records the decision. */
async function discloseUserInfo(
  services: UserInfoServices,
  lob: LineOfBusiness,
  { client_id: clientId, sub, patient, grant: grantId, scope }: MemberAccessToken,
): Promise<UserInfoAnswer> {
  const [grant, client] = await Promise.all([
    services.tokens.grant(lob, patient, grantId),
    services.clients.find(clientId),
  ]);
  if (!isAlive(grant, clientId, services.now() / 1000)) return invalidToken('grant_ended');
  if (client?.state !== 'active' || !client.linesOfBusiness.includes(lob)) {
    return invalidToken('client_inactive');
  }
  const scopes = scope.split(' ');
  if (!scopes.includes('openid')) {
    const description = 'the token does not have the scope openid';
    return {
      kind: 'refusal',
      refusal: { error: 'insufficient_scope', description, reason: 'openid_not_granted' },
    };
  }
  const fhirUser = `${fhirBase(services.origins, lob, 'patient-access')}/Patient/${patient}`;
  // A personal representative has no resource that could be read, so there is no `fhirUser`.
  const isNamed = scopes.includes('fhirUser') && grant?.representative === undefined;
  return { kind: 'disclosed', userInfo: { sub, ...(isNamed && { fhirUser }) } };
}

/** Form of the `Authorization` header: a `b64token` (RFC 6750 section 2.1) after the case-insensitive scheme (RFC 9110 section 11.1). */
const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * The bearer token of a request, from the header or the form. Both at once are refused (RFC 6750 section 2), and a token in the address is
 * ignored.
 */
function presentedToken({
  authorization,
  form,
}: UserInfoRequest): { readonly kind: 'token'; readonly token: string } | UserInfoRefusal {
  if (repeatedParameter(form) !== undefined) return malformed('access_token was sent more than once');
  const inForm = parameterOf(form, 'access_token');
  const sent = authorization?.trim() ?? '';
  if (!/^Bearer\b/i.test(sent)) {
    const refusal = { description: 'the access token is missing', reason: 'token_missing' };
    return inForm === undefined ? { kind: 'refusal', refusal } : { kind: 'token', token: inForm };
  }
  if (inForm !== undefined) return malformed('the access token is in both the header and the body');
  const token = bearer.exec(sent)?.[1];
  return token === undefined
    ? malformed('the Authorization header has no bearer token')
    : { kind: 'token', token };
}

function malformed(description: string): UserInfoRefusal {
  return {
    kind: 'refusal',
    refusal: { error: 'invalid_request', description, reason: 'request_malformed' },
  };
}

function tooMany(retryAfterSeconds: number): UserInfoAnswer {
  const description = 'Too many requests. Wait and try again.';
  return {
    kind: 'refusal',
    refusal: { error: 'temporarily_unavailable', description, reason: 'rate_limited', retryAfterSeconds },
  };
}

/** Makes the same response for every refusal, so that the holder of a stolen token learns nothing. */
function invalidToken(reason: string): UserInfoAnswer {
  const description = 'the access token is unknown, expired, revoked, or of another line of business';
  return { kind: 'refusal', refusal: { error: 'invalid_token', description, reason } };
}
