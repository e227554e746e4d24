/** Port of the store of portal sessions. The adapter is `portal/adapters/session-store.ts`. */

/** A session as the table has it. Times are seconds since 1970. */
export interface StoredSession {
  readonly sessionId: string;
  /** `code`: a sign-in whose password was right and whose code has not been entered; nobody is signed in yet. */
  readonly kind: 'session' | 'code';
  readonly accountId: string;
  readonly role: 'developer' | 'operator';
  readonly epoch: number;
  readonly startedAt: number;
  readonly lastSeenAt: number;
  readonly secretsOpenUntil?: number;
}

export interface SessionStore {
  get(sessionId: string): Promise<StoredSession | undefined>;
  /** @param replaces ID of a session that ends when this one begins, even if it was rotated meanwhile. */
  begin(session: StoredSession, replaces?: string): Promise<void>;
  /**
   * Replaces a session by another.
   *
   * @returns false where the replaced session has ended or was rotated: nothing is written.
   */
  rotate(session: StoredSession, replaces: string): Promise<boolean>;
  /** Ends a session, even if it was rotated to another ID meanwhile. */
  end(sessionId: string): Promise<void>;
  isKnownBrowser(accountId: string, sha256: string, nowSeconds: number): Promise<boolean>;
  knowBrowser(accountId: string, sha256: string, expiresAt: number): Promise<void>;
}
