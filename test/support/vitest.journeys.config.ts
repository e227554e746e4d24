import { defineConfig } from 'vitest/config';
import { longJourneys } from './long-journeys.ts';

/** Configuration of `npm run test:journeys`: the long journeys, each worker against its own system. */
export default defineConfig({
  test: {
    name: 'long journeys',
    environment: 'node',
    include: longJourneys,
    globalSetup: ['test/journeys/global-setup.ts'],
    // Most of the time all of them wait.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
