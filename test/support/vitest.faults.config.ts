import { defineConfig } from 'vitest/config';
import { faultTests } from './fault-tests.ts';
import { patience } from './patience.ts';

/** Configuration of `npm run test:faults`: each act, with each of its store calls broken in each way; acts in every order; a system that is killed; attacks. */
export default defineConfig({
  test: {
    name: 'faults',
    environment: 'node',
    include: faultTests,
    setupFiles: ['test/support/patient-store.ts'],
    // Much of it waits for answers that are planned not to come.
    maxWorkers: 4,
    ...patience,
  },
});
