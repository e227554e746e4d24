/** The asynchronous job of Payer Access: its states, stored members and object keys. */

import type { JobKind } from '../../catalog/payer/job-kinds.ts';
import type { JobState } from '../../catalog/payer/job-states.ts';
import type { Transition } from '../../platform/kernel/transition.ts';

/** The acts on a job, each with the states it may start from and the state it leads to. The store enforces them by conditional writes. */
export const jobTransitions = {
  start: { from: ['accepted'], to: 'running' },
  complete: { from: ['running'], to: 'complete' },
  fail: { from: ['accepted', 'running'], to: 'failed' },
  cancel: { from: ['accepted', 'running'], to: 'cancelled' },
  remove: { from: ['complete', 'failed'], to: 'cancelled' },
  expire: { from: ['complete', 'failed', 'cancelled'], to: 'expired' },
} as const satisfies Readonly<Record<string, Transition<JobState>>>;
export type JobAct = keyof typeof jobTransitions;

/** Whether a job in this state counts against its application's quota. */
export function isActive(state: JobState): boolean {
  return state === 'accepted' || state === 'running';
}

/** A job, as the store has it. Times are ISO 8601. */
export interface Job {
  readonly jobId: string;
  readonly kind: JobKind;
  readonly clientId: string;
  readonly state: JobState;
  /** URL of the request that began the job; the manifest repeats it. */
  readonly request: string;
  /** Granted scopes of the token that began the job. */
  readonly scope: string;
  /** API Gateway's ID of the request that began the job; the job's audit events contain it. */
  readonly requestId: string;
  readonly clientRequestId?: string | undefined;
  /** Serialized parameters of the job's kind. */
  readonly parameters: string;
  /** Number of executions so far; more than one if an execution ended without completing the job. */
  readonly attempt: number;
  /** Number of members in the job; `done` of them are processed. */
  readonly members: number;
  readonly done: number;
  readonly acceptedAt: string;
  readonly startedAt?: string | undefined;
  readonly endedAt?: string | undefined;
  /** Seconds since 1970; afterwards nothing of the job can be read. */
  readonly expiresAt: number;
}

/** A file of a job's manifest. */
export interface JobFile {
  /** `<part>.<type>.<number>.ndjson`. */
  readonly name: string;
  /** The manifest's list that contains the file. */
  readonly list: 'output' | 'error';
  /** Resource type of the file's lines. */
  readonly type: string;
  /** Number of lines. */
  readonly count: number;
  /** Whether the file has an index of the members in it. Such a file is sent only while all these members may be disclosed to the payer. */
  readonly hasMembers: boolean;
}

/** A completed part of a job. Part 0 stands for the files made from all other parts. */
export interface JobPart {
  readonly part: number;
  readonly members: number;
  readonly files: readonly JobFile[];
}

/** The members of a part, by position in the request: from `from` up to, but not including, `to`. */
export interface JobRange {
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

/** The parts of a job, numbered from 1. */
export function rangesOf(members: number, membersInPart: number): readonly JobRange[] {
  return Array.from({ length: Math.ceil(members / membersInPart) }, (_, at) => ({
    part: at + 1,
    from: at * membersInPart,
    to: Math.min(members, (at + 1) * membersInPart),
  }));
}

/** Key prefix of a job's objects, below the LOB's prefix. */
export function jobFolder(jobId: string): string {
  return `jobs/${jobId}/`;
}

/** Number of a part in object names, padded so that names sort by it: `000001`. */
export function partNumber(part: number): string {
  return String(part).padStart(6, '0');
}

/** Key of the object with the members of a part: a JSON array, whose items depend on the job's kind. */
export function jobInputKey(jobId: string, part: number): string {
  return `${jobFolder(jobId)}input/${partNumber(part)}.json`;
}

/** Key prefix of the results that parts of a job leave for its last step. */
export function jobResultsFolder(jobId: string): string {
  return `${jobFolder(jobId)}results/`;
}

/** Key of the result that a part leaves for the last step: a JSON array. */
export function jobResultKey(jobId: string, part: number): string {
  return `${jobResultsFolder(jobId)}${partNumber(part)}.json`;
}

/** Key of a file of the manifest. */
export function jobFileKey(jobId: string, name: string): string {
  return `${jobFolder(jobId)}output/${name}`;
}

/** Key of the index of a file's members. */
export function fileMembersKey(jobId: string, name: string): string {
  return `${jobFolder(jobId)}members/${name}.json`;
}
