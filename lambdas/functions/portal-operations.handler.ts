/** Handler of the function `portal-operations`: the routes of the operators' console in the portal's API. */

import { createTableSessions } from '../portal/adapters/session-store.ts';
import { operationsRoutes } from '../portal/applications/operations-routes.ts';
import { organizationRoutes } from '../portal/applications/organization-routes.ts';
import { createPortalHandler } from '../portal/http/handler.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';
import { createSdkTable } from '../table/sdk-table.ts';
import { createOperations, operationsVariables } from './compose-portal-operations.ts';

const settings = readEnvironment([...operationsVariables, 'operatorAuthenticator']);
const table = createSdkTable({ tableName: settings.tableName });
const { portal, accountRoutes } = createOperations(table, settings);

/** The operators' routes: the queue, applications and accounts. */
export const handler = createPortalHandler<'portal-operations'>({
  origin: settings.portalOrigin,
  routes: { ...operationsRoutes(portal), ...organizationRoutes(portal), ...accountRoutes },
  sessions: createTableSessions(table),
  log: consoleLog,
  needsAuthenticator: settings.operatorAuthenticator === 'required',
});
