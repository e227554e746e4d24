/** Shape of a check of the partners' self-test. */

import type { Partner } from './partner.ts';

/** A check: it is passed if it doesn't throw. */
export interface PayerCheck {
  /** Behavior that is expected, in words. */
  readonly name: string;
  /** Section of the guide that demands it. */
  readonly section: string;
  /** Whether no later check can pass if it fails: the self-test stops there. @default false */
  readonly isPrerequisite?: true;
  readonly run: (partner: Partner) => Promise<void>;
}
