/** Reads and writes accounts in the portal's table. */

import * as z from 'zod/mini';
import { conditionHolds, failedConditions, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Key } from '../../platform/table/key.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import { StoreUnavailable, type Table, type Write } from '../../platform/table/table.ts';
import type { Account } from '../accounts/account.ts';
import type {
  AccountChange,
  AccountCreation,
  AccountEvent,
  AccountStore,
  CreationResult,
} from '../accounts/account-store-port.ts';
import {
  accountItem,
  accountOfItem,
  claimKey,
  decoyKey,
  emailClaimKey,
  findAccount,
  moveInLists,
  replaceAccount,
  shadowKey,
  uniquenessClaims,
} from './account-items.ts';
import { changeWrites, eventWrite, operatorWrites, supersededWrites } from './account-writes.ts';
import type { PortalOutbox } from './outbox.ts';
import { endOutboxEntry, outboxWrite } from './outbox.ts';
import { accountKey, stateListKey, usernameKey } from './portal-table-keys.ts';
import { createTeam, joinTeam, useInvitation } from './team-store.ts';

interface Services {
  readonly outbox: Pick<PortalOutbox, 'carryOut'>;
  readonly random: { uuid(): string };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const pageSize = 50;
/** Milliseconds: far longer than a sign-up takes between making the user and writing the account. */
const userMs = 15 * 60 * 1000;

/** Reads accounts and their timelines from the portal's table. */
export function createAccountReader(table: Table): Pick<AccountStore, 'find' | 'events'> {
  return {
    find: async (accountId) => await findAccount(table, accountId),
    async events(accountId) {
      const items = await queryAll(table, accountKey(accountId).pk, 'EVENT#');
      return items.map((item) => storedEvent.parse(item) as AccountEvent);
    },
  };
}

/**
 * Creates the store of accounts over the portal's table. Each change is one transaction, which fails if the account has changed since it
 * was read.
 */
export function createPortalAccountStore(table: Table, services: Services): AccountStore {
  return {
    ...createAccountReader(table),
    findByEmail: async (email) => await holderOf(table, emailClaimKey(email)),
    findFirstDecoy: async (email) => await holderOf(table, shadowKey(email)),
    findDecoy: async (email) => await holderOf(table, decoyKey(email)),
    findByUsername: async (username) => await holderOf(table, usernameKey(username)),
    async awaitUser(accountId) {
      const due = new Date(services.now() + userMs).toISOString();
      const { id, write } = outboxWrite({ kind: 'user', accountId }, due, services.random.uuid());
      await table.transact([write]);
      return id;
    },
    create: async (creation) => await create(table, services, creation),
    change: async (change) => await carryOutChange(table, services, change),
    passwordHolds: async (account) => await passwordHolds(table, account),
    async ensureOperator(account) {
      const item = putIfAbsent(accountItem(account));
      // An operator who is written as closed claims no address.
      if (account.state === 'closed') {
        await conditionHolds(table, [item]);
        return;
      }
      const claim = claimKey(emailClaimKey(account.email), account.accountId);
      // If another account has the address, the operator signs in by the account ID, the name in the user pool.
      if (!(await conditionHolds(table, [item, claim]))) await conditionHolds(table, [item]);
    },
    async list(state, after) {
      const { pk } = stateListKey('ACCOUNT', state, '');
      const page = await table.query({ pk, limit: pageSize, ...(after === undefined ? {} : { after }) });
      const items = await table.batchGet(page.items.map((item) => accountKey(String(item.accountId))));
      const accounts = items.flatMap((item) => (item === undefined ? [] : [accountOfItem(item)]));
      return page.next === undefined ? { accounts } : { accounts, next: page.next };
    },
  };
}

async function passwordHolds(
  table: Table,
  { accountId, sessionEpoch }: Pick<Account, 'accountId' | 'sessionEpoch'>,
): Promise<void> {
  const update = {
    key: accountKey(accountId),
    expression: 'REMOVE passwordChangesUntil',
    condition: 'sessionEpoch = :epoch',
    values: { ':epoch': sessionEpoch },
  };
  await conditionHolds(table, [{ update }]);
}

const storedEvent = z.object({
  at: z.string(),
  eventId: z.string(),
  actor: z.object({ kind: z.enum(['developer', 'operator', 'service']), id: z.string(), name: z.string() }),
  act: z.string(),
  state: z.string(),
  words: z.optional(z.string()),
  requestId: z.string(),
});

/** Finds the account that holds a claim. Reads two items even where there is no claim, so that the response time reveals nothing. */
async function holderOf(table: Table, claim: Key): Promise<Account | undefined> {
  const item = await table.get(claim);
  const account = await findAccount(table, String(item?.accountId ?? 'nobody'));
  return item === undefined ? undefined : account;
}

/**
 * Creates an account in one transaction. The claims come first in it, so that the position of a failed condition shows which of them was
 * taken.
 */
async function create(
  table: Table,
  { now, random }: Services,
  creation: AccountCreation,
): Promise<CreationResult> {
  const { account, event } = creation;
  const supersedes = [...new Map(creation.supersedes.map((each) => [each.accountId, each])).values()];
  const claims = [
    ...uniquenessClaims(account).map((key) =>
      claimKey(key, account.accountId, [
        ...supersedes.map(({ accountId }) => accountId),
        ...(creation.follows ?? []),
      ]),
    ),
    ...supersedes.flatMap((each) => supersededWrites(each, account, event)),
  ];
  const joining = joiningWrites(creation, now());
  const user = creation.user === undefined ? [] : [endOutboxEntry(creation.user)];
  const failed = await failedConditions(table, [
    ...claims,
    ...joining,
    ...user,
    putIfAbsent(accountItem(account)),
    eventWrite(account.accountId, event),
    ...operatorWrites(account, event),
    ...moveInLists(undefined, account),
    ...(account.decoy && account.firstDecoy !== true
      ? [{ put: { ...decoyKey(account.email), accountId: account.accountId } }]
      : []),
    ...usersRemoved(supersedes, event.at, random),
  ]);
  if (failed.length === 0) return 'created';
  if (failed.some((at) => at < claims.length)) return 'taken';
  if (failed.every((at) => at < claims.length + joining.length)) return 'invitation_invalid';
  if (failed.includes(claims.length + joining.length) && user.length > 0) {
    throw new StoreUnavailable(new Error('the sign-up took so long that its user was removed'));
  }
  throw new Error('an account of this id is there already');
}

/**
 * Makes outbox entries by which the outbox worker removes the users of closed accounts.
 *
 * @param at ISO 8601
 */
function usersRemoved(ended: readonly Account[], at: string, random: Services['random']): readonly Write[] {
  return ended.map(({ accountId }) => outboxWrite({ kind: 'user', accountId }, at, random.uuid()).write);
}

function joiningWrites({ account, joins }: AccountCreation, nowMs: number): readonly Write[] {
  if (joins === undefined) return [];
  if (joins.kind === 'own_team') return createTeam(joins.team, account.accountId, account.createdAt);
  const { invitation } = joins;
  return [
    ...useInvitation(invitation, nowMs / 1000),
    ...joinTeam(invitation.teamId, account.accountId, account.createdAt),
  ];
}

async function carryOutChange(
  table: Table,
  { outbox, random, now }: Services,
  change: AccountChange,
): Promise<boolean> {
  // The order in which the entries are carried out: suspensions come before the mails about them.
  const followed = [...(change.suspensions ?? []), ...(change.mails ?? [])];
  const entries = followed.map((entry) => outboxWrite(entry, change.event.at, random.uuid()));
  const writes = [
    replaceAccount(change.account, change.next),
    ...changeWrites(change, now() / 1000),
    ...entries.map(({ write }) => write),
    ...usersRemoved(change.supersedes ?? [], change.event.at, random),
  ];
  if (!(await conditionHolds(table, writes))) return false;
  // The change is written by now, so a failure is no error: the outbox worker carries out the entries later.
  await outbox.carryOut(entries.map(({ id }) => id)).catch(() => undefined);
  return true;
}
