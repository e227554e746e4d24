/** Words of an asynchronous job on the operators' pages, and what an operator can do with it. */

import { type Environment, environments } from '../../../lambdas/catalog/environments.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import type { JobKind } from '../../../lambdas/catalog/payer/job-kinds.ts';
import type { JobState } from '../../../lambdas/catalog/payer/job-states.ts';
import type { JobView } from '../../../lambdas/portal/api/job-views.ts';

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

/** The environment and LOB of an address; production and the first LOB where it names none. */
export function jobPlace(query: Readonly<Record<string, string | undefined>>): {
  readonly environment: Environment;
  readonly lob: LineOfBusiness;
} {
  return {
    environment: environments.find((one) => one === query.environment) ?? 'production',
    lob: lineOfBusinessCodes.find((one) => one === query.lob) ?? 'CHPDC',
  };
}

/** `1 of 3`. */
export function membersDone({ done, members }: Pick<JobView, 'done' | 'members'>): string {
  return `${done.toLocaleString('en-US')} of ${members.toLocaleString('en-US')}`;
}
