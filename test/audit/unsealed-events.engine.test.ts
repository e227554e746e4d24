import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { putAuditEvent } from '../../lambdas/audit/store/audit-events-contract.ts';
import { createEventPlaces, itemsInPiece } from '../../lambdas/audit/store/event-places.ts';
import { createSealStore } from '../../lambdas/audit/store/seal-store.ts';
import type { Seal } from '../../lambdas/audit/trail/seal.ts';
import { unsealedEvents } from '../../lambdas/audit/trail/unsealed-events.ts';
import type { UnsealedEvent } from '../../lambdas/audit/trail/verification-contract.ts';
import { sealWindow } from '../../lambdas/audit/trail/windows.ts';
import type { AuditEvent } from '../../lambdas/catalog/audit/audit-event.ts';
import { createSignedTable, signedSend } from '../../lambdas/platform/table/signed-table.ts';
import { auditKey } from '../../lambdas/platform/table/table-keys.ts';
import { startTestEngine } from '../support/engine.ts';

const engine = await startTestEngine();
afterAll(() => engine.stop());
const table = createSignedTable(engine);
const first: Seal = {
  ...{ environment: 'sandbox', authority: 'DSNP', sequence: 1, events: 0, lists: [], previous: '' },
  ...{ from: '2026-11-20T11:30:00.000Z', until: '2026-11-20T12:00:00.000Z' },
  ...{ sealedAt: '2026-11-20T12:02:00.000Z', keyId: 'key-1', signature: 'signature' },
};
await createSealStore(table).add(first);

const nowMs = Date.parse('2026-11-20T13:00:00.000Z');

async function found(): Promise<readonly UnsealedEvent[]> {
  const places = createEventPlaces({ tableName: engine.tableName, send: signedSend(engine.access) });
  const ports = { places, seals: createSealStore(table), now: () => nowMs };
  const { unsealed, next } = await unsealedEvents(ports, { question: 'unsealed-events' });
  expect(next).toBeUndefined();
  return unsealed;
}

/** Inserts an event as somebody with full access to the table could. */
async function insert(sk: string, sealedIn?: string, pk = 'AUDIT#DSNP#PATIENT#p1'): Promise<UnsealedEvent> {
  const Item = { pk: { S: pk }, sk: { S: sk }, digest: { S: 'x' } };
  const window = sealedIn === undefined ? {} : { sealWindow: { S: sealedIn } };
  await engine.client.send(new PutItemCommand({ TableName: engine.tableName, Item: { ...Item, ...window } }));
  return { pk, sk };
}

async function record(time: string): Promise<AuditEvent> {
  const event: AuditEvent = {
    eventId: randomUUID(),
    time,
    ...{ environment: 'sandbox', lob: 'DSNP', action: 'Patient.read', outcome: 'disclosed' },
    ...{ actor: 'c1', clientId: 'c1', patientId: 'p1', requestId: 'r1' },
  };
  await putAuditEvent(table, event);
  return event;
}

describe('events that are in no seal', () => {
  it('are none of those the service writes, sealed or about to be', async () => {
    await record('2026-11-20T11:31:00.000Z');
    await record('2026-11-20T12:59:59.999Z');
    expect(await found()).toEqual([]);
  });

  it('are looked for in small pages of the table, one after the other', async () => {
    const send = signedSend(engine.access);
    const limits: unknown[] = [];
    const places = createEventPlaces({
      tableName: engine.tableName,
      send: (operation, input) => {
        limits.push((input as { readonly Limit?: number }).Limit);
        return send(operation, { ...input, Limit: 1 });
      },
    });
    let found = 0;
    for (let next: string | undefined, more = true; more; more = next !== undefined) {
      const piece = await places.piece(next);
      found += piece.places.length;
      next = piece.next;
    }
    expect(found).toBe(2);
    expect(limits.length).toBeGreaterThan(2);
    expect(new Set(limits)).toEqual(new Set([itemsInPiece]));
  });

  it('are found, whatever the index lists', async () => {
    const time = '2026-11-20T12:10:00.000Z';
    const [id, other] = [randomUUID(), randomUUID()];
    const { lob, eventId } = await record(time);
    const copied = auditKey(lob, { patientId: 'p2' }, time, eventId);
    const early = '2026-11-20T11:29:59.999Z';
    const late = '2027-01-01T00:00:00.000Z';
    const planted = [
      await insert(`${time}#${id}`),
      await insert(`${time}#${other}`, 'WINDOW#DSNP#elsewhere'),
      await insert(copied.sk, undefined, copied.pk),
      await insert(`${early}#${id}`, sealWindow('DSNP', early, id)),
      await insert(`${late}#${id}`, sealWindow('DSNP', late, id)),
      await insert(`${time}#${id}`, sealWindow('DSNP', time, id), 'AUDIT#NOBODY#PATIENT#p1'),
      await insert('no time at all', 'WINDOW#DSNP#2026-11-20T12:10#0'),
    ];
    const byKey = (events: readonly UnsealedEvent[]) => events.map(({ pk, sk }) => `${pk} ${sk}`).sort();
    expect(byKey(await found())).toEqual(byKey(planted));
  });
});
