/** Undoes what a file of the unit project changed for its whole worker: clients, clocks, globals and variables. */
import { afterAll, vi } from 'vitest';
import { restoreClients } from './client-doubles.ts';

afterAll(() => {
  restoreClients();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
