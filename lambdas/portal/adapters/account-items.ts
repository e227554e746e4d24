/** Makes the DynamoDB items of an account, and the claim items that make its address and user name unique. */

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

/**
 * Parses the item of an account.
 *
 * @throws for any other item, which is a defect.
 */
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

/** Key of the claim to an address, by the SHA-256 of its lowercase form. */
export function emailClaimKey(email: string): Key {
  return emailKey(digests.sha256Hex(email.toLowerCase()));
}

/** Key of the item that names the newest decoy of an address. */
export function decoyKey(email: string): Key {
  return emailDecoyKey(digests.sha256Hex(email.toLowerCase()));
}

/** Key of the item that names the first decoy of an address with a proven owner. */
export function shadowKey(email: string): Key {
  return emailShadowKey(digests.sha256Hex(email.toLowerCase()));
}

/**
 * Keys of the claims that make an account's address and user name unique. A decoy has no claim to its address; the first decoy has a claim
 * of its own kind.
 */
export function uniquenessClaims({ email, username, decoy, firstDecoy }: Account): readonly Key[] {
  return [
    ...(decoy ? [] : [emailClaimKey(email)]),
    ...(firstDecoy === true ? [shadowKey(email)] : []),
    ...(username === undefined ? [] : [usernameKey(username)]),
  ];
}

/** Makes the write of a claim. It fails unless the claim is free or held by an account of `from`. */
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

/** Makes the write that deletes a claim of the account. */
export function releaseKey(key: Key, accountId: string): Write {
  return { delete: key, condition: { expression: 'accountId = :id', values: { ':id': accountId } } };
}

/** Makes the writes that move an account from the operators' list of its old state to the list of its new state. */
export function moveInLists(before: Account | undefined, after: Account): readonly Write[] {
  if (before?.state === after.state) return [];
  const { accountId } = after;
  const left = before === undefined ? [] : [{ delete: stateListKey('ACCOUNT', before.state, accountId) }];
  return [...left, { put: { ...stateListKey('ACCOUNT', after.state, accountId), accountId } }];
}

/** Makes the write that replaces an account; it fails unless version and state are those that were read. */
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
