/**
 * Ports of provisioning: registry, API keys, usage, access log, encryption of credentials. Called by the acts of `provisioning` only; the
 * adapters write clients, key lookups and API Gateway's keys, and reach no member's data.
 */

import type { Environment } from '../../catalog/environments.ts';
import type { Client } from './client.ts';
import type {
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
  /** The usage-plan tiers of this environment. */
  readonly tiers: readonly string[];
  readonly registry: ClientRegistry;
  readonly keys: SubscriptionKeyService;
  readonly accessLog: AccessLog;
  readonly cipher: CredentialCipher;
  /** For each source of each LOB, whether its next drop is late. */
  readonly freshness: () => Promise<readonly DataFreshness[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: {
    /** Random bytes, base64url without padding. */
    token(bytes: number): string;
    uuid(): string;
  };
  /** SHA-256 of a text, hex. */
  readonly sha256: (text: string) => string;
}

/** An act that changes a client: it has a request ID, is carried out once, and is audited. */
export type ProvisioningAct = Exclude<
  ProvisioningRequest,
  { readonly action: 'describe' | 'usage' | 'credentials' | 'calls' | 'health' }
>;

/** A request that was carried out, kept for a day so that its repeat is answered alike. */
export interface CompletedRequest {
  readonly requestId: string;
  readonly action: ProvisioningAct['action'];
  /** SHA-256 of the whole request: a request id reused for something else is refused. */
  readonly fingerprint: string;
  readonly clientId: string;
  /** The answer as JSON, encrypted for the client: it may hold credentials. */
  readonly encryptedAnswer: string;
  /** The API Gateway key this request made. */
  readonly apiKeyId?: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** A change of a client, written whole or not at all. */
export interface Commit {
  /** The client the decision was made on; absent for a new one. */
  readonly before?: Client;
  readonly after: Client;
  readonly request: CompletedRequest;
  /** Id of the audit event. */
  readonly eventId: string;
}

export interface ClientRegistry {
  client(clientId: string): Promise<Client | undefined>;
  request(requestId: string): Promise<CompletedRequest | undefined>;
  /** The last day (`YYYY-MM-DD`, UTC) on which each secret of the client was accepted, by the secret's SHA-256; absent if none was. */
  secretDays(client: Client): Promise<ReadonlyMap<string, string>>;
  /**
   * Writes client, key lookups, request and audit event in one transaction.
   *
   * @returns false when the client is no longer `before`, or the request was carried out already: nothing is written.
   */
  commit(commit: Commit): Promise<boolean>;
  /** Records that a repeat gave the credentials of a request out again. */
  auditRepeat(request: CompletedRequest, eventId: string, time: string): Promise<void>;
  /** Records that a client's secrets and keys are shown; done before they are. */
  auditView(view: {
    readonly clientId: string;
    readonly requestId: string;
    readonly eventId: string;
    readonly time: string;
  }): Promise<void>;
}

/** A subscription key as API Gateway holds it. */
export interface GatewayKey {
  readonly apiKeyId: string;
  readonly value: string;
  /** The client it was made for. */
  readonly clientId: string;
}

/** API Gateway's keys and usage plans. Every operation but `create` may be repeated without harm. */
export interface SubscriptionKeyService {
  /** The key an earlier attempt at this request made. */
  find(requestId: string): Promise<GatewayKey | undefined>;
  /** Makes an enabled key that `find` finds by its request. Call `find` first: this method always makes another key. */
  create(key: {
    readonly requestId: string;
    readonly clientId: string;
    readonly value: string;
  }): Promise<GatewayKey>;
  attach(apiKeyId: string, tier: string): Promise<void>;
  detach(apiKeyId: string, tier: string): Promise<void>;
  enable(apiKeyId: string, enabled: boolean): Promise<void>;
  delete(apiKeyId: string): Promise<void>;
  /** The key's value; undefined for a key that no longer exists. */
  value(apiKeyId: string): Promise<string | undefined>;
  /** Requests of each day, `from` and `to` included (`YYYY-MM-DD`); empty for a key that no longer exists. */
  usage(apiKeyId: string, tier: string, from: string, to: string): Promise<readonly DailyUsage[]>;
}

export interface DailyUsage {
  readonly date: string;
  readonly used: number;
  readonly remaining: number;
}

/** The gateway's access log of this environment's hosts. Entries appear some seconds after the call. */
export interface AccessLog {
  /**
   * @param from inclusive, `to` exclusive; milliseconds since 1970.
   * @returns newest first, in one millisecond by request id downwards, at most `limit`. With `next` there may be older ones in the
   * range, after that place in the list: the page may be shorter than `limit`, or empty, where the log took too long to be read
   * further back. None is left out before that place.
   * @throws where the log told nothing in time.
   */
  calls(query: {
    readonly clientId: string;
    readonly from: number;
    readonly to: number;
    /** Only calls after this place in the list. */
    readonly before?: CallPosition;
    readonly limit: number;
  }): Promise<{ readonly calls: readonly LoggedCall[]; readonly next?: CallPosition }>;
  /**
   * The newest call with each key, refused ones included: milliseconds since 1970, by the id API Gateway has given the key.
   *
   * @param from inclusive, `to` exclusive; milliseconds since 1970. A key no call was made with in the range is absent.
   * @returns undefined where the log does not answer in time: credentials are shown without it.
   */
  lastCalls(query: {
    readonly apiKeyIds: readonly string[];
    readonly from: number;
    readonly to: number;
  }): Promise<ReadonlyMap<string, number> | undefined>;
}

/** Encrypts a value for a later display, bound to the client: another client's context can't decrypt it. */
export interface CredentialCipher {
  /** @returns base64. */
  encrypt(plaintext: string, clientId: string): Promise<string>;
  decrypt(encrypted: string, clientId: string): Promise<string>;
}
