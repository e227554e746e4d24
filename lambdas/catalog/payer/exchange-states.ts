/**
 * Table of the states of an exchange, which is one member with one other payer that we ask for the member's data: the acts between them, and
 * the clock of each state. The store enforces it by conditional writes, the sweep reads its clocks, docs/states.md draws it.
 *
 * @see 42 CFR 422.121(b), 431.61(b), 457.731(b); 45 CFR 156.222(b)
 */

export const exchangeStates = [
  'offered',
  'opted-in',
  'payer-known',
  'match-sent',
  'matched',
  'no-match',
  'constrained',
  'export-sent',
  'downloaded',
  'merged',
  'due-again',
  'revoked',
] as const;
export type ExchangeState = (typeof exchangeStates)[number];

/** The states in which a run is at work on the exchange. */
export const statesInRun = ['match-sent', 'matched', 'export-sent', 'downloaded'] as const;

/** The states from which the next run may begin. */
export const askableStates = ['payer-known', 'due-again'] as const;

/** Every state that the member's permission covers. */
const permitted = [
  'opted-in',
  ...askableStates,
  ...statesInRun,
  'no-match',
  'constrained',
  'merged',
] as const satisfies readonly ExchangeState[];

/**
 * The acts on an exchange. An exchange begins by `offer` or by `opt-in`. `correct` changes what identifies the member at the other payer,
 * after which the payer is looked for again. `change` leaves the state, e.g. for a shorter permission.
 */
export const exchangeTransitions = {
  'opt-in': { from: ['offered', 'revoked'], to: 'opted-in' },
  'name-payer': { from: ['opted-in'], to: 'payer-known' },
  correct: { from: ['opted-in', ...askableStates, 'no-match', 'constrained'], to: 'opted-in' },
  'send-match': { from: askableStates, to: 'match-sent' },
  match: { from: ['match-sent'], to: 'matched' },
  'find-none': { from: ['match-sent'], to: 'no-match' },
  constrain: { from: ['match-sent'], to: 'constrained' },
  'send-export': { from: ['matched'], to: 'export-sent' },
  download: { from: ['export-sent'], to: 'downloaded' },
  merge: { from: ['downloaded'], to: 'merged' },
  'ask-again': { from: [...statesInRun, 'no-match', 'constrained', 'merged'], to: 'due-again' },
  revoke: { from: ['offered', ...permitted], to: 'revoked' },
} as const satisfies Readonly<
  Record<string, { readonly from: readonly ExchangeState[]; readonly to: ExchangeState }>
>;
export type ExchangeAct = keyof typeof exchangeTransitions;

export const exchangeActs = Object.keys(exchangeTransitions) as [ExchangeAct, ...ExchangeAct[]];

/** Days of the clocks, with the rule that each follows. */
export const exchangeDays = {
  /** A new member is asked within a week of the start of coverage: 42 CFR 422.121(b)(2)(i). */
  offer: 7,
  /** The other payer is asked within a week of the opt-in, once it is known: 42 CFR 422.121(b)(4)(iv). */
  ask: 7,
  /** A payer that covers the member at the same time is asked at least quarterly: 42 CFR 422.121(b)(6)(i). */
  quarter: 90,
  /** A run begins so many days before the quarter ends, so that a payer that fails for days is still asked in time. */
  quarterHeadStart: 7,
  /** A payer that found nobody, or whose rules forbade an answer, is asked again: its data about the member may be late. No rule asks for it. */
  noMatchAgain: 30,
  /** A member is asked about again after a run failed. */
  failedAgain: 1,
  /** An alarm rings so many days before a due date passes. */
  alarm: 2,
} as const;
