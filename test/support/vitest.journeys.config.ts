import { defineConfig } from 'vitest/config';
import { longJourneys } from './long-journeys.ts';

/** Configuration of `npm run test:journeys`: the long journeys, each worker against its own system. */
export default defineConfig({
  test: {
    name: 'long journeys',
    environment: 'node',
    include: longJourneys,
    globalSetup: ['test/journeys/global-setup.ts'],
    // The portal answers 503 if an environment takes longer than five seconds, which happens on a machine at its limit.
    retry: 1,
    // Most of the time all of them wait.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
