import { createPortalHandler } from '../../gateway/portal-handler.ts';
import { readEnvironment } from '../../runtime/environment.ts';
import { consoleLog } from '../../runtime/log.ts';
import { createOperations, operationsVariables } from '../../storage/portal-application-operations.ts';
import { createTableSessions } from '../../storage/portal-session-store.ts';
import { createSdkTable } from '../../storage/sdk-table.ts';
import { operationsRoutes } from './operations-routes.ts';

const settings = readEnvironment([...operationsVariables, 'operatorAuthenticator']);
const table = createSdkTable({ tableName: settings.tableName });
const { portal, accountRoutes } = createOperations(table, settings);

/** The operators' routes: the queue, applications and accounts. */
export const handler = createPortalHandler({
  function: 'portal-operations',
  origin: settings.portalOrigin,
  routes: { ...operationsRoutes(portal), ...accountRoutes },
  sessions: createTableSessions(table),
  log: consoleLog,
  needsAuthenticator: settings.operatorAuthenticator === 'required',
});
