/** Words of an asynchronous job on the operators' pages, and what an operator can do with it. */

import { type Environment, environments } from '../../../lambdas/catalog/environments.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import type { JobKind } from '../../../lambdas/catalog/payer/job-kinds.ts';
import type { JobState } from '../../../lambdas/catalog/payer/job-states.ts';
import type { JobListView, JobView } from '../../../lambdas/portal/api/job-views.ts';

export const jobKindWords: Readonly<Record<JobKind, string>> = {
  'member-match': 'Match of members',
  export: 'Export of a group',
};

interface JobStateWords {
  readonly name: string;
  readonly tag: 'neutral' | 'good' | 'waiting' | 'bad';
  readonly meaning: string;
  /** Whether the files of the parts that are done exist. */
  readonly hasFiles: boolean;
}

export const jobStateWords: Readonly<Record<JobState, JobStateWords>> = {
  accepted: { name: 'Accepted', tag: 'waiting', meaning: 'The job waits to start.', hasFiles: false },
  running: { name: 'Running', tag: 'waiting', meaning: 'The job is under way.', hasFiles: true },
  complete: {
    name: 'Complete',
    tag: 'good',
    meaning: 'The application can download the files.',
    hasFiles: true,
  },
  failed: {
    name: 'Failed',
    tag: 'bad',
    meaning:
      'The job failed at each of its attempts. Its files are removed. The application begins a new one.',
    hasFiles: false,
  },
  cancelled: {
    name: 'Cancelled',
    tag: 'neutral',
    meaning: 'The job has ended. Its files are removed.',
    hasFiles: false,
  },
  expired: {
    name: 'Expired',
    tag: 'neutral',
    meaning: 'The job is over. Its files are removed.',
    hasFiles: false,
  },
};

/** Words of a button, of its dialog, and of what it did. */
interface JobActWords {
  readonly label: string;
  readonly consequence: string;
  readonly done: string;
}

/** The act that is open to an operator in a state: a job is cancelled until it ends, then its files are removed. */
export function jobAct(state: JobState): JobActWords | undefined {
  if (state === 'accepted' || state === 'running') {
    return {
      label: 'Cancel job',
      consequence:
        'The job ends and its files are removed. The application gets 404 for it and must begin a new one.',
      done: 'The job was cancelled.',
    };
  }
  if (state !== 'complete' && state !== 'failed') return undefined;
  return {
    label: 'Remove job',
    consequence: 'Its files are removed. The application gets 404 for it, and can no longer download them.',
    done: 'The files of the job were removed.',
  };
}

/** An environment, and a LOB or all. */
export interface JobPlace {
  readonly environment: Environment;
  readonly lob: LineOfBusiness | undefined;
}

/** The environment and LOB of an address; production and all LOBs where it names none. */
export function jobPlace(query: Readonly<Record<string, string | undefined>>): JobPlace {
  return {
    environment: environments.find((one) => one === query.environment) ?? 'production',
    lob: lineOfBusinessCodes.find((one) => one === query.lob),
  };
}

/** `DSNP`, or `all lines of business`. */
export function lobWords({ lob }: JobPlace): string {
  return lob ?? 'all lines of business';
}

/** A job with its LOB, which its address names. */
export interface LobJob extends JobView {
  readonly lob: LineOfBusiness;
}

/** Jobs of some LOBs, newest first, and where the older ones of each LOB begin. */
export interface LobJobs {
  readonly jobs: readonly LobJob[];
  readonly next: Readonly<Partial<Record<LineOfBusiness, string>>>;
}

/** Puts jobs of several LOBs into one list, newest first. */
export function mergedJobs(
  earlier: readonly LobJob[],
  lists: readonly (JobListView & { readonly lob: LineOfBusiness })[],
): LobJobs {
  const jobs = lists.flatMap(({ lob, jobs: found }) => found.map((job) => ({ ...job, lob })));
  return {
    jobs: [...earlier, ...jobs].sort((one, other) => other.acceptedAt.localeCompare(one.acceptedAt)),
    next: Object.fromEntries(lists.flatMap(({ lob, next }) => (next === undefined ? [] : [[lob, next]]))),
  };
}

/** `1 of 3`. */
export function membersDone({ done, members }: Pick<JobView, 'done' | 'members'>): string {
  return `${done.toLocaleString('en-US')} of ${members.toLocaleString('en-US')}`;
}
