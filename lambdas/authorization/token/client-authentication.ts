/** Authenticates the client of a token request. */

import type { AuditAction } from '../../catalog/audit/audit-actions.ts';
import type { Digests } from '../../platform/kernel/digests.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { ClientRates } from '../../platform/kernel/rates.ts';
import { type AuditContext, type AuditTrail, auditEvent } from '../oauth/audit-decision.ts';
import type { ClientReader, SecretUses, TokenCaller } from '../oauth/client-ports.ts';
import { authenticatesWithSecret, type OAuthClient } from '../oauth/oauth-client.ts';
import type { Parameters } from '../oauth/parameters.ts';
import type { ClientAssertions } from './client-assertion.ts';
import { type PresentedCredentials, presentedCredentials } from './client-credentials.ts';
import { refuseForRate, refuseToken, type TokenRefusal } from './token-error.ts';

export interface ClientAuthentication {
  readonly clients: ClientReader;
  readonly digests: Digests;
  readonly rates: Omit<ClientRates, 'demonstrated'>;
  readonly assertions: ClientAssertions;
  readonly secretUses: SecretUses;
  /** Notes the registered application of the request's client ID, for the log of calls. */
  readonly noteCaller: (caller: TokenCaller) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A request to a token, revocation or introspection endpoint. */
export interface TokenRequest {
  readonly parameters: Parameters;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  readonly context: AuditContext;
}

export type Authenticated =
  | { readonly kind: 'authenticated'; readonly client: OAuthClient }
  /** `claimed`: the registered application of the request's client ID, for the audit. */
  | (TokenRefusal & { readonly claimed?: OAuthClient });

/** Maximum characters of a client ID; more are cut off before the lookup. */
const longestClientId = 64;

/**
 * Authenticates the client of a token request. Every failure gets the same response, and after too many failures no credentials are
 * verified. Verifying a secret takes the same work whether the client is known or not: one read, one digest, two comparisons. Other work
 * differs: an assertion's signature is verified only for a client registered for assertions, and the refusal of a registered application is
 * written to the audit. So response times may reveal that a client ID exists, which is no secret (RFC 6749 section 2.2), but nothing about
 * a secret or a key.
 */
export async function authenticateClient(
  server: ClientAuthentication,
  parameters: Parameters,
  authorization: string | undefined,
): Promise<Authenticated> {
  const presented = presentedCredentials(parameters, authorization);
  if (presented.kind === 'refusal') return presented;
  const { clients, rates } = server;
  const { clientId } = presented.credentials;
  const claimedId = clientId.slice(0, longestClientId);
  const [client, asked] = await Promise.all([clients.find(claimedId), rates.claimed(claimedId)]);
  if (client?.clientId === clientId) server.noteCaller({ clientId });
  if (asked.kind === 'limited') return refuseForRate(asked.retryAfterSeconds);
  const tries = rates.mayTry(claimedId);
  if (tries.kind === 'limited') return refuseForRate(tries.retryAfterSeconds);
  const { wrong, secret } = await verifyCredentials(server, client, presented.credentials);
  if (client === undefined || wrong !== undefined) {
    const failed = await rates.failed(claimedId);
    if (failed.kind === 'limited') return refuseForRate(failed.retryAfterSeconds);
    const refusal = refuseToken('invalid_client', 'client authentication failed', wrong ?? 'client_unknown');
    return client === undefined ? refusal : { ...refusal, claimed: client };
  }
  if (secret !== undefined) {
    server.secretUses.used(secret);
    server.noteCaller({
      clientId,
      secretId: client.secrets.find(({ sha256 }) => sha256 === secret)?.secretId,
    });
  }
  // Calls of a public client are not counted here: everybody knows its ID, so anybody could use up its limit and lock out its members.
  if (client.tokenEndpointAuthMethod === 'none') return { kind: 'authenticated', client };
  const called = await rates.proven(clientId);
  return called.kind === 'allowed'
    ? { kind: 'authenticated', client }
    : refuseForRate(called.retryAfterSeconds);
}

/** Authenticates the client of a request and records the refusal of a registered application. */
export async function authenticateRecorded(
  server: ClientAuthentication & RefusalRecord,
  action: AuditAction,
  { parameters, authorization, context }: TokenRequest,
): Promise<Authenticated> {
  const authenticated = await authenticateClient(server, parameters, authorization);
  return authenticated.kind === 'refusal'
    ? await recordRefusal(server, context, action, authenticated, authenticated.claimed)
    : authenticated;
}

interface RefusalRecord {
  readonly audit: AuditTrail;
  readonly random: Random;
  readonly now: () => number;
}

/**
 * Records the refusal of a registered application's request in the audit. Requests with unknown client IDs are only logged, because they
 * could fill the audit.
 */
export async function recordRefusal(
  { audit, now, random }: RefusalRecord,
  context: AuditContext,
  action: AuditAction,
  { refusal }: TokenRefusal,
  client: OAuthClient | undefined,
): Promise<TokenRefusal> {
  if (client !== undefined) {
    const { clientId } = client;
    const decision = {
      action,
      outcome: 'refused',
      reason: refusal.reason,
      actor: clientId,
      clientId,
    } as const;
    await audit.record(auditEvent(context, decision, now(), random.uuid()));
  }
  return { kind: 'refusal', refusal };
}

interface Proof {
  /** Reason why the credentials do not authenticate the client; absent if they do. */
  readonly wrong?: string | undefined;
  /** SHA-256 (hex) of the secret that authenticates the client. */
  readonly secret?: string | undefined;
}

/** Verifies the presented credentials. Verifying a valid assertion counts as its one use. */
async function verifyCredentials(
  { digests, assertions, now }: ClientAuthentication,
  client: OAuthClient | undefined,
  { clientId, secret, assertion }: PresentedCredentials,
): Promise<Proof> {
  const owned = secret === undefined ? undefined : ownedSecret(digests, client, secret, now());
  if (client === undefined || client.clientId !== clientId) return { wrong: 'client_unknown' };
  const inactive = client.state === 'active' ? undefined : 'client_inactive';
  if (assertion !== undefined) {
    if (client.tokenEndpointAuthMethod !== 'private_key_jwt') return { wrong: 'method_not_registered' };
    return { wrong: inactive ?? (await assertions.refusal(client, assertion)) };
  }
  const proven = authenticatesWithSecret(client)
    ? owned !== undefined
    : client.tokenEndpointAuthMethod === 'none' && secret === undefined;
  return proven ? { wrong: inactive, secret: owned } : { wrong: 'client_secret_wrong' };
}

/**
 * Compares a secret with the client's. A client has at most two live secrets, so that a rotation interrupts no call; a secret is not
 * accepted after its `expiresAt`.
 *
 * @returns SHA-256 (hex) of the secret if it is one of the client's.
 */
function ownedSecret(
  digests: Digests,
  client: OAuthClient | undefined,
  secret: string,
  nowMs: number,
): string | undefined {
  const presented = digests.sha256Hex(secret);
  const [first, second] = client?.secrets ?? [];
  const matches = [first, second].map((live) => {
    const same = digests.equal(presented, live?.sha256 ?? 'none');
    return same && live !== undefined && (live.expiresAt === undefined || Date.parse(live.expiresAt) > nowMs);
  });
  return matches.includes(true) ? presented : undefined;
}
