/**
 * Ports of the registry of clients, called by the OAuth endpoints and members' pages. The adapters read clients, and write only the days on
 * which secrets are used.
 */

import type { OAuthClient } from './oauth-client.ts';

/** Finds registered clients. Adapter: `lambdas/authorization/store/client-reader.ts`. */
export interface ClientReader {
  find(clientId: string): Promise<OAuthClient | undefined>;
}

/** The application of a token request, as it is noted for the log of calls. */
export interface TokenCaller {
  readonly clientId: string;
  /** ID of the secret that authenticated it. */
  readonly secretId?: string | undefined;
}

/** Records the days on which client secrets are used. Adapter: `lambdas/authorization/store/secret-uses.ts`. */
export interface SecretUses {
  /**
   * Records that a secret authenticated its client. Returns at once: the write runs in the background, and no request fails or waits for
   * it.
   *
   * @param sha256 of the secret, hex.
   */
  used(sha256: string): void;
}
