import type { Environment } from '../../catalog/environments.ts';

/**
 * An outbox entry: an effect of a decision in another system. It is written in the transaction of the decision, carried out right after it,
 * and again by `portal-outbox-worker` until it succeeds.
 */
export type OutboxEntry = MailEntry | ProvisioningEntry | SuspensionEntry | UserEntry;

/** A mail in plain text. Carried out at least once. */
export interface MailEntry {
  readonly kind: 'mail';
  /** An e-mail address in ASCII. */
  readonly to: string;
  /** Constant text and values of this service, because no header may contain text that a person typed. */
  readonly subject: string;
  readonly text: string;
}

/**
 * Updates an application's client in an environment to the application's present state, so that entries can be carried out in any order and
 * repeatedly.
 */
export interface ProvisioningEntry {
  readonly kind: 'provisioning';
  readonly applicationId: string;
  readonly environment: Environment;
  /** Whether the act resumes a client that is suspended in the environment; without it the client stays suspended. */
  readonly resume: boolean;
}

/**
 * Suspends an application together with its developer's account, as an act of its own by the operator who suspended the account. Carried
 * out once.
 */
export interface SuspensionEntry {
  readonly kind: 'suspension';
  readonly applicationId: string;
  readonly by: { readonly accountId: string; readonly name: string };
  /** The reason that the developer reads. */
  readonly reason: string;
}

/** Removes a user of the developers' pool whose account was never made, or was closed before its address was proven. */
export interface UserEntry {
  readonly kind: 'user';
  readonly accountId: string;
}

/**
 * The result of carrying out an entry. `later`: failed for now; the entry stays. `away`: the environment cannot be reached, so its other
 * entries would fail too.
 */
export type OutboxResult = 'done' | 'later' | 'away';

/**
 * The functions that carry out entries, by kind. A kind without a carrier is left to the outbox worker.
 *
 * @param id ID of the entry
 */
export type OutboxCarriers = {
  readonly [Kind in OutboxEntry['kind']]?: OutboxCarrier<Extract<OutboxEntry, { kind: Kind }>>;
};
export type OutboxCarrier<Entry extends OutboxEntry> = (entry: Entry, id: string) => Promise<OutboxResult>;
