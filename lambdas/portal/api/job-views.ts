/** Response bodies of the portal's API about asynchronous jobs of Payer Access. Times are ISO 8601 in UTC. None contains member data. */

import type { JobKind } from '../../catalog/payer/job-kinds.ts';
import type { JobState } from '../../catalog/payer/job-states.ts';

export interface JobView {
  readonly jobId: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly clientId: string;
  /** The application of the job's client; absent where the client was not registered in the portal. */
  readonly application?: {
    readonly applicationId: string;
    readonly name: string;
    /** Company of the account that registered the application. */
    readonly company?: string;
  };
  /** Number of members in the job; `done`: number of members processed. */
  readonly members: number;
  readonly done: number;
  readonly acceptedAt: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** Time after which the job's data cannot be read. */
  readonly expiresAt: string;
}

/** `GET /api/operations/jobs/{environment}/{lob}`: newest first. */
export interface JobListView {
  readonly jobs: readonly JobView[];
  /** Value of the query parameter `after` for the page with older jobs. */
  readonly next?: string;
}

/** `GET /api/operations/jobs/{environment}/{lob}/{jobId}` */
export interface JobDetailView extends JobView {
  /** The parts that are done. Part 0 is made from all the others. */
  readonly parts: readonly {
    readonly part: number;
    readonly files: readonly { readonly name: string; readonly list: string; readonly count: number }[];
  }[];
}
