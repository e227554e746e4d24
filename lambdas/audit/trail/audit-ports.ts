/**
 * Ports of sealing and verification: events by window, seals, the anchored heads, and where events are stored. Called by `audit-seal` and
 * `audit-verify`; adapters in `audit/store` read audit events and write seals and anchors only.
 */

import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { TokenIssuer } from '../../catalog/oauth/token-issuer.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';
import type { StoredEvent } from './event-digest.ts';
import type { Head, Leaf, ListPart, Seal } from './seal.ts';

/** One of the index partitions of an authority's window. */
export interface WindowShard {
  readonly authority: TokenIssuer;
  /** The window's first millisecond. */
  readonly startMs: number;
  readonly shard: number;
}

/** Events of a window as the index lists them now. */
export interface WindowEvents {
  /** A page of a shard's events in the order of their `sk`: those after a leaf, or all. */
  after(
    shard: WindowShard,
    leaf?: Leaf,
  ): Promise<{ readonly leaves: readonly Leaf[]; readonly more: boolean }>;
  /** A shard's events whose `sk` lies between these two, both inside; an absent one is no bound. */
  between(shard: WindowShard, from?: string, to?: string): Promise<readonly Leaf[]>;
}

/** Seals and lists as they are kept: added and never changed. */
export interface SealReader {
  last(authority: TokenIssuer): Promise<Seal | undefined>;
  /** Up to `limit` seals from this number on, in order. */
  from(authority: TokenIssuer, sequence: number, limit: number): Promise<readonly Seal[]>;
  part(shard: WindowShard, part: number): Promise<ListPart | undefined>;
}

export interface SealStore extends SealReader {
  lastPart(shard: WindowShard): Promise<ListPart | undefined>;
  /** @returns false where another run has written this part. */
  addPart(shard: WindowShard, part: ListPart): Promise<boolean>;
  /** @returns false where another run has sealed with this number. */
  add(seal: Seal): Promise<boolean>;
}

/** Heads of the chains, in a log group: a function that can write the table cannot write them. */
export interface HeadReader {
  /** Heads of an authority that were anchored between two moments (milliseconds since 1970), the oldest first. */
  between(authority: TokenIssuer, fromMs: number, untilMs: number): Promise<readonly Head[]>;
}

export interface EventReader {
  /** The events as they are stored, in the keys' order. */
  read(keys: readonly Pick<Leaf, 'pk' | 'sk'>[]): Promise<readonly (StoredEvent | undefined)[]>;
}

/** Key of an event, and the window it names. */
export interface EventPlace {
  readonly pk: string;
  readonly sk: string;
  /** IDs that the event names; empty if it names none. */
  readonly sealWindow: string;
}

export interface EventPlaces {
  /**
   * Events of one segment of the table, also those that no index lists.
   * @param after `next` of the segment before
   */
  piece(after?: string): Promise<{ readonly places: readonly EventPlace[]; readonly next?: string }>;
}

export interface PatientRecords {
  /**
   * Events of a patient's record, oldest first.
   *
   * @param after a time, or `next` of the page before
   */
  about(
    lob: LineOfBusiness,
    patientId: string,
    after: string,
    limit: number,
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly next?: string }>;
}

export interface Sealing {
  readonly environment: Environment;
  readonly events: Pick<WindowEvents, 'after'>;
  readonly seals: SealStore;
  /** MAC over a text, base64. */
  readonly authenticate: (text: string) => Promise<string>;
  readonly sha256: Sha256;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since 1970 after which a run starts no more parts. The next run continues. */
  readonly endsAt: number;
}

export interface SealVerification {
  readonly events: Pick<WindowEvents, 'between'> & EventReader;
  readonly seals: SealReader;
  readonly heads: HeadReader;
  /** Whether the MAC was made over the text by this key. */
  readonly authentic: (text: string, mac: string) => Promise<boolean>;
  readonly sha256: Sha256;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
