/** Handler of the function `application-operations`: the operators' acts on applications, invoked by `npm run ops` and never through a host. */

import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import { operate } from './applications/operations-invocation.ts';
import { createOperations, operationsVariables } from './compose-portal-operations.ts';

const settings = readEnvironment(operationsVariables);
const operations = createOperations(createSdkTable({ tableName: settings.tableName }), settings);

/**
 * Carries out operators' acts on applications and accounts, and manages operators' accounts. The operator's CLI invokes it. Uses the
 * portal's table and calls `provisioning` of each environment; has no access to members' data.
 */
export const handler = guardInvocation(
  'application-operations',
  async (payload) => await operate(operations, payload),
);
