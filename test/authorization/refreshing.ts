import type { AuthorizationCode } from '../../lambdas/authorization/authorize/interaction.ts';
import type { OAuthClient } from '../../lambdas/authorization/oauth/oauth-client.ts';
import type { TokenAnswer, TokenResponse } from '../../lambdas/authorization/token/grant-type.ts';
import { issueMemberToken } from '../../lambdas/authorization/token/token-endpoint.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { rfc7636, theRedirectUri } from './builders.ts';
import { basic } from './journey.ts';
import type { MemoryServer } from './memory-server.ts';

/** Parameters of a request: undefined removes one, a list repeats it. */
export type Changes = Readonly<Record<string, string | readonly string[] | undefined>>;

export function parametersOf(changes: Changes): ReadonlyMap<string, readonly string[]> {
  const several = Object.entries(changes).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? [value] : value] as const],
  );
  return new Map(several);
}

export function requestOf(changes: Changes, client: OAuthClient, lob: LineOfBusiness = 'DSNP') {
  const isPublic = client.tokenEndpointAuthMethod === 'none';
  return {
    parameters: parametersOf(isPublic ? { client_id: client.clientId, ...changes } : changes),
    authorization: isPublic ? undefined : basic(client.clientId),
    context: { environment: 'sandbox', lob, requestId: 'request-1' },
  } as const;
}

/** Redeems a new code of a member who agreed to long-term access. */
export async function lastingTokens(
  server: MemoryServer,
  client: OAuthClient,
  changes: Partial<AuthorizationCode> = {},
): Promise<TokenResponse & { readonly refresh_token: string }> {
  const code = server.issueCode(client, { scope: 'openid patient/*.read offline_access', ...changes });
  const request = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: theRedirectUri,
    code_verifier: rfc7636.verifier,
  };
  const answer = await issueMemberToken(server, 'DSNP', requestOf(request, client));
  if (answer.kind !== 'issued' || answer.issued.refresh_token === undefined)
    throw new Error('no refresh token');
  return { ...answer.issued, refresh_token: answer.issued.refresh_token };
}

export async function refresh(
  server: MemoryServer,
  client: OAuthClient,
  token: string,
  changes: Changes = {},
  lob: LineOfBusiness = 'DSNP',
): Promise<TokenAnswer> {
  const request = { grant_type: 'refresh_token', refresh_token: token, ...changes };
  return await issueMemberToken(server, lob, requestOf(request, client, lob));
}

/**
 * The tokens of an answer.
 *
 * @throws Error with the reason if the answer is a refusal
 */
export function issuedBy(answer: TokenAnswer): TokenResponse {
  if (answer.kind === 'issued') return answer.issued;
  throw new Error(`refused: ${answer.refusal.error} ${answer.refusal.reason}`);
}

/** `<error> <reason>` of a refusal, or `issued`. */
export function verdictOf(answer: TokenAnswer): string {
  return answer.kind === 'issued' ? 'issued' : `${answer.refusal.error} ${answer.refusal.reason}`;
}
