/** The portal's transactional outbox: writes, claims and carries out effects in other systems (an environment, mail, the user pool). */

import type { Table, Write } from '../../platform/table/table.ts';
import type { OutboxCarrier, OutboxCarriers, OutboxEntry, OutboxResult } from '../api/outbox.ts';
import { environmentDeadlines } from '../catalog/environment-deadlines.ts';
import { applicationPendingKey, outboxKey } from './portal-table-keys.ts';

/**
 * An outbox entry: an effect of a decision in another system. The entry is written in the transaction of its decision, carried out right
 * after it, and removed when the effect is confirmed; `portal-outbox-worker` carries out the remaining entries again. So an entry is
 * carried out at least once, and each kind is harmless when repeated (a mail may arrive twice).
 */
export interface OutboxWrite {
  /** ID of the entry for `carryOut`. */
  readonly id: string;
  readonly write: Write;
}

/**
 * Makes an outbox entry.
 *
 * @param due ISO 8601; the entry is not carried out before.
 * @param uuid random.
 */
export function outboxWrite(entry: OutboxEntry, due: string, uuid: string): OutboxWrite {
  const key = outboxKey(due, uuid);
  return {
    id: key.sk,
    write: { put: { ...key, ...entry }, condition: { expression: 'attribute_not_exists(pk)' } },
  };
}

/** Milliseconds after which the worker carries out an entry. A younger entry may still be carried out by the request that wrote it. */
const leftBehindMs = 5_000;
/** The same for mails; longer, because a mail that is sent twice arrives twice. */
const mailLeftBehindMs = 30_000;
const pageSize = 50;
/** Failures in a row after which an environment is given up; the rest of its entries wait for the next run. */
const mostAbsences = 3;
/** Milliseconds after which a mail that the mail service has not accepted is discarded. */
const mailMs = 2 * 24 * 60 * 60 * 1000;

/**
 * Makes the write that deletes an entry in the transaction of its effect, so that the effect happens once: the transaction fails if the
 * entry is gone or claimed.
 */
export function endOutboxEntry(id: string): Write {
  const condition = { expression: 'attribute_exists(pk) AND attribute_not_exists(claimed)' };
  return { delete: { pk: outboxKey('', '').pk, sk: id }, condition };
}

/**
 * Makes the write that claims an entry before an effect that cannot be undone. From then on a transaction that would delete the entry
 * fails.
 */
export function claimOutboxEntry(id: string): Write {
  const key = { pk: outboxKey('', '').pk, sk: id };
  return {
    update: {
      key,
      expression: 'SET claimed = :true',
      condition: 'attribute_exists(pk)',
      values: { ':true': true },
    },
  };
}

export interface PortalOutbox {
  /** Carries out entries just written. Entries that are due later stay. */
  carryOut(ids: readonly string[]): Promise<void>;
  /**
   * Carries out the due entries that remain, oldest first.
   *
   * @returns how many were carried out, and how many remain.
   */
  carryOutLeft(): Promise<{ readonly done: number; readonly left: number }>;
}

/** The environment that an entry calls; empty for an entry that calls none. */
function environmentOf(entry: OutboxEntry): string {
  if (entry.kind === 'provisioning') return entry.environment;
  return entry.kind === 'suspension' ? 'production' : '';
}

export function createPortalOutbox(table: Table, carriers: OutboxCarriers, now: () => number): PortalOutbox {
  const { pk } = outboxKey('', '');
  const remove = async (id: string, entry: OutboxEntry) =>
    await table.transact([
      { delete: { pk, sk: id } },
      ...(entry.kind === 'provisioning' ? [{ delete: applicationPendingKey(entry.applicationId, id) }] : []),
    ]);
  // Catches all errors, so that a failed entry does not delay the others.
  const carry = async (id: string, entry: OutboxEntry): Promise<OutboxResult> => {
    const carrier = carriers[entry.kind] as OutboxCarrier<OutboxEntry> | undefined;
    try {
      const outcome = (await carrier?.(entry, id)) ?? 'later';
      if (outcome === 'done') await remove(id, entry);
      return outcome;
    } catch {
      return 'later';
    }
  };
  const isDue = (id: string, ageMs = 0) => Date.parse(id.slice(0, id.indexOf('#'))) + ageMs <= now();
  return {
    async carryOut(ids) {
      const begun = now();
      for (const id of ids) {
        // A person waits for the answer, so entries that cannot begin in time are left to the outbox worker.
        if (!isDue(id) || now() - begun > environmentDeadlines.lastStepMs) continue;
        const item = await table.get({ pk, sk: id });
        if (item !== undefined) await carry(id, item as unknown as OutboxEntry);
      }
    },
    async carryOutLeft() {
      let done = 0;
      let left = 0;
      const absences = new Map<string, number>();
      let after: string | undefined;
      for (;;) {
        const page = await table.query({ pk, limit: pageSize, ...(after === undefined ? {} : { after }) });
        for (const item of page.items) {
          const id = String(item.sk);
          if (!isDue(id, leftBehindMs)) return { done, left };
          const entry = item as unknown as OutboxEntry;
          if (entry.kind === 'mail' && !isDue(id, mailLeftBehindMs)) continue;
          const environment = environmentOf(entry);
          const absent = absences.get(environment) ?? 0;
          const outcome = absent >= mostAbsences ? 'later' : await carry(id, entry);
          if (outcome === 'away') absences.set(environment, absent + 1);
          if (outcome === 'done') {
            done += 1;
            absences.delete(environment);
          } else if (entry.kind === 'mail' && isDue(id, mailMs)) {
            await remove(id, entry);
          } else {
            left += 1;
          }
        }
        if (page.next === undefined) return { done, left };
        after = page.next;
      }
    },
  };
}

/** Milliseconds between two rounds of the outbox worker, and of a whole run. */
export const outboxRound = { everyMs: 3_000, forMs: 58_000 } as const;

/**
 * Carries out the remaining entries in rounds, for as long as a run of the outbox worker lasts. A round that fails because the table cannot
 * be read does not end the run.
 *
 * @returns how many entries were carried out, and how many the last round left.
 * @throws the error of the last round.
 */
export async function runOutboxRounds(
  outbox: Pick<PortalOutbox, 'carryOutLeft'>,
  time: { readonly now: () => number; readonly sleep: (milliseconds: number) => Promise<unknown> },
): Promise<{ readonly done: number; readonly left: number }> {
  const begun = time.now();
  let done = 0;
  for (;;) {
    const round = outbox.carryOutLeft();
    done += (await round.catch(() => undefined))?.done ?? 0;
    if (time.now() - begun + outboxRound.everyMs >= outboxRound.forMs) return { ...(await round), done };
    await time.sleep(outboxRound.everyMs);
  }
}
