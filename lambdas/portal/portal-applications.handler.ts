/** Handler of `portal-applications`, reached through the portal's API: applications, credentials, drafts, the sandbox and the status. */

import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import { openSecrets } from './accounts/reauthenticate.ts';
import { createAccountReader } from './adapters/account-store.ts';
import { createPortalLimits } from './adapters/limits-store.ts';
import { createMailCarrier } from './adapters/messages.ts';
import { createPortalSessionStore, createTableSessions } from './adapters/session-store.ts';
import { applicationRoutes } from './applications/application-routes.ts';
import { callRoutes } from './applications/call-routes.ts';
import { credentialRoutes } from './applications/credential-routes.ts';
import { workspaceRoutes } from './applications/workspace-routes.ts';
import { createMessages, createPoolDirectory } from './compose-portal-adapters.ts';
import { createPortal } from './compose-portal-applications.ts';
import { createPortalHandler } from './http/handler.ts';

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

/**
 * Serves the portal's routes of applications, credentials, drafts, the sandbox and the status to developers' browsers. Uses the portal's
 * table and calls `provisioning` of each environment.
 */
export const handler = createPortalHandler<'portal-applications'>({
  origin: settings.portalOrigin,
  routes: {
    ...applicationRoutes(portal),
    ...callRoutes(portal),
    ...credentialRoutes({
      ...portal,
      openSecrets: async (request, password) => await openSecrets(passwordServices, request, password),
    }),
    ...workspaceRoutes(portal),
  },
  sessions: createTableSessions(table),
  log: consoleLog,
});
