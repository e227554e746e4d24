import { defineConfig } from 'vitest/config';

/**
 * The tests `npm run mutation` runs against each mutant of the oauth domain, of searches and of the audit's seals (stryker.config.json):
 * their pure tests. The pages' looks and the handlers have tests of their own, in Chromium and over the real engine, which are too
 * slow to run a thousand times.
 *
 * Two settings over there need words. `tsconfigFile` names no file: Stryker would read ours by the API of TypeScript 6, which
 * TypeScript 7 doesn't have. `ignoreStatic` leaves out what runs when a module is loaded, since all tests depend on it.
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
