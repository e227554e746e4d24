/** Makes the DynamoDB writes of a change to a portal account. */

import { putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Key } from '../../platform/table/key.ts';
import type { Write } from '../../platform/table/table.ts';
import type { Account } from '../accounts/account.ts';
import { fullName } from '../accounts/account.ts';
import type { AccountChange, AccountEvent } from '../accounts/account-store-port.ts';
import {
  claimKey,
  emailClaimKey,
  moveInLists,
  releaseKey,
  replaceAccount,
  shadowKey,
  uniquenessClaims,
} from './account-items.ts';
import { operatorActWrite } from './operator-acts.ts';
import { accountEventKey, accountKey, queueKey } from './portal-table-keys.ts';
import { changeRole, checkOwner, createTeam, joinTeam, leaveTeam, useInvitation } from './team-store.ts';
import { useCode } from './verification-code-store.ts';

/** Makes the write of an event: part of its change's transaction, and never changed later. */
export function eventWrite(accountId: string, event: AccountEvent): Write {
  return putIfAbsent({ ...accountEventKey(accountId, event.at, event.eventId), ...event });
}

/** Makes the writes of a change that are neither the account itself nor its mails. */
export function changeWrites(change: AccountChange, nowSeconds: number): readonly Write[] {
  const { account, next, event, code } = change;
  return [
    ...(code === undefined ? [] : [useCode(code, nowSeconds)]),
    eventWrite(account.accountId, event),
    ...moveInLists(account, next),
    ...claimWrites(change),
    ...(change.supersedes ?? []).flatMap((each) => supersededWrites(each, next, event)),
    ...queueWrites(change),
    ...teamWrites(change, nowSeconds),
    ...remainsWrites(change),
    ...operatorWrites(next, event),
  ];
}

/** Makes the write of an account's event among the acts of the operator who caused it; none for other people's. */
export function operatorWrites(
  account: Account,
  { at, eventId, actor, act, words }: AccountEvent,
): readonly Write[] {
  if (actor.kind !== 'operator') return [];
  const { accountId: id } = account;
  const done = { at, kind: 'account', id, name: fullName(account), act } as const;
  return [operatorActWrite(actor.id, eventId, { ...done, ...(words !== undefined && { words }) })];
}

/**
 * Makes the check that the remaining member is still active: if two members are suspended at the same time, neither must count as the one
 * who remains.
 */
function remainsWrites({ remains }: AccountChange): readonly Write[] {
  if (remains === undefined) return [];
  const condition = {
    expression: '#state = :active AND teamId = :team',
    names: { '#state': 'state' },
    values: { ':active': 'active', ':team': remains.teamId },
  };
  return [{ check: accountKey(remains.accountId), condition }];
}

/** Makes the writes of claims: a closed account releases its address and user name; an account with a new address claims it. */
function claimWrites({ account, next, supersedes = [] }: AccountChange): readonly Write[] {
  const { accountId } = account;
  // The claim of a closed first decoy stays, for the next first decoy of the address.
  const isKept = (key: Key) =>
    account.firstDecoy === true && nameOf(key) === nameOf(shadowKey(account.email));
  if (next.state === 'closed') {
    return uniquenessClaims(account)
      .filter((key) => !isKept(key))
      .map((key) => releaseKey(key, accountId));
  }
  const [before, after] = [emailClaimKey(account.email), emailClaimKey(next.email)];
  if (before.pk === after.pk && account.decoy === next.decoy) return [];
  const from = supersedes.map((each) => each.accountId);
  return [
    ...(account.decoy ? [] : [releaseKey(before, accountId)]),
    ...(account.firstDecoy === true && !next.decoy ? [releaseKey(shadowKey(account.email), accountId)] : []),
    claimKey(after, accountId, from),
  ];
}

function queueWrites({ account, next, queue }: AccountChange): readonly Write[] {
  const since = next.queuedSince;
  if (queue === undefined || since === undefined) return [];
  const key = queueKey('account', since, account.accountId);
  if (queue === 'leave') return [{ delete: key }];
  const item = { kind: 'account', id: account.accountId, name: fullName(next), company: next.company, since };
  return [{ put: { ...key, ...item } }];
}

function teamWrites(
  { account, next, event, team, membership, owner }: AccountChange,
  nowSeconds: number,
): readonly Write[] {
  const { accountId } = account;
  // Decoys and operators are in no team.
  const inTeam = !account.decoy && account.role !== 'operator';
  if (next.state === 'closed' && inTeam) return leaveTeam(account.teamId, accountId, true, membership);
  if (team === undefined) return [];
  if (team.kind === 'founded') return createTeam(team.founds, accountId, event.at);
  // DynamoDB allows one action on each item in a transaction: an owner whose item is written or checked already is not checked again.
  const isChecked = owner === accountId || owner === membership?.remainingOwner?.accountId;
  const byOwner = owner === undefined || isChecked ? [] : [checkOwner(account.teamId, owner)];
  if (team.kind === 'role_changed') {
    if (membership === undefined) throw new Error('a role changes from one that was read');
    return [...byOwner, ...changeRole(account.teamId, accountId, team.role, membership)];
  }
  if (team.kind === 'left') {
    return [
      ...byOwner,
      ...leaveTeam(team.leaves.teamId, accountId, false, membership),
      ...createTeam(team.own, accountId, event.at),
    ];
  }
  return [
    ...useInvitation(team.joins, nowSeconds),
    ...joinTeam(team.joins.teamId, accountId, event.at),
    ...leaveTeam(team.leaves.teamId, accountId, true, membership),
  ];
}

/** Makes the writes that close an account which never proved the address or user name that a new account claims. */
export function supersededWrites(
  superseded: Account,
  by: Account,
  { at, eventId, requestId }: AccountEvent,
): readonly Write[] {
  const next: Account = { ...superseded, state: 'closed', version: superseded.version + 1 };
  const taken = new Set(uniquenessClaims(by).map(nameOf));
  const given = uniquenessClaims(superseded).filter((key) => !taken.has(nameOf(key)));
  const actor = { kind: 'service', id: 'sign-up', name: 'The portal' } as const;
  const words = 'Another sign-up came before the address was proven.';
  const event: AccountEvent = { at, eventId, actor, act: 'close', state: 'closed', words, requestId };
  return [
    replaceAccount(superseded, next),
    ...given.map((key) => releaseKey(key, superseded.accountId)),
    ...(superseded.decoy ? [] : leaveTeam(superseded.teamId, superseded.accountId, true)),
    ...moveInLists(superseded, next),
    eventWrite(superseded.accountId, event),
  ];
}

function nameOf({ pk, sk }: Key): string {
  return `${pk} ${sk}`;
}
