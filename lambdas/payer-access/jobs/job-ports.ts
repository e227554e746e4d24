/**
 * Ports of asynchronous jobs: their ledger, files and state machine. Called by payers' requests, the steps of a job, operators and the
 * sweep. The adapters reach one LOB's jobs, and its keys in the bucket.
 */

import type { Environment } from '../../catalog/environments.ts';
import type { RateVerdict } from '../../platform/kernel/rates.ts';
import type { Job, JobAct, JobPart } from './payer-job.ts';

/** An operator's act on a job, as the audit records it. */
export interface OperatorAct {
  readonly environment: Environment;
  /** A UUID. */
  readonly eventId: string;
  readonly requestId: string;
  /** The operator's account in the portal, if the act comes from the portal's console. */
  readonly operatorId?: string | undefined;
}

/** A waiting or running job. Times are ISO 8601. */
export interface JobInLine {
  readonly jobId: string;
  /** Organization of the application; payers take turns by organization. */
  readonly payer: string;
  readonly acceptedAt: string;
  /** Absent while the job waits. */
  readonly startedAt?: string | undefined;
}

/** State of a LOB's turns: how many jobs were started, and for which payers. */
export interface Turn {
  /** Number of jobs started so far. */
  readonly number: number;
  /** Payers in the order of their last started jobs, the latest at the end. */
  readonly recent: readonly string[];
}

/** The ledger of the jobs of one LOB. Every write is conditional. */
export interface JobStore {
  /**
   * Writes an accepted job, counts it for its application, and queues it, in one transaction.
   *
   * @param payer organization of the application.
   * @returns false if the application has as many active jobs as it may have.
   * @throws StoreUnavailable
   */
  accept(job: Job, payer: string): Promise<boolean>;
  /**
   * Waiting and running jobs, in the order of acceptance.
   *
   * @throws StoreUnavailable
   */
  line(): Promise<readonly JobInLine[]>;
  /** @throws StoreUnavailable */
  turn(): Promise<Turn>;
  /**
   * Starts a waiting job.
   *
   * @param turn the turns, read before `line`.
   * @returns false if another job was started since, or the job no longer waits.
   * @throws StoreUnavailable
   */
  start(job: JobInLine, turn: Turn, at: string): Promise<boolean>;
  /**
   * Counts a new execution of a job.
   *
   * @param attempt number of the last execution.
   * @throws StoreUnavailable
   */
  startAgain(jobId: string, attempt: number): Promise<void>;
  /**
   * Number of an application's waiting and running jobs. A concurrent request may add one; `accept` enforces the limit.
   *
   * @throws StoreUnavailable
   */
  activeJobs(clientId: string): Promise<number>;
  /** @throws StoreUnavailable */
  job(jobId: string): Promise<Job | undefined>;
  /**
   * Carries out an act of `jobTransitions`. A job that ends no longer counts for its application, and leaves the queue.
   *
   * @param operator the acting operator, if it is not the application; the audit event is written in the same transaction.
   * @returns false if the job is in another state.
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
  /**
   * The completed parts of a job, in order.
   *
   * @throws StoreUnavailable
   */
  parts(jobId: string): Promise<readonly JobPart[]>;
  /**
   * Records once that a part is done, while the job is running.
   *
   * @returns false if the part was recorded before, or the job is not running.
   * @throws StoreUnavailable
   */
  finishPart(job: Job, part: JobPart): Promise<boolean>;
  /** A page of the jobs, newest first. @param after `next` of the page before. @throws StoreUnavailable */
  jobs(most: number, after?: string): Promise<{ readonly jobs: readonly Job[]; readonly next?: string }>;
}

/** Objects of one LOB in the job bucket. Each method throws StoreUnavailable if the bucket can't be reached. */
export interface JobFiles {
  /** Writes an object, stored with gzip. */
  put(key: string, text: string): Promise<void>;
  readText(key: string): Promise<string | undefined>;
  /** Lists the keys that begin with a prefix. */
  keys(prefix: string): Promise<readonly string[]>;
  remove(keys: readonly string[]): Promise<void>;
  /** A signed URL by which the object can be read for some seconds, without other credentials. */
  signedUrl(key: string, contentType: string, seconds: number): Promise<string>;
}

/** Executions of the state machine of a LOB's jobs, by name. */
export interface JobExecutions {
  /**
   * Starts an execution; a repeat with the same name starts no second one.
   *
   * @throws StoreUnavailable
   */
  start(jobId: string, expiresAt: number, name: string): Promise<void>;
  /** @throws StoreUnavailable */
  isRunning(name: string): Promise<boolean>;
}

/** The services of jobs beside their ledger: files and state machine. */
export interface PayerJobServices {
  readonly files: JobFiles;
  readonly machine: JobExecutions;
}

/** Quota of the members that an application's jobs may be about, in a period of time. */
export interface MemberQuota {
  /**
   * Counts the members of a request, all or none of them.
   *
   * @throws StoreUnavailable
   */
  reserve(clientId: string, members: number): Promise<RateVerdict>;
  /**
   * Subtracts members that no longer count.
   *
   * @param at time when they were counted, in milliseconds since 1970.
   * @throws StoreUnavailable
   */
  giveBack(clientId: string, members: number, at: number): Promise<void>;
}
