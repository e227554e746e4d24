/** Stores what a drop says of other payers: offers to ask one, members' permissions, their ends. */

import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { MemberExchange } from '../../payer-exchange/exchange/exchange-contract.ts';
import { createMemberExchanges } from '../../payer-exchange/store/member-exchanges-contract.ts';
import { digests } from '../../platform/runtime/digests.ts';
import { conditionHolds } from '../../platform/table/conditional-writes.ts';
import type { Table } from '../../platform/table/table.ts';
import { patientMemberKey } from '../../platform/table/table-keys.ts';
import type { ExchangeChange } from '../rows/exchange-rows.ts';
import type { ChangeOrigin, ChangeOutcome, LoadStore } from '../rows/load-store-port.ts';
import { keptOutcome } from './change-outcomes.ts';
import type { LoadStoreOptions } from './load-event.ts';

/** Most attempts to write one exchange, each after a lost write race. */
const mostAttempts = 6;

export function createLoadExchanges(
  table: Table,
  options: Pick<LoadStoreOptions, 'environment' | 'now' | 'uuid'>,
): Pick<LoadStore, 'changeExchange' | 'endExchange'> {
  const { environment, now, uuid } = options;
  const exchangesOf = (lob: LineOfBusiness) => createMemberExchanges(table, { lob, now, auditWrite });

  /** The exchange of a patient with a plan of this name; undefined if there is none. */
  async function find(lob: LineOfBusiness, patientId: string, name: string) {
    const all = await exchangesOf(lob).ofPatient(patientId);
    return all.find(({ plan }) => plan.name.toLowerCase() === name.toLowerCase());
  }

  /** The outcome of a change for a patient who is merged or not on file; undefined for any other. */
  async function patientFault(lob: LineOfBusiness, patientId: string): Promise<ChangeOutcome | undefined> {
    const patient = await table.get(patientMemberKey(lob, patientId));
    if (patient?.mergedInto !== undefined) return 'patient_merged';
    return patient === undefined || patient.withdrawnAt !== undefined ? 'not_stored' : undefined;
  }

  /**
   * Keeps the outcome before the change: if the function ends between the two, a repeat finds the change undone and carries it out, or done
   * and counts it as this row's.
   */
  async function keepOutcome(lob: LineOfBusiness, origin: ChangeOrigin): Promise<void> {
    await conditionHolds(table, [keptOutcome({ lob, ...origin }, 'changed', now)]);
  }

  const event = (
    place: ChangeOrigin & { readonly lob: LineOfBusiness; readonly patientId: string },
    action: 'payer-exchange.permit' | 'payer-exchange.end',
    exchangeId: string,
  ): AuditEvent => ({
    eventId: uuid(),
    time: new Date(now()).toISOString(),
    ...{ environment, lob: place.lob, patientId: place.patientId, exchangeId },
    ...{ action, outcome: 'succeeded', actor: 'load-range', requestId: place.jobId },
  });

  return {
    async changeExchange(lob, origin, change) {
      const { patientId, plan, isConcurrent, coverageStart, permission, lastUpdated } = change;
      const exchanges = exchangesOf(lob);
      return await again(async () => {
        const fault = await patientFault(lob, patientId);
        if (fault !== undefined) return fault;
        const stored = await find(lob, patientId, plan.name);
        const given = permission && {
          ...permission,
          by: { kind: 'plan', id: origin.jobId } as const,
        };
        const changes = {
          ...{ plan, isConcurrent, decidedAt: lastUpdated },
          ...(coverageStart !== undefined && { coverageStart }),
          ...(given !== undefined && { permission: given }),
        };
        const outcome = stored && compared(stored, change);
        if (outcome !== undefined) return outcome;
        await keepOutcome(lob, origin);
        const exchangeId = stored?.exchangeId ?? exchangeIdOf(patientId, plan.name);
        const audit = given && event({ lob, patientId, ...origin }, 'payer-exchange.permit', exchangeId);
        if (stored === undefined) {
          const state = given === undefined ? ('offered' as const) : ('opted-in' as const);
          const begun = await exchanges.begin({ lob, patientId, exchangeId, state, ...changes }, audit);
          return begun ? 'changed' : undefined;
        }
        const lookedFor = { ...changes, payerId: undefined, match: undefined };
        const written =
          stored.state === 'offered' || stored.state === 'revoked'
            ? await exchanges.act(stored, 'opt-in', lookedFor, audit)
            : ((await exchanges.act(stored, 'correct', lookedFor, audit)) ??
              // A run that is at work, or has ended well, keeps the card by which the member was found.
              (await exchanges.change(stored, { ...changes, plan: stored.plan }, audit)));
        return written === undefined ? undefined : 'changed';
      });
    },

    async endExchange(lob, origin, { patientId, plan, lastUpdated }) {
      const exchanges = exchangesOf(lob);
      return await again(async () => {
        const stored = await find(lob, patientId, plan.name);
        if (stored === undefined) return 'not_stored';
        if (stored.state === 'revoked') return 'unchanged';
        if (Date.parse(lastUpdated) < Date.parse(decidedAt(stored))) return 'older_version';
        await keepOutcome(lob, origin);
        const audit = event({ lob, patientId, ...origin }, 'payer-exchange.end', stored.exchangeId);
        const changes = { permission: undefined, decidedAt: lastUpdated };
        const ended = await exchanges.act(stored, 'revoke', changes, audit);
        return ended === undefined ? undefined : 'changed';
      });
    },
  };
}

/** Repeats a change that lost a write race. */
async function again(attempt: () => Promise<ChangeOutcome | undefined>): Promise<ChangeOutcome> {
  for (let attempts = 0; attempts < mostAttempts; attempts += 1) {
    const outcome = await attempt();
    if (outcome !== undefined) return outcome;
  }
  throw new Error('an exchange changes faster than it can be loaded');
}

/**
 * Compares a row with the stored exchange. The later decision wins, whether it was the member's on the page or the plan's.
 *
 * @returns undefined if the row must be written
 */
function compared(
  stored: MemberExchange,
  { permission, plan, isConcurrent, lastUpdated }: ExchangeChange & { readonly lastUpdated: string },
): ChangeOutcome | undefined {
  // An offer changes nothing once there is an exchange, whatever the member has decided.
  if (permission === undefined) return 'unchanged';
  const order = Date.parse(lastUpdated) - Date.parse(decidedAt(stored));
  if (order > 0 || stored.state === 'offered') return undefined;
  if (order < 0 || stored.state === 'revoked') return 'older_version';
  const isSame =
    stored.permission?.policy === permission.policy &&
    stored.permission.until === permission.until &&
    stored.isConcurrent === isConcurrent &&
    stored.plan.memberNumber === plan.memberNumber &&
    stored.plan.groupNumber === plan.groupNumber;
  return isSame ? 'unchanged' : 'version_reused';
}

/** Time of the last decision about an exchange. */
function decidedAt({ decidedAt: at, changedAt }: MemberExchange): string {
  return at ?? changedAt;
}

/** The same ID for the same plan of a patient, so that two rows at once make one exchange. */
function exchangeIdOf(patientId: string, name: string): string {
  return digests.sha256Hex(`exchange ${patientId} ${name.toLowerCase()}`).slice(0, 32);
}
