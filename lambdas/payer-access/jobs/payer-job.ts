/** Asynchronous job of Payer Access: its states, and what the store keeps of it. */

import type { JobKind } from '../../catalog/payer/job-kinds.ts';
import type { JobState } from '../../catalog/payer/job-states.ts';
import type { Transition } from '../../platform/kernel/transition.ts';

/** Every act on a job, with the states it starts from and the state it leads to. The store enforces them by conditions. */
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

/** A job as the store keeps it. Times are ISO 8601. */
export interface Job {
  readonly jobId: string;
  readonly kind: JobKind;
  readonly clientId: string;
  readonly state: JobState;
  /** URL of the request that began it, as the manifest repeats it. */
  readonly request: string;
  /** Granted scopes of the token it began with. */
  readonly scope: string;
  /** API Gateway's ID of the request, which stands in the audit events of the job. */
  readonly requestId: string;
  readonly clientRequestId?: string | undefined;
  /** Parameters of its kind, serialized. */
  readonly parameters: string;
  /** Executions it has had; more than one where an execution ended without it. */
  readonly attempt: number;
  /** Members it is about, and those that are done. */
  readonly members: number;
  readonly done: number;
  readonly acceptedAt: string;
  readonly startedAt?: string | undefined;
  readonly endedAt?: string | undefined;
  /** Seconds since 1970: nothing of it can be read afterwards. */
  readonly expiresAt: number;
}

/** A file of a job's manifest. */
export interface JobFile {
  /** `<part>.<type>.<number>.ndjson`. */
  readonly name: string;
  /** List of the manifest it stands in. */
  readonly list: 'output' | 'error';
  /** Resource type of its lines. */
  readonly type: string;
  /** Lines. */
  readonly count: number;
  /** Whether the file has an index of the members its lines are about. Such a file is sent only while each of these members may still be disclosed to the payer. */
  readonly hasMembers: boolean;
}

/** A part of a job that is done. Part 0 is what is made of all others. */
export interface JobPart {
  readonly part: number;
  readonly members: number;
  readonly files: readonly JobFile[];
}

/** Members of a part, by their positions: `from` inside, `to` not. */
export interface JobRange {
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

/** The parts of a job, from 1. */
export function rangesOf(members: number, membersInPart: number): readonly JobRange[] {
  return Array.from({ length: Math.ceil(members / membersInPart) }, (_, at) => ({
    part: at + 1,
    from: at * membersInPart,
    to: Math.min(members, (at + 1) * membersInPart),
  }));
}

/** Key prefix of a job's objects. The LOB is the bucket's, so that a key names the job alone. */
export function jobFolder(jobId: string): string {
  return `jobs/${jobId}/`;
}

/** Number of a part as it stands in the names of objects, which sort by it: `000001`. */
export function partNumber(part: number): string {
  return String(part).padStart(6, '0');
}

/** Key of the object with the members of a part: a JSON array of what the kind of job needs of each. */
export function jobInputKey(jobId: string, part: number): string {
  return `${jobFolder(jobId)}input/${partNumber(part)}.json`;
}

/** Key prefix of the objects that the parts of a job leave for its last step. */
export function jobResultsFolder(jobId: string): string {
  return `${jobFolder(jobId)}results/`;
}

/** Key of what a part leaves for the last step: a JSON array. */
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
