/** Handler of the function `portal-operations`: the routes of the operators' console in the portal's API. */

import { LambdaClient } from '@aws-sdk/client-lambda';
import type { JobOperation, JobOperationAnswer } from '../fhir/jobs/job-operations-contract.ts';
import { createEnvironmentInvoker } from '../portal/adapters/environment-invoker.ts';
import { createTableSessions } from '../portal/adapters/session-store.ts';
import { jobRoutes } from '../portal/applications/job-routes.ts';
import { operationsRoutes } from '../portal/applications/operations-routes.ts';
import { organizationRoutes } from '../portal/applications/organization-routes.ts';
import { createPortalHandler } from '../portal/http/handler.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';
import { createSdkTable } from '../table/sdk-table.ts';
import { createOperations, operationsVariables } from './compose-portal-operations.ts';

const settings = readEnvironment([...operationsVariables, 'operatorAuthenticator', 'jobFunctions']);
const table = createSdkTable({ tableName: settings.tableName });
const { portal, accountRoutes } = createOperations(table, settings);
const jobs = createEnvironmentInvoker<JobOperation, JobOperationAnswer>(
  new LambdaClient({ maxAttempts: 2 }),
  settings.jobFunctions,
);

/** The operators' routes: the queue, applications, accounts and jobs. */
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
