/** Creates the authorization code that the browser takes back to the application: after consent, or at once for `prompt=none`. */

import type { Digests } from '../../platform/kernel/digests.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { SignedInMember } from '../oauth/member-account.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { AuthorizationCode } from './interaction.ts';

/** Services that make an authorization code. */
export interface AuthorizationCodeServices {
  readonly random: Pick<Random, 'token'>;
  readonly digests: Digests;
  /** Lifetime of an authorization code. */
  readonly authorizationCodeSeconds: number;
}

/** The authorization that a code stands for. */
export interface AuthorizationCodeSubject {
  readonly request: AuthorizationRequest;
  readonly member: SignedInMember;
  /** Time of the sign-in, seconds since 1970. */
  readonly authTime: number;
  readonly grantId: string;
  readonly scope: string;
  /** Lifetime of the grant, where the member chose it. */
  readonly grantSeconds?: number | undefined;
}

/** Makes an authorization code and the item that the table has in its place. @param now seconds since 1970 */
export function createAuthorizationCode(
  { random, digests, authorizationCodeSeconds }: AuthorizationCodeServices,
  { request, member, authTime, grantId, scope, grantSeconds }: AuthorizationCodeSubject,
  now: number,
): { readonly text: string; readonly code: AuthorizationCode } {
  const text = random.token();
  const { clientId, redirectUri, codeChallenge, nonce, requestedScope } = request;
  const code: AuthorizationCode = {
    sha256: digests.sha256Hex(text),
    state: 'issued',
    clientId,
    redirectUri,
    codeChallenge,
    scope,
    requestedScope,
    nonce,
    grantId,
    authTime,
    ...(grantSeconds !== undefined && { grantSeconds }),
    sub: member.sub,
    patientId: member.patientId,
    ...representedBy(member),
    expiresAt: now + authorizationCodeSeconds,
  };
  return { text, code };
}

/** The reference of a code to the personal representative behind it, without the name. */
function representedBy({ representative }: SignedInMember): Pick<AuthorizationCode, 'representedBy'> {
  if (representative === undefined) return {};
  const { representativeId, until } = representative;
  return { representedBy: { representativeId, ...(until !== undefined && { until }) } };
}
