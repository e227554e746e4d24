/**
 * Setup of each file of the unit project: when the file ends, restores what it changed for its whole worker, such as clients, clocks,
 * globals and variables.
 */
import { afterAll, vi } from 'vitest';
import { restoreClients } from './client-doubles.ts';

afterAll(() => {
  restoreClients();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
