/**
 * Port of sign-in: sessions, known browsers, verification codes and their limits. Called by the pages of sign-in and connected apps; the
 * adapter `authorization/store/sign-in-store.ts` writes interactions, sessions and browsers, each step with its audit event.
 */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { AccountReference, SignedInMember } from '../oauth/member-account.ts';
import type { InteractionTransition, ProviderProof } from './authorization-store-port.ts';
import type { Interaction, ProviderAttempt } from './interaction.ts';
import type { SsoSession } from './sso-session.ts';
import type { SentVerificationCode } from './verification-code.ts';

/** A member looking at their connected apps: what the browser's cookie stands for. */
export interface MemberSession {
  /** SHA-256 (hex) of the secret in the cookie. */
  readonly sessionId: string;
  readonly member: SignedInMember;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** A browser in which a member once typed a right code. */
export interface KnownBrowser {
  /** SHA-256 (hex) of the secret in the cookie. */
  readonly browserId: string;
  readonly sub: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** The code that was right, and the browser that is known by it from now on. */
export interface RightCode {
  readonly verification: SentVerificationCode;
  readonly browser: KnownBrowser;
}

/** A code that was tried: the verification as it was read, so that of tries at the same time one counts. */
export interface VerificationAttempt extends InteractionTransition {
  readonly verification: SentVerificationCode;
}

/**
 * Codes, sessions and known browsers. Every step of an interaction is one transaction with its audit event, as in
 * `AuthorizationStore`; a method returns false where the step's condition doesn't hold.
 *
 * @throws StoreUnavailable from every method: whether a write happened is then unknown.
 */
export interface SignInStore {
  /** `signing-in` → `verifying`, with the code's digest. The member has until `expiresAt` again. */
  askCode(
    step: InteractionTransition &
      CodeSent & {
        readonly account: AccountReference;
        /** Member the account can act for, if it can act for no other. */
        readonly member: SignedInMember | undefined;
        readonly keep: boolean;
      },
  ): Promise<boolean>;
  /** `verifying` → `verifying`, with a new code's digest, if the last was sent at `notBefore` or earlier. */
  askCodeAgain(step: InteractionTransition & CodeSent & { readonly notBefore: number }): Promise<boolean>;
  /** Counts a wrong code. */
  wrongCode(step: VerificationAttempt): Promise<boolean>;
  /** `verifying` → `consenting`. */
  rightCode(
    step: VerificationAttempt & {
      readonly browser: KnownBrowser;
      readonly member: SignedInMember;
      readonly ssoSession?: SsoSession;
    },
  ): Promise<boolean>;
  /** `signing-in` or, with the code that was right, `verifying` → `choosing`. */
  askPatient(
    step: InteractionTransition & {
      readonly account: AccountReference;
      readonly keep: boolean;
      readonly right?: RightCode;
    },
  ): Promise<boolean>;
  /** `choosing` → `consenting`. */
  choosePatient(
    step: InteractionTransition & { readonly member: SignedInMember; readonly ssoSession?: SsoSession },
  ): Promise<boolean>;
  /** `signing-in` or, with the code that was right, `verifying` → `answered`; and the session. */
  visit(
    step: InteractionTransition & {
      readonly session: MemberSession;
      readonly right?: RightCode;
    },
  ): Promise<boolean>;
  /** `signing-in` → `answered`: the application's `id_token_hint` names another member. */
  otherMember(step: InteractionTransition): Promise<boolean>;
  /** `signing-in` stays: the browser goes to the plan's identity provider. An attempt before it ends. */
  sendToProvider(step: InteractionTransition & { readonly attempt: ProviderAttempt }): Promise<boolean>;
  /** `signing-in` stays, and its attempt ends: the provider's answer is refused. */
  refuseProvider(step: InteractionTransition & { readonly provider: ProviderProof }): Promise<boolean>;
  /** `consenting` → `answered`, and an interaction about the same request for the other member. */
  switchAccount(step: InteractionTransition & { readonly next: Interaction }): Promise<boolean>;

  session(lob: LineOfBusiness, sessionId: string): Promise<MemberSession | undefined>;
  endSession(lob: LineOfBusiness, sessionId: string): Promise<void>;
  knownBrowser(lob: LineOfBusiness, browserId: string): Promise<KnownBrowser | undefined>;
}

interface CodeSent {
  readonly verification: SentVerificationCode;
  /** The interaction's new end, seconds since 1970. */
  readonly expiresAt: number;
}
