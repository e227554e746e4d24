/**
 * Ports of provisioning: registry, API keys, usage, log of calls, encryption of credentials. The adapters write clients, key lookups and API
 * Gateway's keys, and have no access to members' data.
 */

import type { Environment } from '../../catalog/environments.ts';
import type { Client } from './client.ts';
import type {
  CallFilter,
  CallPosition,
  DataFreshness,
  LoggedCall,
  ProvisioningRequest,
} from './provisioning-contract.ts';

/** Dependencies of provisioning; adapters in `clients/store` and `clients/aws` implement them. */
export interface ProvisioningServices {
  readonly environment: Environment;
  /** Audience of this environment's client-credentials tokens; `<id>/.default` is their scope. */
  readonly resourceId: string;
  /** Tiers of this environment, each with a usage plan. */
  readonly tiers: readonly string[];
  readonly registry: ClientRegistry;
  readonly keys: SubscriptionKeyService;
  readonly callLog: CallLog;
  readonly cipher: CredentialCipher;
  /** Reads for each source of each LOB whether its next drop is late. */
  readonly freshness: () => Promise<readonly DataFreshness[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: {
    /** Makes random bytes as base64url without padding. */
    token(bytes: number): string;
    uuid(): string;
  };
  /** SHA-256 of a text, hex. */
  readonly sha256: (text: string) => string;
}

/** A request that changes a client. It has a request ID, is carried out once, and is audited. */
export type ProvisioningAct = Exclude<
  ProvisioningRequest,
  { readonly action: 'describe' | 'usage' | 'credentials' | 'calls' | 'health' }
>;

/** A request that was carried out, kept for a day so that a repeat gets the same answer. */
export interface CompletedRequest {
  readonly requestId: string;
  readonly action: ProvisioningAct['action'];
  /** SHA-256 of the whole request: the request ID is refused for a different request. */
  readonly fingerprint: string;
  readonly clientId: string;
  /** The answer as JSON, encrypted for the client, since it may contain credentials. */
  readonly encryptedAnswer: string;
  /** API Gateway's ID of the key that this request made. */
  readonly apiKeyId?: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** A change of a client, written in one transaction. */
export interface Commit {
  /** The client that the decision was based on; absent for a new client. */
  readonly before?: Client;
  readonly after: Client;
  readonly request: CompletedRequest;
  /** Id of the audit event. */
  readonly eventId: string;
}

export interface ClientRegistry {
  client(clientId: string): Promise<Client | undefined>;
  request(requestId: string): Promise<CompletedRequest | undefined>;
  /**
   * Reads the last day (`YYYY-MM-DD`, UTC) on which each secret of the client was accepted, by the secret's SHA-256. Secrets that were
   * never used are absent.
   */
  secretDays(client: Client): Promise<ReadonlyMap<string, string>>;
  /**
   * Writes client, key lookups, request and audit event in one transaction.
   *
   * @returns false if the client is no longer `before`, or the request was carried out already; then nothing is written.
   */
  commit(commit: Commit): Promise<boolean>;
  /** Records that a repeated request returned its credentials again. */
  auditRepeat(request: CompletedRequest, eventId: string, time: string): Promise<void>;
  /** Records that a client's secrets and keys are shown, before they are. */
  auditView(view: {
    readonly clientId: string;
    readonly requestId: string;
    readonly eventId: string;
    readonly time: string;
  }): Promise<void>;
}

/** A subscription key in API Gateway. */
export interface GatewayKey {
  readonly apiKeyId: string;
  readonly value: string;
  /** The client that the key was made for. */
  readonly clientId: string;
}

/** API Gateway's API keys and usage plans. Every operation except `create` may be repeated. */
export interface SubscriptionKeyService {
  /** Finds the key that an earlier attempt at this request made. */
  find(requestId: string): Promise<GatewayKey | undefined>;
  /** Creates an enabled key, which `find` then finds by its request. Call `find` first: each call of `create` makes another key. */
  create(key: {
    readonly requestId: string;
    readonly clientId: string;
    readonly value: string;
  }): Promise<GatewayKey>;
  attach(apiKeyId: string, tier: string): Promise<void>;
  detach(apiKeyId: string, tier: string): Promise<void>;
  enable(apiKeyId: string, enabled: boolean): Promise<void>;
  delete(apiKeyId: string): Promise<void>;
  /**
   * Reads a key's value.
   *
   * @returns undefined if the key no longer exists.
   */
  value(apiKeyId: string): Promise<string | undefined>;
  /** Reads the number of requests of each day from `from` to `to`, both inclusive (`YYYY-MM-DD`); empty if the key no longer exists. */
  usage(apiKeyId: string, tier: string, from: string, to: string): Promise<readonly DailyUsage[]>;
}

export interface DailyUsage {
  readonly date: string;
  readonly used: number;
  readonly remaining: number;
}

/**
 * The log of calls: API Gateway's access logs of the metered hosts, and the token functions' lines. A line appears some seconds after its
 * call.
 */
export interface CallLog {
  /**
   * Lists calls, newest first and within a millisecond in descending order of request ID, at most `limit`. No call between the listed ones
   * is left out. `next` is set if older calls may exist: the page may then be shorter than `limit`, or empty, because the log was slow.
   *
   * @param from inclusive, `to` exclusive; milliseconds since 1970.
   * @throws Error if nothing could be read in time.
   */
  calls(query: {
    readonly clientId: string;
    readonly from: number;
    readonly to: number;
    /** Lists only calls after this position in the list. */
    readonly before?: CallPosition;
    readonly filter?: CallFilter;
    readonly limit: number;
  }): Promise<{ readonly calls: readonly LoggedCall[]; readonly next?: CallPosition }>;
  /**
   * Finds the newest call with each key, refused ones included, and the newest token request that each secret authenticated: milliseconds
   * since 1970 by API Gateway's key ID or the secret's ID. One without a call in the range is absent.
   *
   * @param from inclusive, `to` exclusive; milliseconds since 1970.
   * @returns undefined if the log does not answer in time.
   */
  lastCalls(query: {
    readonly apiKeyIds: readonly string[];
    readonly secretIds: readonly string[];
    readonly from: number;
    readonly to: number;
  }): Promise<ReadonlyMap<string, number> | undefined>;
}

/** Encrypts values that are displayed later. A ciphertext is bound to its client: it can't be decrypted in another client's context. */
export interface CredentialCipher {
  /**
   * Encrypts a text.
   *
   * @returns base64.
   */
  encrypt(plaintext: string, clientId: string): Promise<string>;
  decrypt(encrypted: string, clientId: string): Promise<string>;
}
