/** Ports of a run: its store, its objects, the drop it makes, the other payer's server, and the member's record. */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { Sha256 } from '../../platform/kernel/digests.ts';
import type { PlanIdentity } from '../exchange/match-request.ts';
import type { MemberExchanges } from '../exchange/member-exchanges-port.ts';
import type { OtherPayer } from '../payers/other-payer.ts';
import type { ExchangeRun } from './exchange-run.ts';

export interface ExchangeRuns {
  find(runId: string): Promise<ExchangeRun | undefined>;
  /**
   * Creates a run and takes the turn of its payer.
   *
   * @returns false if another run asks this payer for this LOB
   */
  begin(run: ExchangeRun): Promise<boolean>;
  /** Stores a run that is still as it was read; gives the turn back with one that has ended. @returns false if it has changed */
  save(run: ExchangeRun): Promise<boolean>;
  /** The newest runs. */
  list(most: number): Promise<readonly ExchangeRun[]>;
}

/** Objects of runs. Keys are below the LOB's prefix. */
export interface RunFiles {
  put(key: string, body: string | Uint8Array): Promise<void>;
  read(key: string): Promise<Uint8Array | undefined>;
  keys(prefix: string): Promise<readonly string[]>;
  remove(keys: readonly string[]): Promise<void>;
}

/** The bucket of drops. Keys are whole. */
export interface DropWriter {
  put(key: string, body: string | Uint8Array, contentType: string): Promise<void>;
  readText(key: string): Promise<string | undefined>;
}

export interface PayerRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute, or a path below the payer's FHIR base. */
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Most bytes of the answer. */
  readonly mostBytes: number;
}

export interface PayerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

export interface PayerStream {
  readonly status: number;
  readonly headers: PayerAnswer['headers'];
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the transfer. */
  close(): void;
}

/**
 * The server of one other payer. Only public addresses are called; the token goes to the payer's own origin only.
 *
 * @throws PayerUnreachable
 */
export interface PayerServer {
  send(request: PayerRequest): Promise<PayerAnswer>;
  /** Opens a file from a byte on, following redirects to public addresses. */
  open(url: string, options: { readonly from: number; readonly withToken: boolean }): Promise<PayerStream>;
}

/** Error: the other payer can't be called. `reason` is a code for operators. */
export class PayerUnreachable extends Error {
  override readonly name = 'PayerUnreachable';
  readonly reason: string;
  constructor(reason: string) {
    super(`the other payer can't be reached: ${reason}`);
    this.reason = reason;
  }
}

export interface RunDependencies {
  readonly runs: ExchangeRuns;
  readonly exchanges: MemberExchanges;
  readonly files: RunFiles;
  readonly drops: DropWriter;
  readonly payer: (payerId: string) => Promise<OtherPayer | undefined>;
  readonly server: (payer: OtherPayer) => PayerServer;
  /** The Patient of a member; undefined if there is none. */
  readonly patient: (patientId: string) => Promise<unknown>;
  readonly us: PlanIdentity;
  readonly sha256: Sha256;
  /** Expands gzipped bytes. @throws Error if they are none */
  readonly gunzip: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Completes an event about a member of the run, for the transaction of an act. */
  readonly event: (
    run: ExchangeRun,
    about: Pick<AuditEvent, 'action' | 'outcome' | 'patientId' | 'exchangeId' | 'resources'>,
  ) => AuditEvent;
  readonly report: (code: 'exchange_run_failed', fields: object) => void;
}
