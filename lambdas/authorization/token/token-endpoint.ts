/** Token endpoint of a LOB's authorization server. */

import { fhirBase } from '../../catalog/addresses.ts';
import type { AuditAction } from '../../catalog/audit-actions.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { type AuditContext, auditEvent } from '../oauth/audit-event.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import { type Parameters, parameterOf, valuesOf } from '../oauth/parameters.ts';
import {
  type Authenticated,
  authenticateClient,
  type ClientAuthentication,
} from './client-authentication.ts';
import { credentialParameters } from './client-credentials.ts';
import { authorizationCode } from './grants/authorization-code-grant.ts';
import type { GrantType, MemberTokenServer, TokenAnswer, TokenServer } from './grants/grant-type.ts';
import { refreshToken } from './grants/refresh-token-grant.ts';
import { parseRefreshToken, type TokenStore } from './refresh-token-family.ts';
import { requestedLifetime } from './requested-lifetime.ts';
import { refuseToken, type TokenErrorResponse, type TokenRefusal } from './token-error.ts';

/** A request to a token, revocation or introspection endpoint. */
export interface TokenRequest {
  readonly parameters: Parameters;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  readonly context: AuditContext;
}

/** Grant types of an LOB's token endpoint. */
const grantTypes: readonly GrantType[] = [authorizationCode, refreshToken];

/** Handles the token endpoint of an LOB's authorization server (RFC 6749 section 3.2). */
export async function issueMemberToken(
  server: MemberTokenServer,
  lob: LineOfBusiness,
  request: TokenRequest,
): Promise<TokenAnswer> {
  const { parameters, context } = request;
  const authenticated = await authenticateTokenClient(server, lob, request);
  if (authenticated.kind === 'refusal') {
    return await refuseAndRecord(server, context, authenticated.refusal, authenticated.claimed);
  }
  const { client } = authenticated;
  const name = parameterOf(parameters, 'grant_type');
  if (name === undefined)
    return refuseToken('invalid_request', 'grant_type is missing', 'grant_type_missing');
  const grantType = grantTypes.find(({ type }) => type === name);
  const refusal =
    grantType === undefined
      ? unsupported(grantTypes)
      : (notRegistered(client, lob, grantType.registeredAs) ?? foreignResource(server, lob, parameters));
  if (grantType === undefined || refusal !== undefined) {
    return await refuseAndRecord(server, context, refusal ?? unsupported(grantTypes), client);
  }
  const lifetime = requestedLifetime(parameters, server.accessTokenSeconds);
  if (lifetime.kind === 'refusal') return await refuseAndRecord(server, context, lifetime.refusal, client);
  const { seconds: accessTokenSeconds } = lifetime;
  return await grantType.handle(server, { lob, client, parameters, context, accessTokenSeconds });
}

/**
 * Authenticates the client of a token request. A public client may refresh without `client_id`: it proves nothing (RFC 6749
 * section 3.2.1 asks a client that doesn't authenticate for it where a code is redeemed), and the refresh token names its
 * client. A confidential client's refresh token brings it no further than to a failed authentication.
 */
async function authenticateTokenClient(
  server: ClientAuthentication & { readonly tokens: Pick<TokenStore, 'family'> },
  lob: LineOfBusiness,
  { parameters, authorization }: TokenRequest,
): Promise<Authenticated> {
  const authenticate = (named: Parameters) => authenticateClient(server, named, authorization);
  const text = parameterOf(parameters, 'refresh_token') ?? '';
  const token = parseRefreshToken(text);
  const anonymous =
    authorization === undefined &&
    credentialParameters.every((name) => valuesOf(parameters, name).length === 0);
  if (!anonymous || token === undefined || parameterOf(parameters, 'grant_type') !== 'refresh_token')
    return await authenticate(parameters);
  const family = await server.tokens.family(lob, token.familyId);
  return await authenticate(
    family === undefined ? parameters : new Map([...parameters, ['client_id', [family.clientId]]]),
  );
}

/** RFC 8707 section 2: `resource` may come more than once; every token here is for the LOB's own FHIR base. */
function foreignResource(
  { origins }: Pick<TokenServer, 'origins'>,
  lob: LineOfBusiness,
  parameters: Parameters,
): TokenErrorResponse | undefined {
  const ours = fhirBase(origins, lob, 'patient-access');
  const named = valuesOf(parameters, 'resource').every((sent) => sent === ours || sent === `${ours}/`);
  return named
    ? undefined
    : refuseToken('invalid_target', `resource must be ${ours}`, 'resource_foreign').refusal;
}

function unsupported(supported: readonly GrantType[]): TokenErrorResponse {
  const names = supported.map(({ type }) => type).join(' or ');
  return refuseToken('unsupported_grant_type', `grant_type must be ${names}`, 'grant_type_unsupported')
    .refusal;
}

/** RFC 6749 section 5.2: `unauthorized_client`. */
function notRegistered(
  client: OAuthClient,
  lob: LineOfBusiness,
  type: GrantType['registeredAs'],
): TokenErrorResponse | undefined {
  if (!client.grantTypes.includes(type)) {
    const description = `the application is not registered for grant type ${type}`;
    return refuseToken('unauthorized_client', description, 'grant_type_not_registered').refusal;
  }
  if (client.linesOfBusiness.includes(lob)) return undefined;
  const description = `the application is not registered for ${lob}`;
  return refuseToken('unauthorized_client', description, 'lob_not_registered').refusal;
}

/**
 * Refuses a token request, and records the refusal if the application is registered. Guesses of strangers are only logged, because they
 * could fill the audit.
 */
export async function refuseAndRecord(
  server: Pick<TokenServer, 'audit' | 'now' | 'random'>,
  context: AuditContext,
  refusal: TokenErrorResponse,
  client: OAuthClient | undefined,
): Promise<TokenRefusal> {
  await recordRefusal(server, context, 'token.issue', refusal, client);
  return { kind: 'refusal', refusal };
}

/** Records the refusal of a registered application's request. */
export async function recordRefusal(
  { audit, now, random }: Pick<TokenServer, 'audit' | 'now' | 'random'>,
  context: AuditContext,
  action: AuditAction,
  refusal: TokenErrorResponse,
  client: OAuthClient | undefined,
): Promise<void> {
  if (client !== undefined) {
    const { clientId } = client;
    const decision = { action, outcome: 'refused', reason: refusal.reason } as const;
    await audit.record(auditEvent(context, { ...decision, actor: clientId, clientId }, now(), random.uuid()));
  }
}
