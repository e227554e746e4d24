import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { createMessageClients } from '../aws/member-messages.ts';
import { openSecrets } from '../portal/accounts/reauthenticate.ts';
import { createPortalAccountStore } from '../portal/adapters/account-store.ts';
import { createDeveloperDirectory } from '../portal/adapters/developer-directory.ts';
import { createPortalLimits } from '../portal/adapters/limits-store.ts';
import { createMailCarrier, createPortalMessages } from '../portal/adapters/messages.ts';
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
import { sdkRetries } from '../runtime/sdk-retries.ts';
import { createSdkTable } from '../table/sdk-table.ts';
import { createPortal, createPortalAccounts } from './portal-application-services.ts';

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
    return createPortalAccounts(
      accounts,
      async (request, password) => await openSecrets(services, request, password),
    );
  },
});

/** The routes of applications, drafts, the sandbox and the status. */
export const handler = createPortalHandler<'portal-applications'>({
  origin: settings.portalOrigin,
  routes: { ...applicationRoutes(portal), ...credentialRoutes(portal), ...workspaceRoutes(portal) },
  sessions: createTableSessions(table),
  log: consoleLog,
});
