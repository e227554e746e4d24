import { defineConfig } from 'vitest/config';
import { longJourneys } from './long-journeys.ts';
import { LongestFirst } from './longest-first.ts';
import { patience } from './patience.ts';

/** Configuration of `npm run test:journeys`: the long journeys. Each worker has its own system. */
export default defineConfig({
  test: {
    name: 'long journeys',
    environment: 'node',
    include: longJourneys,
    globalSetup: ['test/journeys/global-setup.ts'],
    setupFiles: ['test/journeys/system-started.ts'],
    sequence: { sequencer: LongestFirst },
    // Most of the time all workers wait.
    maxWorkers: 4,
    ...patience,
  },
});
