/** Carries out operators' requests on exchanges, and the sweep that moves those on whose time has come. */

import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { Environment } from '../../catalog/environments.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { type ExchangeState, statesInRun } from '../../catalog/payer/exchange-states.ts';
import { namedPayer } from '../payers/named-payer.ts';
import type { OtherPayer } from '../payers/other-payer.ts';
import { urgencyOf } from './exchange-clocks.ts';
import {
  type ExchangeOperationAnswer,
  type ExchangeSummary,
  type ExchangeSweepAnswer,
  exchangeOperation,
} from './exchange-operations-contract.ts';
import { hasPermissionEnded, type MemberExchange } from './member-exchange.ts';
import type { DueExchange, MemberExchanges } from './member-exchanges-port.ts';

export interface ExchangeOperationsDependencies {
  readonly exchangesOf: (lob: LineOfBusiness) => MemberExchanges;
  /** All other payers. */
  readonly payers: () => Promise<readonly OtherPayer[]>;
  readonly environment: Environment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
  /** Logs that exchanges of a LOB are near or past their due date. */
  readonly report: (
    code: 'exchange_due',
    fields: { readonly lob: string; readonly soon: number; readonly late: number },
  ) => void;
}

/** Exchanges that are read at once. */
const pageSize = 100;
/** A time after every due date. */
const everything = '9999-12-31T00:00:00.000Z';

/**
 * Carries out an operator's request.
 *
 * @throws ZodError for an invalid payload; StoreUnavailable
 */
export async function carryOutExchangeOperation(
  deps: ExchangeOperationsDependencies,
  payload: unknown,
): Promise<ExchangeOperationAnswer> {
  const request = exchangeOperation.parse(payload);
  const exchanges = deps.exchangesOf(request.lob);
  if (request.action === 'exchange-assign') {
    const { payerId, exchangeId } = request;
    const found = await exchanges.ofPatient(request.patientId);
    const exchange = found.find((each) => each.exchangeId === exchangeId);
    const isKnown = (await deps.payers()).some((payer) => payer.payerId === payerId);
    if (exchange === undefined || !isKnown) {
      return { kind: 'refused', reason: exchange === undefined ? 'no_such_exchange' : 'no_such_payer' };
    }
    const assigned = await exchanges.act(exchange, 'name-payer', { payerId });
    return assigned === undefined
      ? { kind: 'refused', reason: 'not_in_this_state' }
      : { kind: 'exchange-explain', exchanges: [summary(assigned)] };
  }
  if (request.action === 'exchange-explain') {
    const found = await exchanges.ofPatient(request.patientId);
    return { kind: 'exchange-explain', exchanges: found.map(summary) };
  }
  const states: Partial<Record<ExchangeState, number>> = {};
  let overdue = 0;
  for await (const exchange of dueExchanges(exchanges, everything)) {
    states[exchange.state] = (states[exchange.state] ?? 0) + 1;
    if (urgencyOf(exchange, deps.now()) === 'late') overdue += 1;
  }
  const { year } = request;
  const asked = year === undefined ? undefined : await exchanges.askedIn(year);
  return { kind: 'exchange-status', states, overdue, ...(asked !== undefined && { asked }) };
}

/** Moves the exchanges on whose time has come: ends those without a permission, and has those asked again that a clock or a lost run left. */
export async function sweepExchanges(deps: ExchangeOperationsDependencies): Promise<ExchangeSweepAnswer> {
  const { now, report } = deps;
  const payers = await deps.payers();
  const swept = { askedAgain: 0, named: 0, ended: 0, overdue: 0 };
  for (const lob of lineOfBusinessCodes) {
    const exchanges = deps.exchangesOf(lob);
    const due = { soon: 0, late: 0 };
    for await (const exchange of dueExchanges(exchanges, new Date(now()).toISOString())) {
      if (hasPermissionEnded(exchange, now())) {
        const ended = await exchanges.act(
          exchange,
          'revoke',
          { because: 'permission_ended' },
          endEvent(deps, exchange),
        );
        if (ended !== undefined) swept.ended += 1;
        continue;
      }
      const urgency = urgencyOf(exchange, now());
      if (urgency !== undefined) due[urgency] += 1;
      if (exchange.state === 'opted-in') {
        const payerId = namedPayer(payers, lob, exchange.plan.name)?.payerId;
        if (payerId === undefined) continue;
        if ((await exchanges.act(exchange, 'name-payer', { payerId })) !== undefined) swept.named += 1;
        continue;
      }
      if (!isLeft(exchange.state)) continue;
      const isLost = (statesInRun as readonly ExchangeState[]).includes(exchange.state);
      const because = isLost ? { because: 'run_lost' } : {};
      if ((await exchanges.act(exchange, 'ask-again', because)) !== undefined) swept.askedAgain += 1;
    }
    if (due.soon + due.late > 0) report('exchange_due', { lob, ...due });
    swept.overdue += due.late;
  }
  return { kind: 'swept', ...swept };
}

const left: readonly ExchangeState[] = [...statesInRun, 'no-match', 'constrained', 'merged'];

/** Whether an exchange in this state is asked again when its time comes. */
function isLeft(state: ExchangeState): boolean {
  return left.includes(state);
}

export async function* dueExchanges(
  exchanges: MemberExchanges,
  until: string,
): AsyncGenerator<MemberExchange> {
  let after: DueExchange | undefined;
  do {
    const page = await exchanges.due(until, pageSize, after);
    for (const exchange of await exchanges.find(page)) if (exchange !== undefined) yield exchange;
    after = page.length < pageSize ? undefined : page.at(-1);
  } while (after !== undefined);
}

function endEvent(
  { environment, now, uuid }: ExchangeOperationsDependencies,
  { lob, patientId, exchangeId }: MemberExchange,
): AuditEvent {
  return {
    eventId: uuid(),
    time: new Date(now()).toISOString(),
    environment,
    lob,
    action: 'payer-exchange.end',
    outcome: 'succeeded',
    reason: 'permission_ended',
    actor: 'exchange-operations',
    patientId,
    requestId: uuid(),
    exchangeId,
  };
}

function summary(exchange: MemberExchange): ExchangeSummary {
  const { exchangeId, state, plan, payerId, isConcurrent, permission, nextAt, dueAt, runId } = exchange;
  const { received, because, changedAt } = exchange;
  return {
    exchangeId,
    state,
    planName: plan.name,
    payerId,
    isConcurrent,
    permissionUntil: permission?.until,
    ...{ nextAt, dueAt, runId, because, changedAt },
    received: received && { at: received.at, resources: received.resources },
  };
}
