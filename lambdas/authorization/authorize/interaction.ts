/** Types of an authorization request in progress (the interaction), its authorization code, and its grant. */

import type { Language } from '../../catalog/languages.ts';
import type {
  AccountReference,
  PersonalRepresentative,
  RepresentedBy,
  SignedInMember,
} from '../oauth/member-account.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { SentVerificationCode } from './verification-code.ts';

/** An authentication request that was sent to the plan's identity provider, as the interaction keeps it (`providerAttempt`). Only the latest one of an interaction can be answered. */
export interface AuthenticationRequest {
  /** SHA-256 (hex) of the `state` sent to the provider. */
  readonly sha256: string;
  /** Issuer of the provider. */
  readonly issuer: string;
  /** Seconds since 1970. */
  readonly startedAt: number;
  /** Requested `max_age`: maximum age of the authentication, seconds. */
  readonly maxAge?: number | undefined;
}

/**
 * A sign-in and consent in progress: `signing-in` (→ `verifying`) (→ `choosing`) → `consenting` → `answered`. Each step requires the state
 * before and that the interaction has not expired. In an SSO session an interaction begins as `choosing` or `consenting`. Its secret is in
 * a cookie of its own, so that two browser tabs have two interactions.
 */
export interface Interaction {
  /** SHA-256 (hex) of the secret in the cookie. */
  readonly interactionId: string;
  readonly state: 'signing-in' | 'verifying' | 'choosing' | 'consenting' | 'answered';
  /** The authorization request; absent in a sign-in to the connected apps. */
  readonly request?: AuthorizationRequest | undefined;
  /** Language of the pages when the interaction began. */
  readonly language?: Language | undefined;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** While `verifying` or `choosing`: the account that was authenticated. */
  readonly account?: AccountReference | undefined;
  /** The patient that the account acts for: its only one, or the chosen one. */
  readonly member?: SignedInMember | undefined;
  /** Time of the sign-in, seconds since 1970. */
  readonly authTime?: number | undefined;
  /** While `verifying`: the code that was sent, as its digest. */
  readonly verification?: SentVerificationCode | undefined;
  /** While `verifying` or `choosing`: whether the member requested an SSO session. */
  readonly keep?: boolean | undefined;
  /** While `signing-in`: the open authentication request to the plan's identity provider. */
  readonly providerAttempt?: AuthenticationRequest | undefined;
  /** The SSO session that this sign-in opened, or that replaced the password. */
  readonly ssoSessionId?: string | undefined;
  /** Whether an SSO session replaced the password. If so, the interaction is over when the session ends. */
  readonly continued?: boolean | undefined;
}

/** A grant of a member to an application (docs/architecture.md, Items). It becomes active when its code is redeemed. */
export interface Grant {
  readonly grantId: string;
  readonly clientId: string;
  /** The account that consented. */
  readonly sub: string;
  /** The patient whose data is shared. */
  readonly patientId: string;
  /** The account holder, if they consented as the patient's personal representative. */
  readonly representative?: PersonalRepresentative | undefined;
  readonly scope: string;
  /** Time of the consent, ISO 8601. */
  readonly createdAt: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** An authorization code: `issued` → `redeemed`, or → `ended` if another client presented it or with the wrong values. */
export interface AuthorizationCode {
  /** SHA-256 (hex) of the code. */
  readonly sha256: string;
  readonly state: 'issued' | 'redeemed' | 'ended';
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge?: string | undefined;
  readonly scope: string;
  /** `scope` of the authorization request, as it was sent. */
  readonly requestedScope?: string | undefined;
  readonly nonce?: string | undefined;
  readonly grantId: string;
  readonly sub: string;
  readonly patientId: string;
  /** The personal representative who consented. */
  readonly representedBy?: RepresentedBy | undefined;
  /** Seconds since 1970. */
  readonly authTime: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** Seconds that the grant lasts from redemption, if the member chose fewer than are configured. */
  readonly grantSeconds?: number | undefined;
  /** End of the grant, seconds since 1970, for a code of `prompt=none`: its grant is active already. */
  readonly grantExpiresAt?: number | undefined;
}
