/** Bodies of the portal API's responses about asynchronous jobs of Payer Access. Times are ISO 8601 in UTC. None contains member data. */

import type { JobKind } from '../../catalog/payer/job-kinds.ts';
import type { JobState } from '../../catalog/payer/job-states.ts';

export interface JobView {
  readonly jobId: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly clientId: string;
  /** Absent where the client was not registered in the portal. */
  readonly application?: {
    readonly applicationId: string;
    readonly name: string;
    /** Company of the account that registered it. */
    readonly company?: string;
  };
  /** Members it is about, and those that are done. */
  readonly members: number;
  readonly done: number;
  readonly acceptedAt: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** The job's data can't be read after this time. */
  readonly expiresAt: string;
}

/** `GET /api/operations/jobs/{environment}/{lob}`: newest first. */
export interface JobListView {
  readonly jobs: readonly JobView[];
  /** The query parameter `after` of the page with older jobs. */
  readonly next?: string;
}

/** `GET /api/operations/jobs/{environment}/{lob}/{jobId}` */
export interface JobDetailView extends JobView {
  /** Parts that are done. Part 0 is made of all others. */
  readonly parts: readonly {
    readonly part: number;
    readonly files: readonly { readonly name: string; readonly list: string; readonly count: number }[];
  }[];
}
