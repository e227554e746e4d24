/** Items of an account, and the claims that make its address and user name unique. */

import * as z from 'zod/mini';
import { digests } from '../../platform/runtime/digests.ts';
import { putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Key } from '../../platform/table/key.ts';
import type { Item, Table, Write } from '../../platform/table/table.ts';
import type { Account } from '../accounts/account.ts';
import { accountStateNames, developerTypeNames } from '../catalog/account-states.ts';
import {
  accountKey,
  emailDecoyKey,
  emailKey,
  emailShadowKey,
  stateListKey,
  usernameKey,
} from './portal-table-keys.ts';

const storedAccount = z.object({
  accountId: z.string(),
  version: z.number(),
  state: z.enum(accountStateNames),
  role: z.enum(['developer', 'operator']),
  developerType: z.optional(z.enum(developerTypeNames)),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.optional(z.string()),
  phoneVerified: z.boolean(),
  username: z.optional(z.string()),
  company: z.string(),
  teamId: z.string(),
  createdAt: z.string(),
  termsVersion: z.optional(z.string()),
  termsAcceptedAt: z.optional(z.string()),
  signUp: z.record(z.string(), z.unknown()),
  sessionEpoch: z.number(),
  passwordChangesUntil: z.optional(z.number()),
  decoy: z.boolean(),
  firstDecoy: z.optional(z.literal(true)),
  authenticator: z.optional(z.object({ enrollment: z.string(), since: z.string() })),
  queuedSince: z.optional(z.string()),
});

/** An account by its item. @throws where the item isn't one: a defect. */
export function accountOfItem(item: Item): Account {
  // An absent attribute is absent in the parsed item too, which the schema's type can't express.
  return storedAccount.parse(item) as Account;
}

export function accountItem(account: Account): Item & Key {
  return { ...accountKey(account.accountId), ...account };
}

export async function findAccount(table: Table, accountId: string): Promise<Account | undefined> {
  const item = await table.get(accountKey(accountId));
  return item === undefined ? undefined : accountOfItem(item);
}

/** The claim to an address, by the SHA-256 of its lowercase form. */
export function emailClaimKey(email: string): Key {
  return emailKey(digests.sha256Hex(email.toLowerCase()));
}

/** The key of the newest decoy of an address. */
export function decoyKey(email: string): Key {
  return emailDecoyKey(digests.sha256Hex(email.toLowerCase()));
}

/** The first decoy's claim, by which it would get the address. */
export function shadowKey(email: string): Key {
  return emailShadowKey(digests.sha256Hex(email.toLowerCase()));
}

/**
 * The claims that make an account's address and user name unique. A decoy has no claim to its address; the first one has the place beside
 * it.
 */
export function uniquenessClaims({ email, username, decoy, firstDecoy }: Account): readonly Key[] {
  return [
    ...(decoy ? [] : [emailClaimKey(email)]),
    ...(firstDecoy === true ? [shadowKey(email)] : []),
    ...(username === undefined ? [] : [usernameKey(username)]),
  ];
}

/** Takes a claim that is free, or that one of these accounts has. */
export function claimKey(key: Key, accountId: string, from: readonly string[] = []): Write {
  const put = { ...key, accountId };
  if (from.length === 0) return putIfAbsent(put);
  const places = from.map((_, at) => `:from${at}`);
  return {
    put,
    condition: {
      expression: `attribute_not_exists(pk) OR accountId IN (${places.join(', ')})`,
      values: Object.fromEntries(from.map((id, at) => [`:from${at}`, id])),
    },
  };
}

/** Releases a claim. */
export function releaseKey(key: Key, accountId: string): Write {
  return { delete: key, condition: { expression: 'accountId = :id', values: { ':id': accountId } } };
}

/** Moves an account from one of the operators' lists to another. */
export function moveInLists(before: Account | undefined, after: Account): readonly Write[] {
  if (before?.state === after.state) return [];
  const { accountId } = after;
  const left = before === undefined ? [] : [{ delete: stateListKey('ACCOUNT', before.state, accountId) }];
  return [...left, { put: { ...stateListKey('ACCOUNT', after.state, accountId), accountId } }];
}

/** Replaces an account, on the version and state that were read. */
export function replaceAccount(before: Account, after: Account): Write {
  return {
    put: accountItem(after),
    condition: {
      expression: '#version = :version AND #state = :state',
      names: { '#version': 'version', '#state': 'state' },
      values: { ':version': before.version, ':state': before.state },
    },
  };
}
