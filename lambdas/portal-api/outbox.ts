import type { Environment } from '../catalog/environments.ts';

/**
 * What was decided and must still be carried out elsewhere: written in the transaction of the decision, carried out right
 * after, and again by `portal-upkeep` until it is done.
 */
export type OutboxEntry = MailEntry | ProvisioningEntry;

/** A mail in plain text. Carried out at least once. */
export interface MailEntry {
  readonly kind: 'mail';
  /** An e-mail address in ASCII. */
  readonly to: string;
  /** Constant words and values of ours: nothing a person typed stands in a header. */
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

/** `later`: it could not be carried out now, and stays. `away`: so would any other of its environment, which can't be reached. */
export type OutboxResult = 'done' | 'later' | 'away';

/** Who carries out what, by kind. */
export type OutboxCarriers = {
  readonly [Kind in OutboxEntry['kind']]: (
    entry: Extract<OutboxEntry, { kind: Kind }>,
  ) => Promise<OutboxResult>;
};
