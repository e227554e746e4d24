import { defineConfig } from 'vitest/config';
import { pageTests } from './page-tests.ts';
import { patience } from './patience.ts';

/** Configuration of `npm run test:pages`: every page against scripted answers, and every sample program. */
export default defineConfig({
  test: {
    name: 'pages',
    environment: 'node',
    include: pageTests,
    maxWorkers: 4,
    // A browser under load sometimes draws late; only a test that fails twice is broken.
    retry: 1,
    // Stops after this many failures: if a browser has stopped drawing, every later test fails by a timeout.
    bail: 5,
    ...patience,
  },
});
