/**
 * Ports of sealing and verification: events by window, seals, anchored heads, and the keys of all events. Called by `audit-seal` and
 * `audit-verify`. The adapters in `audit/store` read audit events, and write seals and anchors only.
 */

import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';
import type { StoredEvent } from './event-digest.ts';
import type { Head, Leaf, ListPart, Seal } from './seal.ts';

/** One of the index partitions (shards) of an issuer's window. */
export interface WindowShard {
  readonly issuer: TokenIssuer;
  /** First millisecond of the window, since 1970. */
  readonly startMs: number;
  readonly shard: number;
}

/** Events of a window, as the index lists them now. */
export interface WindowEvents {
  /** Reads a page of a shard's events in the order of `sk`, from the first or after a leaf. */
  after(
    shard: WindowShard,
    leaf?: Leaf,
  ): Promise<{ readonly leaves: readonly Leaf[]; readonly more: boolean }>;
  /** Reads a shard's events with `sk` between two bounds, both inclusive. A missing bound is no limit. */
  between(shard: WindowShard, from?: string, to?: string): Promise<readonly Leaf[]>;
}

/** Reads seals and their lists, which are never changed once written. */
export interface SealReader {
  last(issuer: TokenIssuer): Promise<Seal | undefined>;
  /** Reads up to `limit` seals in order, from the given number. */
  from(issuer: TokenIssuer, sequence: number, limit: number): Promise<readonly Seal[]>;
  part(shard: WindowShard, part: number): Promise<ListPart | undefined>;
}

export interface SealStore extends SealReader {
  lastPart(shard: WindowShard): Promise<ListPart | undefined>;
  /**
   * Writes a part of a list.
   *
   * @returns false if another run has written it.
   */
  addPart(shard: WindowShard, part: ListPart): Promise<boolean>;
  /**
   * Writes a seal.
   *
   * @returns false if another run has written a seal with this number.
   */
  add(seal: Seal): Promise<boolean>;
}

/** Reads the anchored heads of the seal chains. They are in a log group that functions with access to the table can't write to. */
export interface HeadReader {
  /** Reads an issuer's heads that were anchored between two times (milliseconds since 1970), oldest first. */
  between(issuer: TokenIssuer, fromMs: number, untilMs: number): Promise<readonly Head[]>;
}

export interface EventReader {
  /** Reads stored events by their keys. The result is in the order of the keys; an event that does not exist is undefined. */
  read(keys: readonly Pick<Leaf, 'pk' | 'sk'>[]): Promise<readonly (StoredEvent | undefined)[]>;
}

/** Key of an event, and the window in its attribute. */
export interface EventPlace {
  readonly pk: string;
  readonly sk: string;
  /** Value of the event's window attribute; empty if it has none. */
  readonly sealWindow: string;
}

export interface EventPlaces {
  /**
   * Reads the events on one page of the table's Scan, also those that are in no index.
   *
   * @param after `next` of the previous page
   */
  piece(after?: string): Promise<{ readonly places: readonly EventPlace[]; readonly next?: string }>;
}

export interface PatientRecords {
  /**
   * Reads a patient's events, oldest first.
   *
   * @param after a time, or `next` of the previous page
   */
  about(
    lob: LineOfBusiness,
    patientId: string,
    after: string,
    limit: number,
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly next?: string }>;
}

/** Signs seals with one key. Its private part never leaves KMS. */
export interface SealSigner {
  readonly keyId: string;
  /** Signs a text by ECDSA on P-256 with SHA-256: a DER signature (RFC 3279 section 2.2.3) in base64. */
  sign(text: string): Promise<string>;
}

/** Verifies the signature of a text by the public key it names. False for a key that is not the environment's. */
export type SealVerifier = (text: string, seal: Pick<Seal, 'keyId' | 'signature'>) => Promise<boolean>;

export interface Sealing {
  readonly environment: Environment;
  readonly events: Pick<WindowEvents, 'after'>;
  readonly seals: SealStore;
  readonly signer: SealSigner;
  readonly sha256: Sha256;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Time after which a run begins no further part, milliseconds since 1970. The next run continues. */
  readonly endsAt: number;
}

export interface SealVerification {
  readonly events: Pick<WindowEvents, 'between'> & EventReader;
  readonly seals: SealReader;
  readonly heads: HeadReader;
  readonly isSigned: SealVerifier;
  readonly sha256: Sha256;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
