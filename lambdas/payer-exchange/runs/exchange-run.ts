/** A run: one other payer asked about many members of a line of business. Its phases, and what is kept of it. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';

/** The phases of a run, in their order. */
export const runPhases = ['match', 'export', 'download', 'translate', 'load'] as const;
export type RunPhase = (typeof runPhases)[number];

export const runStates = ['running', 'complete', 'failed'] as const;
export type RunState = (typeof runStates)[number];

/** Limits of a run, each against a payer that answers wrongly or endlessly. */
export const runLimits = {
  /** Members that one run asks about. */
  members: 2_000,
  /** Members in the first request of a match; halved after a 413. */
  membersInMatch: 500,
  /** Bytes of a manifest, and of a file of a match. */
  documentBytes: 64 * 1024 * 1024,
  /** Bytes of one file of an export. */
  fileBytes: 8 * 1024 * 1024 * 1024,
  /** Files of an export; those of a drop are fewer than 500. */
  files: 400,
  /** Bytes that one step downloads before it writes down how far it came. */
  chunkBytes: 16 * 1024 * 1024,
  /** Seconds that one step works before it hands over to the next. */
  stepSeconds: 60,
  /** Seconds until a payer that answers nothing useful has failed the run. */
  troubleSeconds: 24 * 60 * 60,
  /** Bounds of a wait, in seconds, whatever `Retry-After` says. */
  leastWait: 2,
  mostWait: 15 * 60,
  /** Rows of rejected data that are kept. */
  keptRejects: 10_000,
} as const;

/** One request of a match. */
export interface MatchBatch {
  /** Positions in the run's list of members: from `from` up to, but not including, `to`. */
  readonly from: number;
  readonly to: number;
  /** Address of the match's status, once it was sent. */
  readonly status?: string | undefined;
  readonly isDone?: true | undefined;
}

/** The export of one Group. */
export interface GroupExport {
  readonly groupId: string;
  /** Whether the payer exports by Bulk Data's own `$export`, because it does not know `$davinci-data-export`. */
  readonly isPlain?: true | undefined;
  readonly status?: string | undefined;
  /** `transactionTime` of the manifest, ISO 8601. */
  readonly transactionTime?: string | undefined;
}

/** A file of an export. */
export interface ExportFile {
  readonly url: string;
  /** Resource type, by the manifest. */
  readonly type: string;
  readonly withToken: boolean;
  /** Whether the stored bytes are gzipped, as the payer sent them. */
  readonly isGzipped?: true | undefined;
  /** Bytes that are stored, and the number of objects that have them. */
  readonly bytes: number;
  readonly chunks: number;
  readonly isDownloaded?: true | undefined;
  readonly transactionTime: string;
}

/** A file of the drop that the run makes. */
export interface DropFile {
  readonly name: string;
  readonly type: string;
  readonly rows: number;
  readonly sha256: string;
}

export interface RunCounts {
  readonly matched: number;
  readonly notMatched: number;
  readonly constrained: number;
  readonly rows: number;
  readonly rejected: number;
  /** Requests sent to the payer. */
  readonly calls: number;
}

/** A run, as the store has it. Times are ISO 8601. */
export interface ExchangeRun {
  readonly runId: string;
  readonly lob: LineOfBusiness;
  readonly payerId: string;
  readonly state: RunState;
  readonly phase: RunPhase;
  /** Time from which changes are asked for: `transactionTime` of the last export of the same members. */
  readonly since?: string | undefined;
  readonly members: number;
  readonly batches: readonly MatchBatch[];
  readonly exports: readonly GroupExport[];
  readonly files: readonly ExportFile[];
  readonly drop: readonly DropFile[];
  /** Files of the export that are translated. */
  readonly translated: number;
  readonly counts: RunCounts;
  /** Start of the trouble that the run has with the payer, if the last step had one. */
  readonly troubleSince?: string | undefined;
  readonly because?: string | undefined;
  readonly startedAt: string;
  readonly endedAt?: string | undefined;
  readonly revision: number;
}

export const noCounts: RunCounts = {
  matched: 0,
  notMatched: 0,
  constrained: 0,
  rows: 0,
  rejected: 0,
  calls: 0,
};

/** A member of a run. */
export interface RunMember {
  readonly patientId: string;
  readonly exchangeId: string;
}

/** Key prefix of a run's objects, below the LOB's prefix. */
export const runFolder = (runId: string): string => `exchanges/${runId}/`;
/** Key of the run's list of members: a JSON array of `RunMember`. */
export const runMembersKey = (runId: string): string => `${runFolder(runId)}members.json`;
/** Key of the members that a batch matched: a JSON array of `MemberThere`. */
export const runMatchesKey = (runId: string, batch: number): string =>
  `${runFolder(runId)}matches-${batch}.json`;
/** Key of a chunk of a downloaded file. */
export const runChunkKey = (runId: string, file: number, chunk: number): string =>
  `${runFolder(runId)}files/${file}-${String(chunk).padStart(5, '0')}`;
/** Key of the rejected rows of a file: NDJSON. */
export const runRejectsKey = (runId: string, file: number): string =>
  `${runFolder(runId)}rejects-${file}.ndjson`;

/** Name of the source of a payer's drops. */
export const dropSource = (payerId: string): string => `payer-${payerId}`;
