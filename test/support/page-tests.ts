/**
 * The tests that look at each page by itself in Chromium, in light and dark, on narrow screens and by keyboard: minutes
 * of them. The pages' models, and how much a page loads, are among the unit tests.
 */
export const pageTests = [
  'test/portal-static/**/!(*-model|size|statements|sample-programs).test.ts',
  'test/oauth/pages.test.ts',
];
