/**
 * The tests that take minutes: each page in Chromium in light and dark, on narrow screens and by keyboard, and the sample programs, which
 * are compiled and run in their languages. The pages' models, and how much a page loads, are among the unit tests.
 */
export const pageTests = [
  'test/portal-static/**/!(*-model|size|statements).test.ts',
  'test/authorization/pages/pages.test.ts',
];
