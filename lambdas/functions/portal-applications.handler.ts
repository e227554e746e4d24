/** Serves the portal's routes of applications, credentials, drafts, the sandbox and the status. */

import { openSecrets } from '../portal/accounts/reauthenticate.ts';
import { createAccountReader } from '../portal/adapters/account-store.ts';
import { createPortalLimits } from '../portal/adapters/limits-store.ts';
import { createMailCarrier } from '../portal/adapters/messages.ts';
import { createPortalSessionStore, createTableSessions } from '../portal/adapters/session-store.ts';
import { applicationRoutes } from '../portal/applications/application-routes.ts';
import { credentialRoutes } from '../portal/applications/credential-routes.ts';
import { workspaceRoutes } from '../portal/applications/workspace-routes.ts';
import { createPortalHandler } from '../portal/http/handler.ts';
import { systemClock } from '../runtime/clock.ts';
import { digests } from '../runtime/digests.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';
import { systemRandom } from '../runtime/random.ts';
import { createSdkTable } from '../table/sdk-table.ts';
import { createMessages, createPoolDirectory } from './compose-portal-adapters.ts';
import { createPortal } from './compose-portal-applications.ts';

const settings = readEnvironment([
  'tableName',
  'portalOrigin',
  'developerPoolId',
  'developerPoolClientId',
  'messageSender',
  'provisioningFunctions',
  'environmentAddresses',
  'portalTiers',
  'networkChecks',
  'protectedNames',
]);
const table = createSdkTable({ tableName: settings.tableName });
const portal = createPortal(settings, { table, mail: createMailCarrier(createMessages(settings)) });
const passwordServices = {
  accounts: createAccountReader(table),
  directory: createPoolDirectory(settings),
  limits: createPortalLimits(table),
  sessions: createPortalSessionStore(table),
  random: systemRandom,
  sha256Hex: digests.sha256Hex,
  now: systemClock,
};

/** The routes of applications, credentials, drafts, the sandbox and the status. */
export const handler = createPortalHandler<'portal-applications'>({
  origin: settings.portalOrigin,
  routes: {
    ...applicationRoutes(portal),
    ...credentialRoutes({
      ...portal,
      openSecrets: async (request, password) => await openSecrets(passwordServices, request, password),
    }),
    ...workspaceRoutes(portal),
  },
  sessions: createTableSessions(table),
  log: consoleLog,
});
