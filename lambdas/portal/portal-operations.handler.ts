/** Handler of the function `portal-operations`: the routes of the operators' console in the portal's API. */

import { LambdaClient } from '@aws-sdk/client-lambda';
import type { JobOperation, JobOperationAnswer } from '../payer-access/jobs/job-operations-contract.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import { createEnvironmentInvoker } from './adapters/environment-invoker.ts';
import { createTableSessions } from './adapters/session-store.ts';
import { jobRoutes } from './applications/job-routes.ts';
import { operationsRoutes } from './applications/operations-routes.ts';
import { organizationRoutes } from './applications/organization-routes.ts';
import { createOperations, operationsVariables } from './compose-portal-operations.ts';
import { createPortalHandler } from './http/handler.ts';

const settings = readEnvironment([...operationsVariables, 'operatorAuthenticator', 'jobFunctions']);
const table = createSdkTable({ tableName: settings.tableName });
const { portal, accountRoutes } = createOperations(table, settings);
const jobs = createEnvironmentInvoker<JobOperation, JobOperationAnswer>(
  new LambdaClient({ maxAttempts: 2 }),
  settings.jobFunctions,
);

/**
 * Serves the operators' routes (queue, applications, accounts and jobs) to operators' browsers. Uses the portal's table, and calls
 * `provisioning` and `job-operations` of each environment.
 */
export const handler = createPortalHandler<'portal-operations'>({
  origin: settings.portalOrigin,
  routes: {
    ...operationsRoutes(portal),
    ...organizationRoutes(portal),
    ...jobRoutes({ ...portal, jobs }),
    ...accountRoutes,
  },
  sessions: createTableSessions(table),
  log: consoleLog,
  needsAuthenticator: settings.operatorAuthenticator === 'required',
});
