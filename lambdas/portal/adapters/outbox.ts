/** Outbox of the portal: actions that an environment or a mail service has yet to confirm. */

import type { Table, Write } from '../../platform/table/table.ts';
import type { OutboxCarrier, OutboxCarriers, OutboxEntry, OutboxResult } from '../api/outbox.ts';
import { environmentDeadlines } from '../catalog/environment-deadlines.ts';
import { applicationPendingKey, outboxKey } from './portal-table-keys.ts';

/**
 * The portal's outbox: what a decision has decided and must still happen elsewhere. An entry is written in the transaction of its
 * decision, carried out right after it, and removed when it is done; what is left is carried out again by `portal-outbox-worker`. So an
 * entry is carried out at least once, and each kind is harmless when repeated (a mail may arrive twice).
 */
export interface OutboxWrite {
  /** ID of the entry for `carryOut`. */
  readonly id: string;
  readonly write: Write;
}

/** @param due ISO 8601: not carried out before. @param uuid random. */
export function outboxWrite(entry: OutboxEntry, due: string, uuid: string): OutboxWrite {
  const key = outboxKey(due, uuid);
  return {
    id: key.sk,
    write: { put: { ...key, ...entry }, condition: { expression: 'attribute_not_exists(pk)' } },
  };
}

/** Milliseconds after which an entry counts as left behind: before, its writer may still carry it out. */
const leftBehindMs = 5_000;
/** The same for mails: a mail that is carried out twice arrives twice. */
const mailLeftBehindMs = 30_000;
const pageSize = 50;
/** Give up on an environment after this many failed entries in a row; the rest of its entries wait for the next run. */
const mostAbsences = 3;
/** Milliseconds after which a mail that could not be handed over is discarded. */
const mailMs = 2 * 24 * 60 * 60 * 1000;

/** Ends an entry with what it was for, so that it is carried out once: the whole of it fails where the entry has ended. */
export function endOutboxEntry(id: string): Write {
  const condition = { expression: 'attribute_exists(pk) AND attribute_not_exists(claimed)' };
  return { delete: { pk: outboxKey('', '').pk, sk: id }, condition };
}

/** Claims an entry before an effect that cannot be undone: a transaction that would end the entry fails from then on. */
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
  /** Carries out entries just written; those that are due later are left. */
  carryOut(ids: readonly string[]): Promise<void>;
  /**
   * Carries out entries that were left behind, oldest first.
   * @returns how many are done, and how many remain.
   */
  carryOutLeft(): Promise<{ readonly done: number; readonly left: number }>;
}

/** Environment that the entry calls. */
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
  // A failed entry must not delay the others.
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
        // A person waits, so what is not begun in time is left to the outbox worker.
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

/** Length of a run of the outbox worker, and the time between its rounds. */
export const outboxRound = { everyMs: 3_000, forMs: 58_000 } as const;

/**
 * Carries out whatever was left behind, again and again for as long as a run of the outbox worker lasts. A round that the store does not
 * answer ends no run: the next may begin the moment it does.
 *
 * @returns how many entries are done, and how many the last round left.
 * @throws what kept the last round from looking.
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
