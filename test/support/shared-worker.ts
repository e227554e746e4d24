/**
 * Setup of each file of projects whose files share a worker: when the file ends, restores what it changed for the whole worker, such as
 * clients, clocks, globals and variables.
 */
import { afterAll, vi } from 'vitest';
import { restoreClients } from './client-doubles.ts';

const variables = { ...process.env };

afterAll(() => {
  restoreClients();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(variables, name)) delete process.env[name];
  Object.assign(process.env, variables);
});
