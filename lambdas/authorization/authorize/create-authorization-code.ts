/** Creates the authorization code that the browser takes back to the application: after consent, or at once for `prompt=none`. */

import type { Digests } from '../../platform/kernel/digests.ts';
import type { SignedInMember } from '../oauth/member-account.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { AuthorizationCode } from './interaction.ts';

export interface AuthorizationCodeServices {
  readonly digests: Digests;
  /** Seconds that an authorization code is valid. */
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
  /** Seconds that the grant lasts, if the member chose a duration. */
  readonly grantSeconds?: number | undefined;
}

/**
 * Makes the item to store for an authorization code. It has the SHA-256 of the code's text only.
 *
 * @param text the code as the application gets it: at least 256 bits that nobody can guess.
 * @param now seconds since 1970
 */
export function createAuthorizationCode(
  { digests, authorizationCodeSeconds }: AuthorizationCodeServices,
  text: string,
  { request, member, authTime, grantId, scope, grantSeconds }: AuthorizationCodeSubject,
  now: number,
): AuthorizationCode {
  const { clientId, redirectUri, codeChallenge, nonce, requestedScope } = request;
  return {
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
}

/** The personal representative behind a code, without the name. */
function representedBy({ representative }: SignedInMember): Pick<AuthorizationCode, 'representedBy'> {
  if (representative === undefined) return {};
  const { representativeId, until } = representative;
  return { representedBy: { representativeId, ...(until !== undefined && { until }) } };
}
