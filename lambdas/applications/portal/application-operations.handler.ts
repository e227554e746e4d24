import { readEnvironment } from '../../runtime/environment.ts';
import { guardInvocation } from '../../runtime/invocation.ts';
import { createOperations, operationsVariables } from '../../storage/portal-application-operations.ts';
import { createSdkTable } from '../../storage/sdk-table.ts';
import { operate } from './operations-invocation.ts';

const settings = readEnvironment(operationsVariables);
const operations = createOperations(createSdkTable({ tableName: settings.tableName }), settings);

/** Invoked directly by the operator's command line, never through a host. */
export const handler = guardInvocation(
  'application-operations',
  async (payload) => await operate(operations, payload),
);
