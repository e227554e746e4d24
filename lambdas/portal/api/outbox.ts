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
  /** Constant words and our own values: no text that a person typed is in a header. */
  readonly subject: string;
  readonly text: string;
}

/**
 * Brings an application's client in an environment to what the application is by then, so that entries need no order and a repeat
 * is harmless.
 */
export interface ProvisioningEntry {
  readonly kind: 'provisioning';
  readonly applicationId: string;
  readonly environment: Environment;
  /** The act lets the client act (again); without it a client that somebody suspended in the environment stays so. */
  readonly resume: boolean;
}

/** Suspends an application with the account of its developer: an act of its own, of who decided about the account. Carried out once. */
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

/** `later`: it could not be carried out now, and stays. `away`: so would any other of its environment, which can't be reached. */
export type OutboxResult = 'done' | 'later' | 'away';

/** The carriers of entries, by kind. A kind that a function does not carry is left to the outbox worker. @param id the entry's own */
export type OutboxCarriers = {
  readonly [Kind in OutboxEntry['kind']]?: OutboxCarrier<Extract<OutboxEntry, { kind: Kind }>>;
};
export type OutboxCarrier<Entry extends OutboxEntry> = (entry: Entry, id: string) => Promise<OutboxResult>;
