/** Creates the authorization code that the browser takes back to the application: after consent, or at once for `prompt=none`. */

import type { Digests } from '../../platform/kernel/digests.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { SignedInMember } from '../oauth/member-account.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { AuthorizationCode } from './interaction.ts';

export interface AuthorizationCodeServices {
  readonly random: Pick<Random, 'token'>;
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
 * Makes an authorization code: the text for the application, and the item to store, which has the text's SHA-256 only.
 *
 * @param now seconds since 1970
 */
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

/** The personal representative behind a code, without the name. */
function representedBy({ representative }: SignedInMember): Pick<AuthorizationCode, 'representedBy'> {
  if (representative === undefined) return {};
  const { representativeId, until } = representative;
  return { representedBy: { representativeId, ...(until !== undefined && { until }) } };
}
