import type { Environment } from '../catalog/environments.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { TokenAuthority } from '../catalog/token-authority.ts';
import type { Sha256, StoredEvent } from './event-digest.ts';
import type { Leaf, Seal } from './seal.ts';

/** What the events of a window look like now, from the index. */
export interface WindowEvents {
  /** In no order. @param startMs first millisecond of a window */
  inWindow(authority: TokenAuthority, startMs: number): Promise<readonly Leaf[]>;
}

/** Seals as they are kept: added and never changed. */
export interface SealReader {
  last(authority: TokenAuthority): Promise<Seal | undefined>;
  /** Up to `limit` seals from this number on, in order. */
  from(authority: TokenAuthority, sequence: number, limit: number): Promise<readonly Seal[]>;
  /** The leaves under a root, in order; fewer where some were taken out. */
  leaves(authority: TokenAuthority, root: string): Promise<readonly Leaf[]>;
}

export interface SealStore extends SealReader {
  /** @returns false where another run has sealed with this number. Leaves are durable before their seal. */
  add(seal: Seal, leaves: readonly Leaf[]): Promise<boolean>;
}

export interface EventReader {
  /** The events as they are stored, in the keys' order. */
  read(keys: readonly Pick<Leaf, 'pk' | 'sk'>[]): Promise<readonly (StoredEvent | undefined)[]>;
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
  readonly events: WindowEvents;
  readonly seals: SealStore;
  /** MAC over a text, base64. */
  readonly authenticate: (text: string) => Promise<string>;
  readonly sha256: Sha256;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Verification {
  readonly events: WindowEvents & EventReader;
  readonly seals: SealReader;
  /** Whether the MAC is one of ours over the text. */
  readonly authentic: (text: string, mac: string) => Promise<boolean>;
  readonly sha256: Sha256;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
