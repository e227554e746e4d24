import { afterAll, describe, expect, it, vi } from 'vitest';
import { patience } from '../support/patience.ts';
import { everyFault, type LoadFault, loadWith } from './loads/broken-loads.ts';
import { startLoadMachine } from './loads/load-machine.ts';
import { sampleOf } from './sample.ts';

/**
 * Breaks a sample of the calls to DynamoDB, S3, KMS, Step Functions and EventBridge in a load: loaded data, report and audit must be those
 * of an undisturbed load. `npm run faults:loads` breaks all of them in each way; `LOAD_FAULTS_EACH=1` breaks each call once, with changing
 * faults.
 */
vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) => {
  const { withTestTimeoutsAndInstantRetries } = await import('../support/store-waits.ts');
  return withTestTimeoutsAndInstantRetries(await original());
});

/** Number of faults of each service. */
const each = Number(process.env.LOAD_FAULTS ?? 4);
const isEachCall = process.env.LOAD_FAULTS_EACH === '1';
const isWhole = isEachCall || each > 100;

const nameOf = (at: number) => `d${String(at).padStart(5, '0')}`;

const machine = await startLoadMachine();
afterAll(() => machine.stop());
const { state: undisturbed, made } = await loadWith(machine, nameOf(0));
const faults = everyFault(made);

describe('a load', () => {
  it('that nothing disturbs loads, rejects and changes what the drop says', () => {
    expect(undisturbed.counts).toMatchObject({
      state: 'reconciled',
      controlTotal: 27,
      loaded: 25,
      unchanged: 0,
      rejected: 2,
    });
    expect(undisturbed.rejects).toMatchObject([
      expect.stringContaining('unresolved_reference'),
      expect.stringContaining('not_json'),
    ]);
  });

  it(
    'ends in the same state whatever breaks at whatever call',
    async () => {
      const chosen = isEachCall ? eachCallOnce(faults) : sampleOf(faults, each);
      const failures: string[] = [];
      for (const [at, fault] of chosen.entries()) {
        try {
          const { state } = await loadWith(machine, nameOf(at + 1), fault);
          expect(state).toEqual(undisturbed);
        } catch (error) {
          const message = error instanceof Error ? error.message.slice(0, 1_500) : '';
          failures.push(`${JSON.stringify(fault)}: ${message}`);
        }
        if (isWhole && at % 100 === 99)
          console.log(`${at + 1} of ${chosen.length}, ${failures.length} failed`);
      }
      if (isWhole) console.log(`${chosen.length} of ${faults.length} faults, ${failures.length} failed`);
      expect(failures).toEqual([]);
    },
    isWhole ? 7_200_000 : patience.testTimeout,
  );
});

/** One fault for each call of each service; the kinds of fault alternate. */
function eachCallOnce(all: readonly LoadFault[]): readonly LoadFault[] {
  const ofCalls = Map.groupBy(all, ({ service, at, fault }) =>
    service === 'events' ? `${service} ${fault}` : `${service} ${at}`,
  );
  return [...ofCalls.values()].flatMap((ways, turn) => ways.slice(turn % ways.length).slice(0, 1));
}
