import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { openSecrets } from '../../developers/proven-password.ts';
import { createPortalHandler } from '../../gateway/portal-handler.ts';
import { createDeveloperDirectory } from '../../identity/developer-directory.ts';
import { createMessageClients } from '../../messages/member-messages.ts';
import { createMailCarrier, createPortalMessages } from '../../messages/portal-messages.ts';
import { systemClock } from '../../runtime/clock.ts';
import { digests } from '../../runtime/digests.ts';
import { readEnvironment } from '../../runtime/environment.ts';
import { consoleLog } from '../../runtime/log.ts';
import { systemRandom } from '../../runtime/random.ts';
import { sdkRetries } from '../../runtime/sdk-retries.ts';
import { createPortalAccountStore } from '../../storage/portal-account-store.ts';
import { createAccountDesk, createPortal } from '../../storage/portal-application-services.ts';
import { createPortalLimits } from '../../storage/portal-limits-store.ts';
import { createPortalSessionStore, createTableSessions } from '../../storage/portal-session-store.ts';
import { createSdkTable } from '../../storage/sdk-table.ts';
import { applicationRoutes } from './application-routes.ts';
import { credentialRoutes } from './credential-routes.ts';
import { workspaceRoutes } from './workspace-routes.ts';

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
const directory = createDeveloperDirectory(new CognitoIdentityProviderClient({ retryStrategy: sdkRetries }), {
  userPoolId: settings.developerPoolId,
  clientId: settings.developerPoolClientId,
});

const portal = createPortal(settings, {
  table,
  mail: createMailCarrier(createPortalMessages(createMessageClients(), settings.messageSender, consoleLog)),
  accounts: (outbox) => {
    const accounts = createPortalAccountStore(table, { outbox, random: systemRandom, now: systemClock });
    const services = {
      accounts,
      directory,
      limits: createPortalLimits(table),
      sessions: createPortalSessionStore(table),
      random: systemRandom,
      sha256Hex: digests.sha256Hex,
      now: systemClock,
    };
    return createAccountDesk(
      accounts,
      async (request, password) => await openSecrets(services, request, password),
    );
  },
});

/** The routes of applications, drafts, the sandbox and the status. */
export const handler = createPortalHandler({
  function: 'portal-applications',
  origin: settings.portalOrigin,
  routes: { ...applicationRoutes(portal), ...credentialRoutes(portal), ...workspaceRoutes(portal) },
  sessions: createTableSessions(table),
  log: consoleLog,
});
