import { defineConfig } from 'vitest/config';
import { pageTests } from './page-tests.ts';
import { patience } from './patience.ts';

/** Configuration of `npm run test:pages`: every page by itself, against scripted answers, and every sample program. */
export default defineConfig({
  test: {
    name: 'pages',
    environment: 'node',
    include: pageTests,
    maxWorkers: 4,
    // A browser under load draws late now and then: what fails twice is broken.
    retry: 1,
    // A browser that no longer draws fails every test after it by a timeout: an hour of them says no more than five.
    bail: 5,
    ...patience,
  },
});
