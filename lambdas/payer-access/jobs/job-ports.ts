/**
 * Ports of asynchronous jobs: their ledger, their files, and the state machine. Called by requests of payers, the steps of a job, operators
 * and the sweep; the adapters reach the jobs of one LOB and its keys of the bucket.
 */

import type { Environment } from '../../catalog/environments.ts';
import type { RateVerdict } from '../../platform/kernel/rates.ts';
import type { Job, JobAct, JobPart } from './payer-job.ts';

/** An operator's act on a job, for its audit event. */
export interface OperatorAct {
  readonly environment: Environment;
  /** A UUID. */
  readonly eventId: string;
  readonly requestId: string;
  /** The operator's account in the portal, where the act comes from the console. */
  readonly operatorId?: string | undefined;
}

/** A job that waits or runs. Times are ISO 8601. */
export interface JobInLine {
  readonly jobId: string;
  /** Organization of the application, among which the turns are divided. */
  readonly payer: string;
  readonly acceptedAt: string;
  /** Absent while it waits. */
  readonly startedAt?: string | undefined;
}

/** The last turn of a LOB's line. */
export interface Turn {
  /** Number of jobs that were started. */
  readonly number: number;
  /** Payers in the order of their last turns, the latest at the end. */
  readonly recent: readonly string[];
}

/** The ledger of the jobs of one LOB. Every write is conditional. */
export interface JobStore {
  /**
   * Writes an accepted job, counts it and puts it into the line, all or nothing.
   *
   * @param payer organization of its application.
   * @returns false where its application has as many jobs as it may have.
   * @throws StoreUnavailable
   */
  accept(job: Job, payer: string): Promise<boolean>;
  /** Jobs that wait or run, in the order of their acceptance. @throws StoreUnavailable */
  line(): Promise<readonly JobInLine[]>;
  /** @throws StoreUnavailable */
  turn(): Promise<Turn>;
  /**
   * Starts a job that waits.
   *
   * @param turn as it was before the line was read.
   * @returns false where another was started since, or the job does not wait anymore.
   * @throws StoreUnavailable
   */
  start(job: JobInLine, turn: Turn, at: string): Promise<boolean>;
  /** Counts another execution of a job. @param attempt the last one's number. @throws StoreUnavailable */
  startAgain(jobId: string, attempt: number): Promise<void>;
  /** Jobs of an application that have not ended. Another request may begin one meanwhile: `accept` decides. @throws StoreUnavailable */
  activeJobs(clientId: string): Promise<number>;
  /** @throws StoreUnavailable */
  job(jobId: string): Promise<Job | undefined>;
  /**
   * Carries out an act of `jobTransitions`, uncounts a job that ends, and takes it out of the line.
   *
   * @param operator who acts, if not the application; the audit event is in the same transaction.
   * @returns false where the job is in another state.
   * @throws StoreUnavailable
   */
  act(
    job: Pick<Job, 'jobId' | 'clientId' | 'acceptedAt'>,
    act: Exclude<JobAct, 'start'>,
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

/** Executions of the state machine of a LOB's jobs, by their names. */
export interface JobExecutions {
  /** Starts an execution; a repeat is the same execution. @throws StoreUnavailable */
  start(jobId: string, expiresAt: number, name: string): Promise<void>;
  /** @throws StoreUnavailable */
  isRunning(name: string): Promise<boolean>;
}

/** The files and the state machine of jobs: all they need beside their ledger. */
export interface PayerJobServices {
  readonly files: JobFiles;
  readonly machine: JobExecutions;
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
