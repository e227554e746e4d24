import type { Client } from './client.ts';
import { presentedCredentials } from './client-credentials.ts';
import type { Parameters } from './parameters.ts';
import type { ClientStore, Digests } from './ports.ts';
import type { ClientRates } from './rates.ts';
import { refuseForRate, refuseToken, type TokenRefusal } from './token-error.ts';

export interface ClientAuthentication {
  readonly clients: ClientStore;
  readonly digests: Digests;
  readonly rates: ClientRates;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type Authenticated =
  | { readonly client: Client }
  /** `client`: the registered application the caller claimed to be, for the audit. */
  | { readonly refusal: TokenRefusal; readonly claimed?: Client };

/** A client id is at most this long; a longer one is not worth a read. */
const longestClientId = 64;

/**
 * Authenticates the client of a token request. An unknown client costs what a known one does, and is answered alike: one
 * read, one digest and as many comparisons.
 */
export async function authenticateClient(
  { clients, digests, rates, now }: ClientAuthentication,
  parameters: Parameters,
  authorization: string | undefined,
): Promise<Authenticated> {
  const presented = presentedCredentials(parameters, authorization);
  if ('refusal' in presented) return presented;
  const { clientId, secret } = presented.credentials;
  const claimedId = clientId.slice(0, longestClientId);
  const [client, asked] = await Promise.all([clients.find(claimedId), rates.claimed(claimedId)]);
  if (!asked.allowed) return refuseForRate(asked.retryAfterSeconds);
  const proven =
    secret === undefined
      ? client?.tokenEndpointAuthMethod === 'none'
      : ownsSecret(digests, client, secret, now()) && client?.tokenEndpointAuthMethod !== 'none';
  const claimed = client === undefined ? {} : { claimed: client };
  if (client === undefined || client.clientId !== clientId || !proven) {
    const reason = client === undefined ? 'client_unknown' : 'client_secret_wrong';
    return { ...refuseToken('invalid_client', 'client authentication failed', reason), ...claimed };
  }
  if (client.state !== 'active') {
    return {
      ...refuseToken('invalid_client', 'client authentication failed', 'client_inactive'),
      ...claimed,
    };
  }
  // A public client's id is known to everybody: counted by itself, anybody could shut its members out.
  if (secret === undefined) return { client };
  const called = await rates.proven(clientId);
  return called.allowed ? { client } : refuseForRate(called.retryAfterSeconds);
}

/** At most two secrets live at once, so that a rotation loses no call; none after its `expiresAt`. */
function ownsSecret(digests: Digests, client: Client | undefined, secret: string, nowMs: number): boolean {
  const presented = digests.sha256Hex(secret);
  const [first, second] = client?.secrets ?? [];
  const matches = [first, second].map((live) => {
    const same = digests.equal(presented, live?.sha256 ?? 'none');
    return same && live !== undefined && (live.expiresAt === undefined || Date.parse(live.expiresAt) > nowMs);
  });
  return matches.includes(true);
}
