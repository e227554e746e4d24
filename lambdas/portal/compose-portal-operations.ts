/** Composes the services of operators, for `portal-operations` and `application-operations`. */

import { systemClock } from '../platform/runtime/clock.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import type { Table } from '../platform/table/table.ts';
import { accountDecisionRoutes } from './accounts/account-decision-routes.ts';
import { createOperatorCommands } from './accounts/operator-commands.ts';
import { createPortalAccountStore } from './adapters/account-store.ts';
import { createMailCarrier } from './adapters/messages.ts';
import { createOperatorDirectory } from './adapters/operator-directory.ts';
import { createPortalTeamStore } from './adapters/team-store.ts';
import {
  createCognitoClient,
  createMessages,
  createPoolDirectory,
  type PoolSettings,
} from './compose-portal-adapters.ts';
import { createPortal, createTeamApplications, type PortalSettings } from './compose-portal-applications.ts';

export interface OperationsSettings extends PortalSettings, PoolSettings {
  readonly messageSender: string;
}

/** Creates the services of operators: applications, account routes and operator commands. */
export function createOperations(table: Table, settings: OperationsSettings) {
  const portal = createPortal(settings, { table, mail: createMailCarrier(createMessages(settings)) });
  const { outbox } = portal;
  const cognito = createCognitoClient();
  const services = {
    origin: settings.portalOrigin,
    accounts: createPortalAccountStore(table, { outbox, random: systemRandom, now: systemClock }),
    teams: createPortalTeamStore(table, { outbox, random: systemRandom }),
    applications: createTeamApplications(portal),
    directory: createPoolDirectory(settings, cognito),
    random: systemRandom,
    now: systemClock,
  };
  const operators = createOperatorCommands({
    ...services,
    operators: createOperatorDirectory(cognito, settings.developerPoolId),
  });
  return { portal, accountRoutes: accountDecisionRoutes(services), operators };
}

/** The environment variables of `OperationsSettings`. */
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
