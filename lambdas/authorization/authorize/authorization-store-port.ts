import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { SignedInMember } from '../oauth/member-account.ts';
import type { RefreshFamily } from '../token/refresh-token-family.ts';
import type { AuthorizationCode, Grant, Interaction } from './interaction.ts';
import type { SsoSession } from './sso-session.ts';

/**
 * Stores interactions, codes and grants of a LOB. Every step is one transaction with its audit event. The transaction requires the state
 * before the step, and that the time is not over, so that only one of two concurrent steps is written. Times are seconds since 1970.
 *
 * @throws StoreUnavailable from every method: whether a write happened is then unknown.
 */
export interface AuthorizationStore {
  begin(lob: LineOfBusiness, interaction: Interaction): Promise<void>;
  interaction(lob: LineOfBusiness, interactionId: string): Promise<Interaction | undefined>;
  /**
   * `signing-in` → `consenting`.
   *
   * @returns false if the interaction is over or in another state.
   */
  signIn(
    step: InteractionTransition & { readonly member: SignedInMember; readonly ssoSession?: SsoSession },
  ): Promise<boolean>;
  /** `consenting` → `answered`. Writes a pending grant and its code, and revokes the grants that it replaces, each with its audit event. */
  share(
    step: InteractionTransition &
      AnswerInSsoSession & {
        readonly grant: Grant;
        readonly code: AuthorizationCode;
        readonly replaces?: readonly ReplacedGrant[];
      },
  ): Promise<boolean>;
  /** `consenting` → `answered`: the member declined. */
  decline(step: InteractionTransition & AnswerInSsoSession): Promise<boolean>;
  /** Adds a grant that is active at once, without a member's consent: the demonstration's, of a fictional member. */
  demonstrate(step: {
    readonly lob: LineOfBusiness;
    readonly grant: Grant;
    readonly audit: AuditEvent;
  }): Promise<void>;

  code(lob: LineOfBusiness, sha256: string): Promise<AuthorizationCode | undefined>;
  /**
   * Redeems a code: the code → `redeemed`, and its grant → `active` until `grantExpiresAt`, with a refresh token family if the grant allows
   * offline access. A grant that is active already (the code came from `prompt=none`) is not changed.
   *
   * @returns `code_used` if the code is used or expired; `grant_ended` if the grant was revoked before.
   */
  redeem(
    redemption: Redemption & { readonly grantExpiresAt: number; readonly family?: RefreshFamily },
  ): Promise<'redeemed' | 'code_used' | 'grant_ended'>;
  /** Ends an unused code, and with `ends: 'grant'` revokes its grant. May be repeated. */
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
  /** The answer of the plan's identity provider that the step follows from. It must belong to the interaction's latest authentication request. */
  readonly provider?: ProviderProof;
}

/** An answer of the plan's identity provider. */
export interface ProviderProof {
  /** The authentication request that was answered: `AuthenticationRequest.sha256`. */
  readonly requestSha256: string;
  /** Time of the authentication at the provider, seconds since 1970. */
  readonly authTime: number;
}

export interface Redemption {
  readonly lob: LineOfBusiness;
  readonly code: AuthorizationCode;
  readonly now: number;
  readonly audit: AuditEvent;
}

/** The SSO session in which a member answers. The session remembers whether the member shared with the application. */
export interface AnswerInSsoSession {
  readonly ssoSession?: {
    readonly ssoSessionId: string;
    readonly clientId: string;
    /** Whether the session replaced the password. If so, sharing requires that it is still open. */
    readonly continued: boolean;
  };
}
