/**
 * Handler of the function `application-operations`: the operators' acts on applications, and the status page's measurements and incidents.
 * Invoked by `npm run ops` and, for the measurements, by a schedule; never through a host.
 */

import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { createHttpGet } from '../platform/runtime/http-get.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import { createStatusStore } from './adapters/status-store.ts';
import { operate } from './applications/operations-invocation.ts';
import { createOperations, operationsVariables } from './compose-portal-operations.ts';
import { createStatusOperations } from './status/status-operations.ts';

const settings = readEnvironment(operationsVariables);
const table = createSdkTable({ tableName: settings.tableName });
const operations = createOperations(table, settings);
const status = createStatusOperations({
  store: createStatusStore(table),
  // Longer than a cold start. Two calls at once end within the function's timeout even if no component answers.
  get: createHttpGet(8_000),
  provisioning: operations.portal.environments,
  addresses: settings.environmentAddresses.environments,
  origin: settings.portalOrigin,
  now: systemClock,
  sha256: digests.sha256Hex,
});

/**
 * Carries out operators' acts on applications and accounts, manages operators' accounts, and measures and writes the status. The operator's
 * CLI and a schedule invoke it. Uses the portal's table, calls `provisioning` of each environment and the public addresses of every component;
 * has no access to members' data.
 */
export const handler = guardInvocation(
  'application-operations',
  async (payload) => await operate({ ...operations, status }, payload),
);
