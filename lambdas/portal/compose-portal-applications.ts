/** Composes the services of the portal's applications, for the functions that work on them. */

import { LambdaClient } from '@aws-sdk/client-lambda';
import type { Environment } from '../catalog/environments.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { consoleLog, type Log } from '../platform/runtime/log.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import type { Table } from '../platform/table/table.ts';
import { operatorAccountView } from './accounts/account-decision-routes.ts';
import type { TeamApplications } from './accounts/suspend-team-applications.ts';
import { createAccountReader } from './adapters/account-store.ts';
import { createPortalDraftStore, createTestMemberStore } from './adapters/application-drafts.ts';
import { createPortalApplicationStore } from './adapters/application-store.ts';
import { createEnvironmentInvoker } from './adapters/environment-invoker.ts';
import { createPortalLimits } from './adapters/limits-store.ts';
import { createPortalOutbox, type PortalOutbox } from './adapters/outbox.ts';
import { createStatusStore } from './adapters/status-store.ts';
import { closedNetwork, createInternet } from './adapters/uri-probe.ts';
import type { MailEntry, OutboxCarrier, OutboxEntry, UserEntry } from './api/outbox.ts';
import type { AddressesView } from './api/views.ts';
import type { Portal, PortalAccounts, PortalTier } from './applications/application-ports.ts';
import { reconcileClient } from './applications/reconcile-client.ts';
import { isStopped, suspendWithAccount } from './applications/suspend-with-account.ts';

export interface PortalSettings {
  readonly portalOrigin: string;
  readonly provisioningFunctions: Readonly<Record<Environment, string>>;
  readonly environmentAddresses: AddressesView;
  readonly portalTiers: Readonly<Record<Environment, PortalTier>>;
  /** Whether approvals need two operators. A function that takes no decisions has `off` or no value. */
  readonly fourEyes?: 'on' | 'off';
  readonly networkChecks?: 'on' | 'off';
  /** Absent if the function runs no pre-flight. */
  readonly protectedNames?: readonly string[];
}

export interface PortalConnections {
  readonly table: Table;
  readonly mail: OutboxCarrier<MailEntry>;
  /** Present if the function may remove users of the developers' pool. */
  readonly user?: OutboxCarrier<UserEntry>;
  /** Replaces the reader of accounts in the portal's table. */
  readonly accounts?: PortalAccounts;
  /** Replaces the invoker of the functions in the settings. */
  readonly environments?: Portal['environments'];
  readonly network?: Portal['network'];
  readonly now?: () => number;
  readonly uuid?: () => string;
  readonly log?: Log;
}

const preflightRule = { name: 'preflight', limit: 30, periodSeconds: 600 };

/** Creates the portal's applications over its table, the environments' functions and the outbox. */
export function createPortal(
  settings: PortalSettings,
  connections: PortalConnections,
): Portal & { readonly outbox: PortalOutbox } {
  const { table, now = systemClock, uuid = systemRandom.uuid, log = consoleLog } = connections;
  const outbox: PortalOutbox = createPortalOutbox(
    table,
    {
      mail: logged(connections.mail, log),
      provisioning: logged(
        async ({ applicationId, environment, resume }) =>
          await reconcileClient(portal, applicationId, environment, resume),
        log,
      ),
      suspension: logged(async (entry, id) => await suspendWithAccount(portal, entry, id), log),
      ...(connections.user === undefined ? {} : { user: logged(connections.user, log) }),
    },
    now,
  );
  const limits = createPortalLimits(table, now);
  const portal: Portal & { readonly outbox: PortalOutbox } = {
    applications: createPortalApplicationStore(table, { now, uuid }),
    drafts: createPortalDraftStore(table),
    testMembers: createTestMemberStore(table),
    status: createStatusStore(table),
    environments:
      connections.environments ??
      createEnvironmentInvoker(new LambdaClient({ maxAttempts: 2 }), settings.provisioningFunctions),
    accounts: connections.accounts ?? createPortalAccounts(table),
    outbox,
    preflights: {
      count: async (teamId) => await limits.attempt(preflightRule, teamId),
    },
    network: connections.network ?? (settings.networkChecks === 'on' ? createInternet() : closedNetwork),
    origin: settings.portalOrigin,
    addresses: settings.environmentAddresses,
    tiers: settings.portalTiers,
    fourEyes: settings.fourEyes === 'on',
    protectedNames: settings.protectedNames ?? [],
    now,
    uuid,
    sha256: digests.sha256Hex,
  };
  return portal;
}

/**
 * Logs the error of an outbox entry and keeps the entry for the next run, because the decision is in force and an operator must act on the
 * log.
 */
function logged<Entry extends OutboxEntry>(carry: OutboxCarrier<Entry>, log: Log): OutboxCarrier<Entry> {
  return async (entry, id) => {
    try {
      return await carry(entry, id);
    } catch (error) {
      log('error', 'outbox_entry_failed', { errorName: error instanceof Error ? error.name : 'Error' });
      return 'later';
    }
  };
}

/** Creates the reader of a team's applications for decisions about accounts. */
export function createTeamApplications(portal: Portal): TeamApplications {
  return {
    async approved(teamId) {
      const all = await portal.applications.ofTeam(teamId);
      return all
        .filter(({ state }) => state === 'approved')
        .map(({ applicationId, name }) => ({ applicationId, name }));
    },
    async stopped(applicationIds) {
      const stopped = await Promise.all(
        applicationIds.map(async (id) => await isStopped(portal, id).catch(() => false)),
      );
      return new Set(applicationIds.filter((_, at) => stopped[at]));
    },
  };
}

/** Creates the reader of the accounts that applications need, over the portal's table. */
function createPortalAccounts(table: Table): PortalAccounts {
  const accounts = createAccountReader(table);
  return {
    async contact(accountId) {
      const account = await accounts.find(accountId);
      return account === undefined ? undefined : { email: account.email, company: account.company };
    },
    async view(accountId) {
      const account = await accounts.find(accountId);
      return account === undefined ? undefined : await operatorAccountView(accounts, account);
    },
  };
}
