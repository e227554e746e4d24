/** A check of the smoke test, and the values that all checks share. */

import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { Scene } from '../demo/scene.ts';
import type { SmokeTarget } from './target.ts';

/** Recipient of the messages that the smoke test has sent, and how their codes are read. */
export interface Recipient {
  /** E-mail address and US number in E.164; a message without a recipient is not sent. */
  readonly email: string | undefined;
  readonly phone: string | undefined;
  /**
   * Reads the newest code that arrived at the address or number.
   *
   * @returns undefined if nobody can tell whether it arrived.
   */
  readonly codeSentTo: (to: string) => Promise<string | undefined>;
}

/** The outcome of an operator's command. */
export interface CommandOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command of `npm run ops` against the target. */
export type RunCommand = (...words: readonly string[]) => Promise<CommandOutcome>;

/** The target, its commands and its recipient, which all checks share. */
export interface Smoke {
  readonly target: SmokeTarget;
  /** Line of business of the checks that need only one. */
  readonly lob: LineOfBusiness;
  /** Lines of business of the journeys. */
  readonly lobs: readonly LineOfBusiness[];
  readonly scene: (lob: LineOfBusiness) => Scene;
  readonly ops: RunCommand;
  readonly recipient: Recipient;
  readonly pause: (ms: number) => Promise<unknown>;
}

/** The application that checks register. It is ended when the smoke test ends. */
export const smokeApp = { clientName: 'Smoke Test', attested: true, pkceRequired: false };

/** A check does not apply, with the reason. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** One check of the smoke test. */
export interface SmokeCheck {
  readonly id: string;
  /** Whether it creates or changes something in the environment. */
  readonly writes: boolean;
  /**
   * Runs the check.
   *
   * @returns what it saw, as a sentence.
   * @throws Unexpected, NotApplicable, or the error of a call.
   */
  run(smoke: Smoke): Promise<string>;
}
