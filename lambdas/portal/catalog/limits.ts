import { callLogDays } from '../../catalog/call-log.ts';
/**
 * The limits of the portal: the functions enforce them, the pages state them, and the public documentation lists them.
 * All but the validity of a code (docs/service.md S2.5) are this service's own.
 */
export const portalLimits = {
  /** Validity of a verification code (docs/service.md S2.5). */
  codeSeconds: 600,
  /** Tries for one code, right or wrong. */
  codeTries: 5,
  /** Tries an account has in an hour for codes of one purpose, however many are sent (NIST SP 800-63B-4 section 3.2.2). */
  codeTriesPerHour: 10,
  codeResendSeconds: 60,
  /**
   * Codes sent to one destination, whichever account asks: to sign in, for a new password, and to prove the destination each for itself.
   */
  codesPerHour: 5,
  codesPerDay: 10,
  /** NIST SP 800-63B-4 section 3.1.1.2. */
  passwordMinimum: 15,
  passwordMaximum: 128,
  /** Wrong passwords before answers are delayed: 1 s, doubling up to `signInDelaySecondsMaximum`. */
  signInFailures: 5,
  signInDelaySecondsMaximum: 900,
  /** Wrong passwords in a row that lock the account. */
  signInFailuresToLock: 20,
  sessionIdleSeconds: 30 * 60,
  sessionSeconds: 12 * 60 * 60,
  operatorSessionIdleSeconds: 15 * 60,
  operatorSessionSeconds: 8 * 60 * 60,
  /** Time for which secrets are shown in a session after its password was entered again. */
  passwordAgainSeconds: 5 * 60,
  botCheckSeconds: 10 * 60,
  invitationSeconds: 7 * 24 * 60 * 60,
  teamMembers: 50,
  applicationsPerTeam: 50,
  draftsPerDeveloper: 20,
  redirectUris: 8,
  /** The longest time an old secret or key keeps working beside its successor. */
  rotationOverlapSecondsMaximum: 30 * 24 * 60 * 60,
  /** A mail goes out this long before an old secret or key stops. */
  expiryNoticeSeconds: 3 * 24 * 60 * 60,
  /** Business days after a submission or sign-up by which operators decide. */
  decisionBusinessDays: 5,
  /** Body of a request to the portal's API. */
  bodyBytes: 64 * 1024,
  /** Age of the oldest call in the log. */
  callLogDays,
} as const;
