/** The type of a check of the partners' self-test. */

import type { Partner } from './partner.ts';

/** A check, which passes if it doesn't throw. */
export interface PayerCheck {
  /** The expected behavior in words. */
  readonly name: string;
  /** Section of the guide that requires it. */
  readonly section: string;
  /**
   * Whether all later checks depend on it, so that the self-test stops if it fails.
   *
   * @default false
   */
  readonly isPrerequisite?: true;
  readonly run: (partner: Partner) => Promise<void>;
}
