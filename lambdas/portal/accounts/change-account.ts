/** Changes a portal account. Of concurrent changes to the same version, one is written. */

import { type PortalProblem, type PortalSession, problem } from '../api/route-handler.ts';
import type { AccountAct } from '../catalog/account-states.ts';
import { type Account, edgeOf } from './account.ts';
import { accountEvent } from './account-event.ts';
import type { AccountChange, AccountEdit, AccountEvent, AccountStore } from './account-store-port.ts';
import type { DeveloperServices } from './developer-services.ts';

type ChangeServices = Pick<DeveloperServices, 'accounts' | 'random' | 'now'>;

/** The fields to change; a field that is undefined is removed. */
export type AccountFields = { readonly [Field in keyof Account]?: Account[Field] | undefined };

/** The account after a change, as it was written. */
export interface AccountChanged {
  readonly kind: 'changed';
  readonly account: Account;
}

export interface ChangeOptions
  extends Omit<AccountChange, 'account' | 'next' | 'event'>,
    Pick<AccountEvent, 'requestId' | 'words'> {
  readonly by?: AccountEvent['actor'];
}

/** Reads the account of a session in its present state. */
export async function accountOf(
  { accounts }: { readonly accounts: Pick<AccountStore, 'find'> },
  session: PortalSession,
): Promise<Account | undefined> {
  return await accounts.find(session.accountId);
}

/** Changes an account by an act of the state table. */
export async function takeAct(
  services: ChangeServices,
  account: Account,
  act: AccountAct,
  fields: AccountFields,
  options: ChangeOptions,
): Promise<AccountChanged | PortalProblem> {
  const edge = edgeOf(act, account);
  if (edge === undefined) return problem('account_state', { state: account.state });
  return await writeChange(services, account, act, { ...fields, state: edge.to }, options);
}

/** Changes fields of an account without changing its state. */
export async function editAccount(
  services: ChangeServices,
  account: Account,
  deed: AccountEdit,
  fields: AccountFields,
  options: ChangeOptions,
): Promise<AccountChanged | PortalProblem> {
  return await writeChange(services, account, deed, fields, options);
}

async function writeChange(
  services: ChangeServices,
  account: Account,
  act: AccountEvent['act'],
  fields: AccountFields,
  { requestId, by, words, ...rest }: ChangeOptions,
): Promise<AccountChanged | PortalProblem> {
  const next = { ...account, ...fields, version: account.version + 1 } as Account;
  const done = await services.accounts.change({
    account,
    next,
    event: accountEvent(services, next, act, {
      requestId,
      ...(by === undefined ? {} : { by }),
      ...(words === undefined ? {} : { words }),
    }),
    ...rest,
  });
  return done ? { kind: 'changed', account: next } : await concurrentChange(services, account);
}

/** Makes the refusal of a change that failed because of a concurrent change, with the account's present state. */
export async function concurrentChange(
  { accounts }: Pick<DeveloperServices, 'accounts'>,
  before: Account,
): Promise<PortalProblem> {
  const now = await accounts.find(before.accountId);
  if (now !== undefined && now.state !== before.state) return problem('account_state', { state: now.state });
  if (now !== undefined && now.version !== before.version) {
    return problem('stale_version', { current: { version: now.version }, changed: [] });
  }
  // The account is unchanged, so the write failed because its code was used, replaced or tried meanwhile.
  return problem('code_expired');
}
