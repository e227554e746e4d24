/** Handler of the function `application-operations`: the operators' acts on applications, invoked by `npm run ops` and never through a host. */

import { operate } from '../portal/applications/operations-invocation.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { guardInvocation } from '../runtime/invocation.ts';
import { createSdkTable } from '../table/sdk-table.ts';
import { createOperations, operationsVariables } from './compose-portal-operations.ts';

const settings = readEnvironment(operationsVariables);
const operations = createOperations(createSdkTable({ tableName: settings.tableName }), settings);

/** Invoked directly by the operator's command line, never through a host. */
export const handler = guardInvocation(
  'application-operations',
  async (payload) => await operate(operations, payload),
);
