import { defineConfig } from 'vitest/config';
import { faultTests } from './fault-tests.ts';
import { patience } from './patience.ts';

/**
 * Configuration of `npm run test:faults`: every act with every fault of each store call, acts in every order, kills of the system, and
 * attacks.
 */
export default defineConfig({
  test: {
    name: 'faults',
    environment: 'node',
    include: faultTests,
    setupFiles: ['test/support/patient-store.ts'],
    // Many of these tests wait for answers that are planned not to come.
    maxWorkers: 4,
    ...patience,
  },
});
