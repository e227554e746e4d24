/** Requests and responses of the functions `directory-build` and `directory-operations`. */

import * as z from 'zod/mini';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { TruthReport } from '../files/truth-report-contract.ts';

const lob = z.enum(lineOfBusinessCodes);

/** Request to the function `directory-build`: by the state machine of loads, and by operators. */
export const directoryBuildRequest = z.strictObject({
  lob,
  /** Publishes even if more resources are missing than is tolerated. */
  acceptLoss: z._default(z.boolean(), false),
});
export type DirectoryBuildRequest = z.infer<typeof directoryBuildRequest>;

/** Request of an operator to the function `directory-operations`. */
export const directoryOperation = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('builds'),
    lob,
    limit: z._default(z.int().check(z.minimum(1), z.maximum(50)), 20),
  }),
  z.strictObject({ action: z.literal('show'), lob }),
  /** Names the bucket of publications, where an operator uploads an NPPES file. */
  z.strictObject({ action: z.literal('bucket'), lob }),
  /** The truth report of the current publication, and an address of the list of records to correct. */
  z.strictObject({ action: z.literal('report'), lob }),
  /** Starts a build of what is loaded; `builds` tells how it ends. */
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
  /** Why nothing was published: a code and a sentence each. */
  readonly reasons?: readonly { readonly code: string; readonly message: string }[] | undefined;
  readonly resources?: Readonly<Record<string, number>> | undefined;
  /** Reasons why nothing was published, each a code and a sentence. */
  readonly bytes?: number | undefined;
}

/** A publication that is kept. */
export interface KeptPublication {
  readonly id: string;
  readonly builtAt: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly resources: Readonly<Record<string, number>>;
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
      /** Address of the gzipped NDJSON, valid for a quarter of an hour. */
      readonly findingsUrl?: string | undefined;
    }
  | { readonly kind: 'bucket'; readonly bucket: string }
  | { readonly kind: 'started' }
  | { readonly kind: 'refused'; readonly reason: 'no_directory' };
