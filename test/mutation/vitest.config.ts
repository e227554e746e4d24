import { defineConfig } from 'vitest/config';

/**
 * The tests that `npm run mutation` runs against each mutant of the authorization domain, of searches and of the audit's seals
 * (stryker.config.json): their pure tests. Tests of pages in Chromium and of handlers over the real engine are too slow to run thousands of
 * times.
 *
 * Two settings of stryker.config.json need a reason. `tsconfigFile` names a file that does not exist: Stryker would read ours with the API
 * of TypeScript 6, which TypeScript 7 does not have. `ignoreStatic` leaves out code that runs when a module is loaded, since all tests
 * depend on it.
 */
export default defineConfig({
  test: {
    environment: 'node',
    include: [
      'test/authorization/{oauth,authorize,activation,connected-apps,federation,token}/**/*.test.ts',
      'test/fhir/{query,search,values}/*.test.ts',
      'test/audit/**/*.test.ts',
    ],
    exclude: ['**/*.engine.test.ts'],
  },
});
