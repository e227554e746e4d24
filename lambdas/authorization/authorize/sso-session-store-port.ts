/**
 * Port of SSO sessions, called by the authorization endpoint and by `prompt=none`. The adapter `authorization/store/sso-session-store.ts`
 * writes sessions, interactions and codes, and reads grants.
 */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { AuthorizationCode, Interaction } from './interaction.ts';
import type { SsoSession, SsoSessionConsent } from './sso-session.ts';

/** An interaction that begins in an SSO session, at the consent page or at the choice between patients. */
export interface ContinuedInteraction extends Interaction {
  readonly state: 'choosing' | 'consenting';
  readonly ssoSessionId: string;
  readonly continued: true;
}

/** A code for a grant that is active already. */
export interface RenewingCode extends AuthorizationCode {
  readonly grantExpiresAt: number;
}

/**
 * Stores SSO sessions. A session is opened by the transaction that completes the sign-in (`AuthorizationStore.signIn`,
 * `SignInStore.rightCode`). The consents given in a session are written and removed with the member's answer (`AuthorizationStore.share`,
 * `decline`). Times are seconds since 1970.
 *
 * @throws StoreUnavailable from every method: whether a write happened is then unknown.
 */
export interface SsoSessionStore {
  find(lob: LineOfBusiness, ssoSessionId: string): Promise<SsoSession | undefined>;
  /** Reads the consent that the member gave the application in this session, with the current state of its grant. */
  consent(lob: LineOfBusiness, session: SsoSession, clientId: string): Promise<SsoSessionConsent | undefined>;
  /** Writes an interaction and its audit event, if the SSO session is open and has not expired. */
  begin(step: {
    readonly lob: LineOfBusiness;
    readonly interaction: ContinuedInteraction;
    readonly now: number;
    readonly audit: AuditEvent;
  }): Promise<boolean>;
  /** Writes another code for an active grant, and the audit event, if the SSO session is open and neither it nor the grant has expired. */
  renew(step: {
    readonly lob: LineOfBusiness;
    readonly ssoSessionId: string;
    readonly code: RenewingCode;
    readonly now: number;
    readonly audit: AuditEvent;
  }): Promise<'renewed' | 'sign_in_ended' | 'grant_ended'>;
  /**
   * `open` → `ended`, with the audit event.
   *
   * @returns false if the session had ended already.
   */
  end(step: {
    readonly lob: LineOfBusiness;
    readonly ssoSessionId: string;
    readonly audit: AuditEvent;
  }): Promise<boolean>;
}
