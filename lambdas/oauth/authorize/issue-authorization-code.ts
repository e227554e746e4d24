import type { SignedInMember } from '../ports.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { AuthorizationServer } from './browser-request.ts';
import type { AuthorizationCode } from './interaction.ts';

/** What a code stands for. */
export interface AuthorizationCodeSubject {
  readonly request: AuthorizationRequest;
  readonly member: SignedInMember;
  /** When the member signed in, seconds since 1970. */
  readonly authTime: number;
  readonly grantId: string;
  readonly scope: string;
}

/** A code, and what the table has in its place. @param now seconds since 1970 */
export function createAuthorizationCode(
  {
    random,
    digests,
    authorizationCodeSeconds,
  }: Pick<AuthorizationServer, 'random' | 'digests' | 'authorizationCodeSeconds'>,
  { request, member, authTime, grantId, scope }: AuthorizationCodeSubject,
  now: number,
): { readonly text: string; readonly code: AuthorizationCode } {
  const text = random.token();
  const { clientId, redirectUri, codeChallenge, nonce } = request;
  const code: AuthorizationCode = {
    sha256: digests.sha256Hex(text),
    state: 'issued',
    ...{ clientId, redirectUri, codeChallenge, scope, nonce, grantId, authTime },
    sub: member.sub,
    patientId: member.patientId,
    expiresAt: now + authorizationCodeSeconds,
  };
  return { text, code };
}
