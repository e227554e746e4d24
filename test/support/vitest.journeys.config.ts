import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longestJourneys, longJourneys } from './long-journeys.ts';

/** The order of the files: those that take longest first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order: readonly string[] = longestJourneys;
    const place = ({ moduleId }: TestSpecification) => {
      const at = order.indexOf(basename(moduleId, '.test.ts'));
      return at === -1 ? order.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

/** Configuration of `npm run test:journeys`: the long journeys, each worker against its own system. */
export default defineConfig({
  test: {
    name: 'long journeys',
    environment: 'node',
    include: longJourneys,
    globalSetup: ['test/journeys/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // Most of the time all of them wait.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
