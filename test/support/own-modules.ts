import { afterAll, vi } from 'vitest';

/**
 * Setup of each file of projects whose files share a worker, but not the project's modules: a handler reads its environment as it is
 * imported. Packages, such as the AWS SDK, are imported once for all files of a worker: a third of a second of CPU for each file.
 */
afterAll(() => {
  vi.resetModules();
});
