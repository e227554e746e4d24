/** Requests and responses of the functions `directory-build` and `directory-operations`. */

import * as z from 'zod/mini';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { RecordFinding, TruthReport } from '../files/truth-report-contract.ts';

const lob = z.enum(lineOfBusinessCodes);

/** A request to the function `directory-build`, from the state machine of loads or an operator. */
export const directoryBuildRequest = z.strictObject({
  lob,
  /** Publishes even if more resources are missing than tolerated. */
  acceptLoss: z._default(z.boolean(), false),
});
export type DirectoryBuildRequest = z.infer<typeof directoryBuildRequest>;

/** An operator's request to the function `directory-operations`. */
export const directoryOperation = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('builds'),
    lob,
    limit: z._default(z.int().check(z.minimum(1), z.maximum(50)), 20),
  }),
  z.strictObject({ action: z.literal('show'), lob }),
  /** Asks for the name of the bucket of publications, to which an operator uploads an NPPES file. */
  z.strictObject({ action: z.literal('bucket'), lob }),
  /** Asks for the truth report of the current publication, with a URL of the list of records to correct. */
  z.strictObject({ action: z.literal('report'), lob }),
  /** Asks for what is to fix in the directories of all LOBs: the last build, and the faults of the current publication. */
  z.strictObject({ action: z.literal('to-fix') }),
  /** Starts a build from the loaded resources; `builds` shows its result. */
  z.strictObject({ action: z.literal('publish'), lob, acceptLoss: z._default(z.boolean(), false) }),
]);
export type DirectoryOperation = z.input<typeof directoryOperation>;

export const buildStates = ['running', 'published', 'refused', 'failed', 'abandoned'] as const;
export type BuildState = (typeof buildStates)[number];

/** A build of a LOB's directory, as operators see it. Times are ISO 8601. */
export interface DirectoryBuild {
  readonly lob: LineOfBusiness;
  /** ID of the publication, if the build published one. */
  readonly id: string;
  readonly startedAt: string;
  readonly state: BuildState;
  readonly endedAt?: string | undefined;
  /** Reasons why nothing was published, each a code and a sentence. */
  readonly reasons?: readonly { readonly code: string; readonly message: string }[] | undefined;
  readonly resources?: Readonly<Record<string, number>> | undefined;
  /** Size of the publication's file, if the build published one. */
  readonly bytes?: number | undefined;
}

/** A publication that the bucket keeps. */
export interface KeptPublication {
  readonly id: string;
  readonly builtAt: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly resources: Readonly<Record<string, number>>;
}

/** Faults in the directory of a LOB. */
export interface DirectoryToFix {
  readonly lob: LineOfBusiness;
  /** Absent if there was none. */
  readonly lastBuild?: DirectoryBuild | undefined;
  /** The truth report of the current publication; absent if nothing is published. */
  readonly report?: TruthReport | undefined;
  /** Up to three records of each fault of each type. */
  readonly examples: readonly RecordFinding[];
}

export type DirectoryOperationAnswer =
  | { readonly kind: 'builds'; readonly builds: readonly DirectoryBuild[] }
  | {
      readonly kind: 'show';
      readonly current?: KeptPublication | undefined;
      readonly previous?: KeptPublication | undefined;
    }
  | {
      readonly kind: 'report';
      readonly report?: TruthReport | undefined;
      /** Signed URL of the gzipped NDJSON, valid for a quarter of an hour. */
      readonly findingsUrl?: string | undefined;
      /** The same of the gzipped CSV; absent if the publication was built by a release without it. */
      readonly csvUrl?: string | undefined;
    }
  | { readonly kind: 'to-fix'; readonly directories: readonly DirectoryToFix[] }
  | { readonly kind: 'bucket'; readonly bucket: string }
  | { readonly kind: 'started' }
  | { readonly kind: 'refused'; readonly reason: 'no_directory' };
