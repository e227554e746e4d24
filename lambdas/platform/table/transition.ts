/** State transitions as conditional DynamoDB updates. */

import type { Transition } from '../kernel/transition.ts';
import type { Key } from './key.ts';
import type { Update, Write } from './table.ts';

/** Conditions and assignments of a transition in addition to the state, as DynamoDB expressions. */
export interface TransitionConditions {
  /** Added to the condition with AND. */
  readonly condition?: string;
  /** Assignments added to the SET clause. */
  readonly sets?: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** A transition of a state machine, enforced by DynamoDB: a conditional update of the item's `state`. */
export function transition(key: Key, { from, to }: Transition, beside: TransitionConditions = {}): Update {
  const places = from.map((_, at) => `:from${at}`);
  const states = Object.fromEntries(from.map((state, at) => [`:from${at}`, state]));
  const also = beside.condition === undefined ? '' : ` AND ${beside.condition}`;
  return {
    key,
    expression: `SET #state = :to${beside.sets === undefined ? '' : `, ${beside.sets}`}`,
    condition: `#state IN (${places.join(', ')})${also}`,
    names: { '#state': 'state', ...beside.names },
    values: { ':to': to, ...states, ...beside.values },
  };
}

/** The condition that an item is in the start state of a transition, without a write. */
export function stateCheck(
  key: Key,
  { from }: Transition,
  beside: Omit<TransitionConditions, 'sets'> = {},
): Write {
  const places = from.map((_, at) => `:from${at}`);
  const states = Object.fromEntries(from.map((state, at) => [`:from${at}`, state]));
  const also = beside.condition === undefined ? '' : ` AND ${beside.condition}`;
  const expression = `#state IN (${places.join(', ')})${also}`;
  const names = { '#state': 'state', ...beside.names };
  return { check: key, condition: { expression, names, values: { ...states, ...beside.values } } };
}
