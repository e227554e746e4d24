import type { Environment } from '../../catalog/environments.ts';

/**
 * An effect of a decision in another system: written in the transaction of the decision, carried out right
 * after, and again by `portal-outbox-worker` until it is done.
 */
export type OutboxEntry = MailEntry | ProvisioningEntry | SuspensionEntry | UserEntry;

/** A mail in plain text. Carried out at least once. */
export interface MailEntry {
  readonly kind: 'mail';
  /** An e-mail address in ASCII. */
  readonly to: string;
  /** Constant text and values of this service: headers have nothing that a person typed. */
  readonly subject: string;
  readonly text: string;
}

/** Updates an application's client in an environment to the application's present state, so that entries need no order and can be repeated. */
export interface ProvisioningEntry {
  readonly kind: 'provisioning';
  readonly applicationId: string;
  readonly environment: Environment;
  /** Whether the act lets the client act again; otherwise a client that was suspended in the environment stays suspended. */
  readonly resume: boolean;
}

/** Suspends an application with its developer's account: an act of its own, by the operator who decided about the account. Carried out once. */
export interface SuspensionEntry {
  readonly kind: 'suspension';
  readonly applicationId: string;
  readonly by: { readonly accountId: string; readonly name: string };
  /** Reason in the developer's words. */
  readonly reason: string;
}

/** Removes the user of the developers' pool whose account has ended before anybody proved it, or was never made. */
export interface UserEntry {
  readonly kind: 'user';
  readonly accountId: string;
}

/** `later`: it could not be carried out now, and stays. `away`: the environment can't be reached, so its other entries would fail too. */
export type OutboxResult = 'done' | 'later' | 'away';

/** The carriers of entries, by kind. A kind that a function does not carry is left to the outbox worker. @param id the entry's own */
export type OutboxCarriers = {
  readonly [Kind in OutboxEntry['kind']]?: OutboxCarrier<Extract<OutboxEntry, { kind: Kind }>>;
};
export type OutboxCarrier<Entry extends OutboxEntry> = (entry: Entry, id: string) => Promise<OutboxResult>;
