/** An authorization request on its way from sign-in to the code, the code, and the grant. */

import type { Language } from '../../catalog/languages.ts';
import type {
  AccountReference,
  PersonalRepresentative,
  RepresentedBy,
  SignedInMember,
} from '../oauth/member-account.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { SentVerificationCode } from './verification-code.ts';

/** A sign-in at the plan's identity provider that is under way. The latest one of an interaction counts. */
export interface ProviderAttempt {
  /** SHA-256 (hex) of the `state` that the provider was sent. */
  readonly sha256: string;
  /** The issuer the browser was sent to. */
  readonly issuer: string;
  /** Seconds since 1970. */
  readonly startedAt: number;
  /** Maximum age of the authentication when it was requested, seconds. */
  readonly maxAge?: number | undefined;
}

/**
 * A sign-in and consent in progress: `signing-in` (→ `verifying`) (→ `choosing`) → `consenting` → `answered`, each step a
 * condition on the one before and on the time. Where an SSO session stands in, it begins with `choosing` or `consenting`. The browser holds its secret in a cookie of its own, so that two tabs are two interactions.
 */
export interface Interaction {
  /** SHA-256 (hex) of the secret in the cookie. */
  readonly interactionId: string;
  readonly state: 'signing-in' | 'verifying' | 'choosing' | 'consenting' | 'answered';
  /** The authorization request; absent where the member signs in to their connected apps. */
  readonly request?: AuthorizationRequest | undefined;
  /** The language it began in. */
  readonly language?: Language | undefined;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** While `verifying` or `choosing`: the account, whose password was right. */
  readonly account?: AccountReference | undefined;
  /** The patient the account acts for: its only one, or its choice. */
  readonly member?: SignedInMember | undefined;
  /** Time of the sign-in, seconds since 1970. */
  readonly authTime?: number | undefined;
  /** While `verifying`: the code that was sent. */
  readonly verification?: SentVerificationCode | undefined;
  /** While `verifying` or `choosing`: whether the member wants to keep the sign-in. */
  readonly keep?: boolean | undefined;
  /** While `signing-in`: a sign-in at the plan's identity provider that is under way. */
  readonly providerAttempt?: ProviderAttempt | undefined;
  /** The SSO session that began with this sign-in, or that replaced the password. */
  readonly ssoSessionId?: string | undefined;
  /** Whether an SSO session replaced the password: the interaction ends with the session. */
  readonly continued?: boolean | undefined;
}

/** A grant of a member to an application (docs/architecture.md, Items). Active from the code's redemption on. */
export interface Grant {
  readonly grantId: string;
  readonly clientId: string;
  /** The account that consented. */
  readonly sub: string;
  /** Patient whose data it is. */
  readonly patientId: string;
  /** The account holder, where they consented as the patient's personal representative. */
  readonly representative?: PersonalRepresentative | undefined;
  readonly scope: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** `issued` → `redeemed`, or → `ended` when it was presented by someone or with something it wasn't issued for. */
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
  /** Lifetime of the grant from the code's redemption on, where the member chose a shorter one than is configured. */
  readonly grantSeconds?: number | undefined;
  /** End of the grant, on a code without a page, whose grant was active when the code was issued. Seconds since 1970. */
  readonly grantExpiresAt?: number | undefined;
}
