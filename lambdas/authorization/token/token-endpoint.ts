/** Token endpoint of a LOB's authorization server. */

import { fhirBase } from '../../catalog/addresses.ts';
import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';
import { type Parameters, parameterOf, valuesOf } from '../oauth/parameters.ts';
import { authorizationCode } from './authorization-code-grant.ts';
import { authenticateRecorded, recordRefusal, type TokenRequest } from './client-authentication.ts';
import { credentialParameters } from './client-credentials.ts';
import { demonstrationGrant } from './demonstration-grant.ts';
import type { GrantType, MemberTokenServer, TokenAnswer, TokenServer } from './grant-type.ts';
import { parseRefreshToken, type TokenStore } from './refresh-token-family.ts';
import { refreshToken } from './refresh-token-grant.ts';
import { requestedLifetime } from './requested-lifetime.ts';
import { refuseToken, type TokenRefusal } from './token-error.ts';

/** Grant types of an LOB's token endpoint, for applications. */
const grantTypes: readonly GrantType[] = [authorizationCode, refreshToken];

/** Further grant types of an environment. Production has none, so nothing but a member's consent leads to a member's data. */
const furtherGrantTypes: Readonly<Record<Environment, readonly GrantType[]>> = {
  sandbox: [demonstrationGrant],
  production: [],
};

/** Handles the token endpoint of an LOB's authorization server (RFC 6749 section 3.2). */
export async function issueMemberToken(
  server: MemberTokenServer,
  lob: LineOfBusiness,
  request: TokenRequest,
): Promise<TokenAnswer> {
  const { parameters, context } = request;
  const named = await withClientOfToken(server, lob, request);
  const authenticated = await authenticateRecorded(server, 'token.issue', named);
  if (authenticated.kind === 'refusal') return authenticated;
  const { client } = authenticated;
  const refuse = (refusal: TokenRefusal) => recordRefusal(server, context, 'token.issue', refusal, client);
  const name = parameterOf(parameters, 'grant_type');
  if (name === undefined)
    return refuseToken('invalid_request', 'grant_type is missing', 'grant_type_missing');
  const known = [...grantTypes, ...furtherGrantTypes[context.environment]];
  const grantType = known.find(({ type }) => type === name);
  if (grantType === undefined) return await refuse(unsupported);
  const refusal =
    notRegistered(client, lob, grantType.registeredAs) ?? foreignResource(server, lob, parameters);
  if (refusal !== undefined) return await refuse(refusal);
  const lifetime = requestedLifetime(parameters, server.accessTokenSeconds);
  if (lifetime.kind === 'refusal') return await refuse(lifetime);
  const { seconds: accessTokenSeconds } = lifetime;
  return await grantType.handle(server, { lob, client, parameters, context, accessTokenSeconds });
}

/**
 * Adds the client ID of the refresh token to a refresh without `client_id`. A public client may leave it out: RFC 6749 section 3.2.1
 * requires it only when a code is redeemed, and it proves nothing. For a confidential client the request then fails, as it has no
 * credentials.
 */
async function withClientOfToken(
  { tokens }: { readonly tokens: Pick<TokenStore, 'family'> },
  lob: LineOfBusiness,
  request: TokenRequest,
): Promise<TokenRequest> {
  const { parameters, authorization } = request;
  const token = parseRefreshToken(parameterOf(parameters, 'refresh_token') ?? '');
  const anonymous =
    authorization === undefined &&
    credentialParameters.every((name) => valuesOf(parameters, name).length === 0);
  if (!anonymous || token === undefined || parameterOf(parameters, 'grant_type') !== 'refresh_token')
    return request;
  const family = await tokens.family(lob, token.familyId);
  return family === undefined
    ? request
    : { ...request, parameters: new Map([...parameters, ['client_id', [family.clientId]]]) };
}

/**
 * Refuses a `resource` other than the LOB's FHIR base, the audience of every token here. `resource` may be repeated (RFC 8707 section 2).
 */
function foreignResource(
  { origins }: Pick<TokenServer, 'origins'>,
  lob: LineOfBusiness,
  parameters: Parameters,
): TokenRefusal | undefined {
  const ours = fhirBase(origins, lob, 'patient-access');
  const named = valuesOf(parameters, 'resource').every((sent) => sent === ours || sent === `${ours}/`);
  return named ? undefined : refuseToken('invalid_target', `resource must be ${ours}`, 'resource_foreign');
}

const unsupported = refuseToken(
  'unsupported_grant_type',
  `grant_type must be ${grantTypes.map(({ type }) => type).join(' or ')}`,
  'grant_type_unsupported',
);

/** Refuses a grant type or an LOB that the client is not registered for: `unauthorized_client` (RFC 6749 section 5.2). */
function notRegistered(
  client: OAuthClient,
  lob: LineOfBusiness,
  type: GrantType['registeredAs'],
): TokenRefusal | undefined {
  if (!client.grantTypes.includes(type)) {
    const description = `the application is not registered for grant type ${type}`;
    return refuseToken('unauthorized_client', description, 'grant_type_not_registered');
  }
  if (client.linesOfBusiness.includes(lob)) return undefined;
  const description = `the application is not registered for ${lob}`;
  return refuseToken('unauthorized_client', description, 'lob_not_registered');
}
