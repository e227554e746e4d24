import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startJobsWorld } from '../payer-access/jobs/jobs-world.ts';
import { loadMatchableMembers } from '../payer-access/jobs/matchable-members.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { patience } from '../support/patience.ts';
import {
  everyJobFault,
  type JobFault,
  type JobMachine,
  type JobsState,
  runJobs,
} from './jobs/broken-jobs.ts';
import { sampleOf } from './sample.ts';

/**
 * Breaks a sample of the calls to DynamoDB, S3 and Step Functions in a bulk match, an export, its downloads and its removal: the payer's
 * result and the plan's records must be those of an undisturbed run. `npm run faults:jobs` breaks all of them.
 */
vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) => {
  const { withTestTimeoutsAndInstantRetries } = await import('../support/store-waits.ts');
  return withTestTimeoutsAndInstantRetries(await original());
});

/** Number of faults of each service. */
const each = Number(process.env.JOB_FAULTS ?? 4);
const isWhole = each > 100;

let proxy: FaultyProxy;
let machine: JobMachine;
let undisturbed: JobsState;
let faults: readonly JobFault[] = [];
beforeAll(async () => {
  const world = await startJobsWorld(async (endpoint) => {
    proxy = await startFaultyProxy(endpoint);
    return proxy.endpoint;
  });
  machine = { world, proxy, members: await loadMatchableMembers(world, 2) };
  // A first run, so that functions have cached what they cache.
  await runJobs(machine, 100_000);
  const { state, made } = await runJobs(machine, 100_001);
  undisturbed = state;
  faults = everyJobFault(made);
});
afterAll(async () => {
  await machine.world.stop();
  await proxy.stop();
});

describe('a bulk match and its export', () => {
  it('that nothing disturbs match, export, audit and leave what they say', () => {
    expect(undisturbed).toMatchObject({
      groups: {
        listed: [
          ['Group', 3],
          ['Parameters', 1],
        ],
      },
      grants: [[{ state: 'active' }], [{ state: 'active' }]],
      orphans: [],
      activeJobs: 0,
    });
  });

  it(
    'end in the same state whatever breaks at whatever call',
    async () => {
      const chosen = sampleOf(faults, each);
      const failures: string[] = [];
      for (const [at, fault] of chosen.entries()) {
        try {
          const { state } = await runJobs(machine, 100_002 + at, fault);
          expect(state).toEqual(undisturbed);
        } catch (error) {
          const message = error instanceof Error ? error.message.slice(0, 1_500) : '';
          failures.push(`${JSON.stringify(fault)}: ${message}`);
          if (isWhole) console.info(failures.at(-1));
        }
        if (isWhole && at % 100 === 99)
          console.info(`${at + 1} of ${chosen.length}, ${failures.length} failed`);
      }
      if (isWhole) console.info(`${chosen.length} of ${faults.length} faults, ${failures.length} failed`);
      expect(failures).toEqual([]);
    },
    isWhole ? 7_200_000 : patience.testTimeout,
  );
});
