import { expect, it } from 'vitest';
import { jobStates } from '../../lambdas/catalog/payer/job-states.ts';
import { jobTransitions } from '../../lambdas/payer-access/jobs/payer-job.ts';
import { jobAct, jobPlace, mergedJobs } from '../../portal-static/pages/operations/job-model.ts';
import { aJob } from './applications-fixtures-more.ts';

it('opens the acts on a job that its states allow', () => {
  const labels = { cancel: 'Cancel job', remove: 'Remove job' } as const;
  for (const state of jobStates) {
    const open = (['cancel', 'remove'] as const).find((act) =>
      (jobTransitions[act].from as readonly string[]).includes(state),
    );
    expect(jobAct(state)?.label, state).toBe(open && labels[open]);
  }
});

it('reads the environment and line of business of an address, whatever stands there', () => {
  expect(jobPlace({ environment: 'sandbox', lob: 'EGWP' })).toEqual({ environment: 'sandbox', lob: 'EGWP' });
  const first = { environment: 'production', lob: undefined };
  expect(jobPlace({ environment: 'elsewhere', lob: 'dsnp' })).toEqual(first);
  expect(jobPlace({})).toEqual(first);
});

it('puts the jobs of lines of business into one list, newest first, and keeps where each goes on', () => {
  const at = (jobId: string, acceptedAt: string) => aJob({ jobId, acceptedAt });
  const first = mergedJobs(
    [],
    [
      { lob: 'DSNP', jobs: [at('d2', '2026-11-22T10:00:00Z'), at('d1', '2026-11-20T10:00:00Z')], next: 'd' },
      { lob: 'MAPD', jobs: [at('m1', '2026-11-21T10:00:00Z')] },
    ],
  );
  expect(first.jobs.map(({ jobId, lob }) => `${lob} ${jobId}`)).toEqual(['DSNP d2', 'MAPD m1', 'DSNP d1']);
  expect(first.next).toEqual({ DSNP: 'd' });
  const older = mergedJobs(first.jobs, [{ lob: 'DSNP', jobs: [at('d0', '2026-11-20T11:00:00Z')] }]);
  expect(older.jobs.map(({ jobId }) => jobId)).toEqual(['d2', 'm1', 'd0', 'd1']);
  expect(older.next).toEqual({});
});
