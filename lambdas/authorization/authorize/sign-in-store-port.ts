/**
 * Port of sign-in: sessions, known browsers, verification codes and their limits. Called by the pages of sign-in and connected apps; the
 * adapter `authorization/store/sign-in-store.ts` writes interactions, sessions and browsers, each step with its audit event.
 */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { AccountReference, SignedInMember } from '../oauth/member-account.ts';
import type { InteractionTransition, ProviderProof } from './authorization-store-port.ts';
import type { AuthenticationRequest, Interaction } from './interaction.ts';
import type { SsoSession } from './sso-session.ts';
import type { SentVerificationCode } from './verification-code.ts';

/** A member's session at the connected apps. */
export interface ConnectedAppsSession {
  /** SHA-256 (hex) of the secret in the cookie. */
  readonly sessionId: string;
  readonly member: SignedInMember;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** A browser in which a member once entered a right verification code. */
export interface KnownBrowser {
  /** SHA-256 (hex) of the secret in the cookie. */
  readonly browserId: string;
  readonly sub: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** A right verification code, and the browser that becomes a known one. */
export interface RightCode {
  readonly verification: SentVerificationCode;
  readonly browser: KnownBrowser;
}

/** A try of a verification code. The step requires the verification as it was read, so that only one of several concurrent tries counts. */
export interface VerificationAttempt extends InteractionTransition {
  readonly verification: SentVerificationCode;
}

/**
 * Stores verification codes, sessions and known browsers. Every step of an interaction is one transaction with its audit event, as in
 * `AuthorizationStore`; a method returns false if the step's condition does not hold.
 *
 * @throws StoreUnavailable from every method: whether a write happened is then unknown.
 */
export interface SignInStore {
  /** `signing-in` → `verifying`, with the code's digest. The interaction's end moves to `expiresAt`. */
  askCode(
    step: InteractionTransition &
      CodeSent & {
        readonly account: AccountReference;
        /** The account's only patient; undefined if the account has several. */
        readonly member: SignedInMember | undefined;
        readonly keep: boolean;
      },
  ): Promise<boolean>;
  /** Stores a new code's digest while `verifying`, if the last code was sent at `notBefore` or earlier. */
  askCodeAgain(step: InteractionTransition & CodeSent & { readonly notBefore: number }): Promise<boolean>;
  /** Counts a wrong code. */
  wrongCode(step: VerificationAttempt): Promise<boolean>;
  /** `verifying` → `consenting`: the code was right. */
  rightCode(
    step: VerificationAttempt & {
      readonly browser: KnownBrowser;
      readonly member: SignedInMember;
      readonly ssoSession?: SsoSession;
    },
  ): Promise<boolean>;
  /** `signing-in` → `choosing`, or with a right code `verifying` → `choosing`. */
  askPatient(
    step: InteractionTransition & {
      readonly account: AccountReference;
      readonly keep: boolean;
      readonly right?: RightCode;
    },
  ): Promise<boolean>;
  /** `choosing` → `consenting`: the member chose a patient. */
  choosePatient(
    step: InteractionTransition & { readonly member: SignedInMember; readonly ssoSession?: SsoSession },
  ): Promise<boolean>;
  /** `signing-in` → `answered`, or with a right code `verifying` → `answered`. Opens a session at the connected apps. */
  visit(
    step: InteractionTransition & {
      readonly session: ConnectedAppsSession;
      readonly right?: RightCode;
    },
  ): Promise<boolean>;
  /** `signing-in` → `answered`: the application's `id_token_hint` names another member than the one who signed in. */
  otherMember(step: InteractionTransition): Promise<boolean>;
  /** Stores an authentication request to the plan's identity provider while `signing-in`. It replaces an earlier one. */
  sendToProvider(
    step: InteractionTransition & { readonly openRequest: AuthenticationRequest },
  ): Promise<boolean>;
  /** Removes the authentication request while `signing-in`, because the provider's answer is refused. */
  refuseProvider(step: InteractionTransition & { readonly provider: ProviderProof }): Promise<boolean>;
  /** `consenting` → `answered`. Begins another interaction for the same request, in which another member can sign in. */
  switchAccount(step: InteractionTransition & { readonly next: Interaction }): Promise<boolean>;

  session(lob: LineOfBusiness, sessionId: string): Promise<ConnectedAppsSession | undefined>;
  endSession(lob: LineOfBusiness, sessionId: string): Promise<void>;
  knownBrowser(lob: LineOfBusiness, browserId: string): Promise<KnownBrowser | undefined>;
}

interface CodeSent {
  readonly verification: SentVerificationCode;
  /** The interaction's new end, seconds since 1970. */
  readonly expiresAt: number;
}
