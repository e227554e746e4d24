/** Begins the authorization of a guided first call: keeps in this tab what the way back needs. */

import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { AddressesView, TestMemberView } from '../../../lambdas/portal/api/views.ts';
import type { AskedCall } from './asked-call.ts';
import {
  type Attempt,
  attemptKey,
  authorizationUrl,
  base64Url,
  challengeOf,
  type Lesson,
} from './try-model.ts';

const random = (bytes: number) => base64Url(crypto.getRandomValues(new Uint8Array(bytes)));

/** @returns the address of the authorization request. */
export async function beginAuthorization(
  application: { readonly applicationId: string; readonly clientId: string },
  addresses: AddressesView,
  chosen: {
    readonly lob: LineOfBusiness;
    readonly lesson: Lesson;
    readonly member: TestMemberView;
    readonly asked?: AskedCall | undefined;
  },
): Promise<string> {
  const { lob, lesson, member, asked } = chosen;
  const attempt: Attempt = {
    applicationId: application.applicationId,
    lob,
    patientId: member.patientId,
    lesson,
    state: random(16),
    // RFC 7636 section 4.1: 43 characters of 32 random bytes.
    verifier: random(32),
    redirectUri: addresses.tryItRedirectUri,
    ...(asked !== undefined && { asked }),
  };
  sessionStorage.setItem(attemptKey, JSON.stringify(attempt));
  const challenge = await challengeOf(attempt.verifier);
  return authorizationUrl(addresses.environments.sandbox, attempt, {
    clientId: application.clientId,
    challenge,
    loginHint: member.memberId,
  });
}
