/**
 * The tests that look at each page by itself in Chromium, in light and dark, on narrow screens and by keyboard: minutes
 * of them; and the sample programs, which other languages compile and run. The pages' models, and how much a page loads, are among the unit tests.
 */
export const pageTests = [
  'test/portal-static/**/!(*-model|size|statements).test.ts',
  'test/authorization/pages/pages.test.ts',
];
