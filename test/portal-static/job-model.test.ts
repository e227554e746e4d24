import { expect, it } from 'vitest';
import { jobStates } from '../../lambdas/catalog/payer/job-states.ts';
import { jobTransitions } from '../../lambdas/payer-access/jobs/payer-job.ts';
import { jobAct, jobPlace } from '../../portal-static/pages/operations/job-model.ts';

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
  const first = { environment: 'production', lob: 'CHPDC' };
  expect(jobPlace({ environment: 'elsewhere', lob: 'dsnp' })).toEqual(first);
  expect(jobPlace({})).toEqual(first);
});
