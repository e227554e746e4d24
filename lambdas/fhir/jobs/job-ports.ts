/** Ports of asynchronous jobs: their ledger, their files, and the state machine. */

import type { Environment } from '../../catalog/environments.ts';
import type { RateVerdict } from '../../kernel/rates.ts';
import type { Job, JobAct, JobPart } from './job.ts';

/** An operator's act on a job, for its audit event. */
export interface OperatorAct {
  readonly environment: Environment;
  /** A UUID. */
  readonly eventId: string;
  readonly requestId: string;
  /** The operator's account in the portal, where the act comes from the console. */
  readonly operatorId?: string | undefined;
}

/** The ledger of the jobs of one LOB. Every write is conditional. */
export interface JobStore {
  /**
   * Writes an accepted job and counts it, both or neither.
   *
   * @returns false where its application has as many jobs as it may have.
   * @throws StoreUnavailable
   */
  accept(job: Job): Promise<boolean>;
  /** Jobs of an application that have not ended. Another request may begin one meanwhile: `accept` decides. @throws StoreUnavailable */
  activeJobs(clientId: string): Promise<number>;
  /** @throws StoreUnavailable */
  job(jobId: string): Promise<Job | undefined>;
  /**
   * Carries out an act of `jobTransitions`, and uncounts a job that ends.
   *
   * @param operator who acts, if not the application; the audit event is in the same transaction.
   * @returns false where the job is in another state.
   * @throws StoreUnavailable
   */
  act(
    job: Pick<Job, 'jobId' | 'clientId'>,
    act: JobAct,
    at: string,
    operator?: OperatorAct,
  ): Promise<boolean>;
  /** @throws StoreUnavailable */
  part(jobId: string, part: number): Promise<JobPart | undefined>;
  /** Parts in their order. @throws StoreUnavailable */
  parts(jobId: string): Promise<readonly JobPart[]>;
  /**
   * Records that a part is done, once, while the job is running.
   *
   * @returns false where it was recorded before, or the job is not running.
   * @throws StoreUnavailable
   */
  finishPart(job: Job, part: JobPart): Promise<boolean>;
  /** A page of the jobs, newest first. @param after `next` of the page before. @throws StoreUnavailable */
  jobs(most: number, after?: string): Promise<{ readonly jobs: readonly Job[]; readonly next?: string }>;
}

/** Objects of one LOB in the bucket of jobs. Each method throws StoreUnavailable where the bucket can't be reached. */
export interface JobFiles {
  /** Writes an object; it is stored as gzip. */
  put(key: string, text: string): Promise<void>;
  readText(key: string): Promise<string | undefined>;
  /** Keys that begin with a prefix. */
  keys(prefix: string): Promise<readonly string[]>;
  remove(keys: readonly string[]): Promise<void>;
  /** A signed address from which the object can be read for some seconds, without other credentials. */
  signedUrl(key: string, contentType: string, seconds: number): Promise<string>;
}

export interface JobStarter {
  /** Starts the execution of a job; a repeat is the same execution. @throws StoreUnavailable */
  start(jobId: string, expiresAt: number): Promise<void>;
}

/** Quota of the members of an application's jobs, so many in a window of time. */
export interface MemberQuota {
  /** Counts the members of a request, all or none. @throws StoreUnavailable */
  reserve(clientId: string, members: number): Promise<RateVerdict>;
  /**
   * Takes back those that need not count.
   *
   * @param at when they were counted, in milliseconds since 1970.
   * @throws StoreUnavailable
   */
  giveBack(clientId: string, members: number, at: number): Promise<void>;
}
