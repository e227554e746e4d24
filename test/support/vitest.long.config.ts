import { defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';
import faults from './vitest.faults.config.ts';
import journeys from './vitest.journeys.config.ts';
import pages from './vitest.pages.config.ts';

/** Configuration of `npm run test:long`: the long journeys, the pages and the faults in one run, so that some wait while others compute. */
export default defineConfig({
  test: {
    maxWorkers: 4,
    // Stops after this many failures: if a browser has stopped drawing, every later test fails by a timeout.
    bail: 20,
    sequence: { sequencer: LongestFirst },
    projects: [journeys, pages, faults],
  },
});
