import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { SignedInMember } from '../oauth/member-account.ts';
import type { RefreshFamily } from '../token/refresh-token-family.ts';
import type { AuthorizationCode, Grant, Interaction } from './interaction.ts';
import type { SsoSession } from './sso-session.ts';

/**
 * Interactions, codes and grants of a LOB. Every step is one transaction with its audit event, conditioned on the step
 * before and on the time, so that of two at once one wins. Times are seconds since 1970.
 *
 * @throws StoreUnavailable from every method: whether a write happened is then unknown.
 */
export interface AuthorizationStore {
  begin(lob: LineOfBusiness, interaction: Interaction): Promise<void>;
  interaction(lob: LineOfBusiness, interactionId: string): Promise<Interaction | undefined>;
  /** `signing-in` → `consenting`. @returns false where the interaction is over or further on. */
  signIn(
    step: InteractionTransition & { readonly member: SignedInMember; readonly ssoSession?: SsoSession },
  ): Promise<boolean>;
  /** `consenting` → `answered`, with a pending grant and its code. The grants that it replaces → `revoked`, each with its event. */
  share(
    step: InteractionTransition &
      AnswerInSsoSession & {
        readonly grant: Grant;
        readonly code: AuthorizationCode;
        readonly replaces?: readonly ReplacedGrant[];
      },
  ): Promise<boolean>;
  /** `consenting` → `answered`. */
  decline(step: InteractionTransition & AnswerInSsoSession): Promise<boolean>;

  code(lob: LineOfBusiness, sha256: string): Promise<AuthorizationCode | undefined>;
  /**
   * The code → `redeemed`, its grant → `active` until `grantExpiresAt`, with the family of its refresh tokens where its
   * access lasts. The grant of a code without a page is active already, and stays as it is.
   *
   * @returns `code_used` where the code is used up or too old; `grant_ended` where the grant ended before its code.
   */
  redeem(
    redemption: Redemption & { readonly grantExpiresAt: number; readonly family?: RefreshFamily },
  ): Promise<'redeemed' | 'code_used' | 'grant_ended'>;
  /** An unused code → `ended`, and with `ends: 'grant'` its grant → `revoked`. Repeating it is harmless. */
  end(redemption: Redemption & { readonly because: string; readonly ends: 'code' | 'grant' }): Promise<void>;
}

/** An earlier grant of the application, which ends with the member's new consent. */
export interface ReplacedGrant {
  readonly grantId: string;
  readonly because: string;
  readonly audit: AuditEvent;
}

export interface InteractionTransition {
  readonly lob: LineOfBusiness;
  readonly interactionId: string;
  readonly now: number;
  readonly audit: AuditEvent;
  /** The step follows from a sign-in at the plan's identity provider, which must be the one that is under way. */
  readonly provider?: ProviderProof;
}

/** An answer of the plan's identity provider. */
export interface ProviderProof {
  /** `ProviderAttempt.sha256` */
  readonly attempt: string;
  /** Time of the authentication at the provider, seconds since 1970. */
  readonly authTime: number;
}

export interface Redemption {
  readonly lob: LineOfBusiness;
  readonly code: AuthorizationCode;
  readonly now: number;
  readonly audit: AuditEvent;
}

/** The SSO session an answer is given in: what was shared, or not, is remembered there for the application. */
export interface AnswerInSsoSession {
  readonly ssoSession?: {
    readonly ssoSessionId: string;
    readonly clientId: string;
    /** The session replaced the password: sharing requires that it is still open. */
    readonly continued: boolean;
  };
}
