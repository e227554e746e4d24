/**
 * Port of SSO sessions. Called by the authorization endpoint and by `prompt=none`; the adapter `authorization/store/sso-session-store.ts`
 * writes sessions, interactions and codes, and reads grants.
 */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { AuthorizationCode, Interaction } from './interaction.ts';
import type { SsoSession, SsoSessionConsent } from './sso-session.ts';

/** An interaction an SSO session stands in for: it begins at the consent page, or at the choice between patients. */
export interface ContinuedInteraction extends Interaction {
  readonly state: 'choosing' | 'consenting';
  readonly ssoSessionId: string;
  readonly continued: true;
}

/** A code of a grant that is active already. */
export interface RenewingCode extends AuthorizationCode {
  readonly grantExpiresAt: number;
}

/**
 * Sign-ins that members keep. One is opened by the transaction that completes the sign-in (`AuthorizationStore.signIn`,
 * `SignInStore.rightCode`); the consents given in it are written and taken away with the member's answer
 * (`AuthorizationStore.share`, `decline`). Times are seconds since 1970.
 *
 * @throws StoreUnavailable from every method: whether a write happened is then unknown.
 */
export interface SsoSessionStore {
  find(lob: LineOfBusiness, ssoSessionId: string): Promise<SsoSession | undefined>;
  /** Reads the consent the member gave the application in this session, with the state of its grant now. */
  consent(lob: LineOfBusiness, session: SsoSession, clientId: string): Promise<SsoSessionConsent | undefined>;
  /** The interaction, with the audit event, if the SSO session is open and in time. */
  begin(step: {
    readonly lob: LineOfBusiness;
    readonly interaction: ContinuedInteraction;
    readonly now: number;
    readonly audit: AuditEvent;
  }): Promise<boolean>;
  /** Another code of an active grant, with the audit event, if the SSO session is open and both are in time. */
  renew(step: {
    readonly lob: LineOfBusiness;
    readonly ssoSessionId: string;
    readonly code: RenewingCode;
    readonly now: number;
    readonly audit: AuditEvent;
  }): Promise<'renewed' | 'sign_in_ended' | 'grant_ended'>;
  /** `open` → `ended`, with the audit event. @returns false where it had ended already. */
  end(step: {
    readonly lob: LineOfBusiness;
    readonly ssoSessionId: string;
    readonly audit: AuditEvent;
  }): Promise<boolean>;
}
