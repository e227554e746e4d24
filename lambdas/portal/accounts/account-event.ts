import type { PortalActor } from '../catalog/account-states.ts';
import type { Account } from './account.ts';
import { fullName } from './account.ts';
import type { AccountEvent } from './account-store-port.ts';
import type { DeveloperServices } from './developer-services.ts';

/**
 * Makes an event of an account's timeline. `by`: the actor.
 *
 * @default the account itself
 */
export function accountEvent(
  { now, random }: Pick<DeveloperServices, 'now' | 'random'>,
  account: Account,
  act: AccountEvent['act'],
  options: {
    readonly requestId: string;
    readonly by?: { readonly kind: PortalActor; readonly id: string; readonly name: string };
    readonly words?: string;
  },
): AccountEvent {
  return {
    at: new Date(now()).toISOString(),
    // The account's version in the ID orders events of the same millisecond.
    eventId: `${String(account.version).padStart(6, '0')}-${random.uuid()}`,
    actor: options.by ?? { kind: 'developer', id: account.accountId, name: fullName(account) },
    act,
    state: account.state,
    ...(options.words === undefined ? {} : { words: options.words }),
    requestId: options.requestId,
  };
}
