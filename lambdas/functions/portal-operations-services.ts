import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { createMessageClients } from '../aws/member-messages.ts';
import { accountDecisionRoutes } from '../portal/accounts/account-decision-routes.ts';
import { createOperatorCommands } from '../portal/accounts/operator-commands.ts';
import type { AccountStore } from '../portal/accounts/services.ts';
import { createPortalAccountStore } from '../portal/adapters/account-store.ts';
import { createDeveloperDirectory } from '../portal/adapters/developer-directory.ts';
import { createMailCarrier, createPortalMessages } from '../portal/adapters/messages.ts';
import { createOperatorDirectory } from '../portal/adapters/operator-directory.ts';
import { createPortalTeamStore } from '../portal/adapters/team-store.ts';
import { problem } from '../portal/api/route-handler.ts';
import { systemClock } from '../runtime/clock.ts';
import { consoleLog } from '../runtime/log.ts';
import { systemRandom } from '../runtime/random.ts';
import { sdkRetries } from '../runtime/sdk-retries.ts';
import type { Table } from '../table/table.ts';
import {
  createPortal,
  createPortalAccounts,
  createTeamApplications,
  type PortalSettings,
} from './portal-application-services.ts';

export interface OperationsSettings extends PortalSettings {
  readonly developerPoolId: string;
  readonly developerPoolClientId: string;
  readonly messageSender: string;
}

/** What operators decide with, whichever way they ask: applications, and the accounts' own routes. */
export function createOperations(table: Table, settings: OperationsSettings) {
  const messages = createPortalMessages(createMessageClients(), settings.messageSender, consoleLog);
  let accounts: AccountStore | undefined;
  const portal = createPortal(settings, {
    table,
    mail: createMailCarrier(messages),
    accounts: (outbox) => {
      accounts = createPortalAccountStore(table, { outbox, random: systemRandom, now: systemClock });
      // Operators are shown no secret.
      return createPortalAccounts(accounts, async () => problem('not_found'));
    },
  });
  if (accounts === undefined) throw new Error('the portal was made without accounts');
  const cognito = new CognitoIdentityProviderClient({ retryStrategy: sdkRetries });
  const directory = createDeveloperDirectory(cognito, {
    userPoolId: settings.developerPoolId,
    clientId: settings.developerPoolClientId,
  });
  const services = {
    origin: settings.portalOrigin,
    accounts,
    teams: createPortalTeamStore(table, { outbox: portal.outbox, random: systemRandom }),
    applications: createTeamApplications(portal),
    directory,
    random: systemRandom,
    now: systemClock,
  };
  const operators = createOperatorCommands({
    ...services,
    operators: createOperatorDirectory(cognito, settings.developerPoolId),
  });
  return { portal, accountRoutes: accountDecisionRoutes(services), operators };
}

/** The variables it is made of. */
export const operationsVariables = [
  'tableName',
  'portalOrigin',
  'developerPoolId',
  'developerPoolClientId',
  'messageSender',
  'provisioningFunctions',
  'environmentAddresses',
  'portalTiers',
  'fourEyes',
  'networkChecks',
  'protectedNames',
] as const;
