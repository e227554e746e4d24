/** Handler of the function `portal-operations`: the routes of the operators' console in the portal's API. */

import { LambdaClient } from '@aws-sdk/client-lambda';
import type { LoadOperation, LoadOperationAnswer } from '../loads/course/load-operations-contract.ts';
import type { JobOperation, JobOperationAnswer } from '../payer-access/jobs/job-operations-contract.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import type {
  DirectoryOperation,
  DirectoryOperationAnswer,
} from '../provider-directory/build/directory-operations-contract.ts';
import { createEnvironmentInvoker } from './adapters/environment-invoker.ts';
import { createTableSessions } from './adapters/session-store.ts';
import { directoryRoutes } from './applications/directory-routes.ts';
import { jobRoutes } from './applications/job-routes.ts';
import { operationsRoutes } from './applications/operations-routes.ts';
import { organizationRoutes } from './applications/organization-routes.ts';
import { createOperations, operationsVariables } from './compose-portal-operations.ts';
import { createPortalHandler } from './http/handler.ts';

const settings = readEnvironment([
  ...operationsVariables,
  'operatorAuthenticator',
  'jobFunctions',
  'directoryFunctions',
  'loadFunctions',
]);
const table = createSdkTable({ tableName: settings.tableName });
const { portal, accountRoutes } = createOperations(table, settings);
const lambda = new LambdaClient({ maxAttempts: 2 });
const jobs = createEnvironmentInvoker<JobOperation, JobOperationAnswer>(lambda, settings.jobFunctions);
const directories = createEnvironmentInvoker<DirectoryOperation, DirectoryOperationAnswer>(
  lambda,
  settings.directoryFunctions,
);
const loads = createEnvironmentInvoker<LoadOperation, LoadOperationAnswer>(lambda, settings.loadFunctions);

/**
 * Serves the operators' routes (queue, applications, accounts, jobs and directories) to operators' browsers. Uses the portal's table, and calls
 * `provisioning`, `job-operations`, `directory-operations` and `load-operations` of each environment.
 */
export const handler = createPortalHandler<'portal-operations'>({
  origin: settings.portalOrigin,
  routes: {
    ...operationsRoutes(portal),
    ...organizationRoutes(portal),
    ...jobRoutes({ ...portal, jobs }),
    ...directoryRoutes({ directories, loads }),
    ...accountRoutes,
  },
  sessions: createTableSessions(table),
  log: consoleLog,
  needsAuthenticator: settings.operatorAuthenticator === 'required',
});
