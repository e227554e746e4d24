/** Tests of `npm test`, by project. */

import { defineConfig } from 'vitest/config';
import { faultTests } from './test/support/fault-tests.ts';
import { longJourneys } from './test/support/long-journeys.ts';
import { pageTests } from './test/support/page-tests.ts';
import { patience } from './test/support/patience.ts';

/**
 * Four kinds of test, run together by `npm test`:
 * - unit: pure, next to nothing to set up; mirrors lambdas/, local/ and ops/.
 * - templates: what the CDK app makes (test/lib). Each app is synthesized once a run, and a worker loads the CDK once for all its files.
 * - engine: against the real embedded DynamoDB engine (files end in `.engine.test.ts`).
 * - journeys: black box, through HTTP and Chromium against the running system (test/journeys).
 *
 * Three more have configurations of their own in test/support, and `npm run test:long` runs them together: every page by itself and the sample
 * programs (`npm run test:pages`), every act with each store call broken, and attacks (`npm run test:faults`), and journeys that wait or send
 * every documented request (`npm run test:journeys`).
 */
export default defineConfig({
  test: {
    environment: 'node',
    // Many tests wait for timeouts and processes: a worker for each core but one, vitest’s default, leaves two cores idle.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'unit',
          // A worker imports each module once for all its files: a third of the CPU of importing it for each.
          isolate: false,
          setupFiles: ['test/support/shared-worker.ts'],
          ...patience,
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.engine.test.ts', 'test/journeys/**', 'test/lib/**', ...pageTests],
        },
      },
      {
        test: {
          name: 'templates',
          include: ['test/lib/**/*.test.ts'],
          globalSetup: ['test/lib/global-setup.ts'],
          isolate: false,
          ...patience,
        },
      },
      {
        test: {
          name: 'engine',
          include: ['test/**/*.engine.test.ts'],
          exclude: ['test/journeys/**', ...faultTests],
          isolate: false,
          setupFiles: [
            'test/support/shared-worker.ts',
            'test/support/own-modules.ts',
            'test/support/patient-store.ts',
          ],
          ...patience,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          exclude: longJourneys,
          globalSetup: ['test/journeys/global-setup.ts'],
          setupFiles: ['test/journeys/system-started.ts'],
          ...patience,
          // After the others. Each worker has a system of its own, and one file at a time.
          sequence: { groupOrder: 1 },
          maxWorkers: 3,
        },
      },
    ],
  },
});
