import { randomUUID } from 'node:crypto';
import { type AttributeValue, DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { putAuditEvent } from '../../lambdas/audit/store/audit-events-contract.ts';
import {
  createEventReader,
  createSealReader,
  createSealStore,
  createWindowEvents,
} from '../../lambdas/audit/store/seal-store.ts';
import type { SealVerification } from '../../lambdas/audit/trail/audit-ports.ts';
import type { Head } from '../../lambdas/audit/trail/seal.ts';
import { sealFinished } from '../../lambdas/audit/trail/sealing.ts';
import { verifySeals } from '../../lambdas/audit/trail/verification.ts';
import type { Finding, VerificationAnswer } from '../../lambdas/audit/trail/verification-contract.ts';
import { settledMs, windowMs, windowPartition } from '../../lambdas/audit/trail/windows.ts';
import type { AuditEvent } from '../../lambdas/catalog/audit/audit-event.ts';
import type { TokenIssuer } from '../../lambdas/catalog/oauth/token-issuer.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import { toAttributeMap } from '../../lambdas/platform/table/attribute-values.ts';
import type { Key } from '../../lambdas/platform/table/key.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import { auditKey, sealedListKey, sealKey } from '../../lambdas/platform/table/table-keys.ts';
import { startTestEngine } from '../support/engine.ts';
import { createSealKey } from '../support/seal-key.ts';

const engine = await startTestEngine();
afterAll(() => engine.stop());
const table = createSignedTable(engine);

const startMs = Date.UTC(2026, 10, 20, 12, 0, 0);
const { signer, isSigned } = createSealKey();
let days = 0;
/** Returns the first minute of a day that no other test has used. */
const nextDay = () => {
  days += 1;
  return days * 24 * 60;
};

/** The audit trail of a token issuer, with a clock that the test sets. */
function trail(issuer: TokenIssuer = 'DSNP') {
  const patientId = randomUUID();
  const heads: (Head & { readonly at: number })[] = [];
  const world = {
    issuer,
    nowMs: startMs,
    patientId,
    async record(minute: number, changes: Partial<AuditEvent> = {}): Promise<AuditEvent> {
      const event: AuditEvent = {
        eventId: randomUUID(),
        time: new Date(startMs + minute * 60_000).toISOString(),
        environment: 'sandbox',
        lob: issuer,
        action: 'Patient.read',
        outcome: 'disclosed',
        actor: 'c1',
        clientId: 'c1',
        patientId,
        requestId: 'r1',
        ...changes,
      };
      await putAuditEvent(table, event);
      return event;
    },
    async seal(minute: number) {
      world.nowMs = startMs + minute * 60_000;
      const { outcome, head } = await sealFinished(
        {
          environment: 'sandbox',
          events: createWindowEvents(table),
          seals: createSealStore(table),
          signer,
          sha256: digests.sha256Hex,
          now: () => world.nowMs,
          endsAt: Number.POSITIVE_INFINITY,
        },
        issuer,
      );
      if (head !== undefined) heads.push({ ...head, at: world.nowMs });
      return outcome;
    },
    async verify(): Promise<readonly Finding[]> {
      const verification: SealVerification = {
        events: { ...createWindowEvents(table), ...createEventReader(table) },
        seals: createSealReader(table),
        heads: {
          between: async (_authority, from, until) => heads.filter(({ at }) => at >= from && at <= until),
        },
        isSigned,
        sha256: digests.sha256Hex,
        now: () => world.nowMs,
      };
      const findings: Finding[] = [];
      for (let next: VerificationAnswer['next'] = { sequence: 1 }; next !== undefined; ) {
        const answer: VerificationAnswer = await verifySeals(verification, { issuer, ...next });
        findings.push(...answer.findings);
        next = answer.next;
      }
      return findings;
    },
  };
  return world;
}

async function forget(issuer: TokenIssuer): Promise<void> {
  const { items } = await table.query({ pk: sealKey(issuer, 0).pk });
  for (const item of items) await remove(item as unknown as Key);
}

async function remove({ pk, sk }: Key): Promise<void> {
  await engine.client.send(
    new DeleteItemCommand({ TableName: engine.tableName, Key: { pk: { S: pk }, sk: { S: sk } } }),
  );
}

/** Overwrites an attribute of an item as somebody with full access to the table could, without a condition. */
async function overwrite({ pk, sk }: Key, name: string, value: unknown): Promise<void> {
  await engine.client.send(
    new UpdateItemCommand({
      TableName: engine.tableName,
      Key: { pk: { S: pk }, sk: { S: sk } },
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: toAttributeMap({ ':value': value }) as Record<string, AttributeValue>,
    }),
  );
}

/** Key of the first item of the list of events that the second seal sealed. */
async function firstPart(issuer: TokenIssuer): Promise<Key> {
  const [seal] = await createSealReader(table).from(issuer, 2, 1);
  const startMs = Date.parse(seal?.until ?? '') - windowMs;
  return sealedListKey(windowPartition(issuer, startMs, seal?.lists[0]?.shard ?? 0), 0);
}

/**
 * Formats a finding as its seal's number and the event's time. The shard is left out, since findings of different shards have no fixed
 * order.
 */
function textOf(finding: Finding): string {
  return 'sk' in finding ? `${finding.sequence} ${finding.sk}` : '';
}

function keyOf({ lob, patientId = '', time, eventId }: AuditEvent): Key {
  return auditKey(lob, { patientId }, time, eventId);
}

describe('a sealed trail', () => {
  it('is whole as long as nobody touches it', async () => {
    const { record, seal, verify } = trail('CHPDC');
    await seal(0);
    for (const minute of [0, 1, 4, 6, 7, 21]) await record(minute);
    expect([await seal(30), await seal(31)]).toEqual(['sealed', 'up to date']);
    await record(33);
    expect(await seal(45)).toBe('sealed');
    expect(await verify()).toEqual([]);
  });

  it('is sealed when its window has settled, and not before', async () => {
    const { record, seal } = trail('CHPMD');
    await seal(0);
    await record(1);
    const settled = (windowMs + settledMs) / 60_000;
    expect(await seal(settled - 0.01)).toBe('up to date');
    expect(await seal(settled)).toBe('sealed');
  });

  it('says of a quiet hour that it was quiet', async () => {
    const { seal, verify } = trail('MHBE');
    await seal(7);
    for (let minute = 12; minute <= 240; minute += 5) await seal(minute);
    const seals = await createSealReader(table).from('MHBE', 1, 100);
    expect(seals.map(({ from, until }) => (Date.parse(until) - Date.parse(from)) / 60_000)).toEqual([
      5, 60, 60, 60, 60,
    ]);
    expect(await verify()).toEqual([]);
  });

  it('has one seal of each number, however many runs seal at once', async () => {
    const { record, seal, verify } = trail('EGWP');
    await seal(0);
    for (let minute = 0; minute < 30; minute += 1) await record(minute);
    await Promise.all(Array.from({ length: 8 }, () => seal(40)));
    // Any of the runs may have stopped when another one had sealed before it; one more run seals the windows left over.
    await seal(40);
    const seals = await createSealReader(table).from('EGWP', 1, 100);
    expect(seals.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(seals.reduce((sum, { events }) => sum + events, 0)).toBe(30);
    expect(await verify()).toEqual([]);
  });

  it('holds windows of more events than a part can list', async () => {
    const { record, seal, verify } = trail('M2M');
    await seal(0);
    for (let batch = 0; batch < 62; batch += 1) {
      await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          record((at % 4) + 0.5, { eventId: `a${randomUUID().slice(1)}` }),
        ),
      );
    }
    await seal(12);
    expect((await createSealReader(table).last('M2M'))?.events).toBe(3_100);
    expect(await verify()).toEqual([]);
  });
});

describe('tampering', () => {
  it('is found by the event, whatever is done to it', async () => {
    await forget('DSNP');
    const { record, seal, verify, patientId } = trail('DSNP');
    const events = [];
    await seal(0);
    for (const minute of [0, 1, 2, 6, 7, 8, 12]) events.push(await record(minute));
    await seal(30);
    const [, changed, removed, hidden, respelled] = events as [
      AuditEvent,
      AuditEvent,
      AuditEvent,
      AuditEvent,
      AuditEvent,
    ];
    await overwrite(keyOf(changed), 'outcome', 'refused');
    await remove(keyOf(removed));
    await overwrite(keyOf(hidden), 'sealWindow', 'WINDOW#DSNP#elsewhere');
    await overwrite(keyOf(respelled), 'note', 'an attribute more');
    const added = await record(3, { patientId, clientId: 'c2' });
    const byEvent = (await verify()).toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
    expect(byEvent).toEqual([
      { kind: 'event_changed', sequence: 2, ...keyOf(changed) },
      { kind: 'event_missing', sequence: 2, ...keyOf(removed) },
      { kind: 'event_added', sequence: 2, ...keyOf(added) },
      { kind: 'event_changed', sequence: 3, ...keyOf(hidden) },
      { kind: 'event_changed', sequence: 3, ...keyOf(respelled) },
    ]);
  });

  it('is found where an event was moved to another time', async () => {
    await forget('MAPD');
    const { record, seal, verify } = trail('MAPD');
    await seal(0);
    const event = await record(1);
    await record(2);
    await seal(30);
    await remove(keyOf(event));
    const moved = await record(3, { eventId: event.eventId });
    const byEvent = (await verify()).toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
    expect(byEvent).toEqual([
      { kind: 'event_missing', sequence: 2, ...keyOf(event) },
      { kind: 'event_added', sequence: 2, ...keyOf(moved) },
    ]);
  });

  it.each<[string, (issuer: TokenIssuer) => Promise<void>, Partial<Finding>]>([
    [
      'a seal that was taken out',
      (issuer) => remove(sealKey(issuer, 2)),
      { kind: 'seal_missing', sequence: 2 },
    ],
    [
      'the first seal taken out',
      (issuer) => remove(sealKey(issuer, 1)),
      { kind: 'seal_missing', sequence: 1 },
    ],
    [
      'a seal that was changed',
      (issuer) => overwrite(sealKey(issuer, 2), 'events', 99),
      { kind: 'seal_changed', sequence: 2 },
    ],
    [
      'a seal that can’t even be read',
      (issuer) => overwrite(sealKey(issuer, 2), 'events', 'many'),
      { kind: 'seal_changed', sequence: 2 },
    ],
    [
      'the newest seals taken out',
      async (issuer) => {
        for (const sequence of [3, 4, 5]) await remove(sealKey(issuer, sequence));
      },
      { kind: 'seal_missing', sequence: 3 },
    ],
    [
      'a list with another content',
      async (issuer) => {
        await overwrite(await firstPart(issuer), 'gz', new Uint8Array([1, 2, 3]));
      },
      { kind: 'list_changed', sequence: 2 },
    ],
    [
      'a list that is gone',
      async (issuer) => {
        await remove(await firstPart(issuer));
      },
      { kind: 'list_changed', sequence: 2 },
    ],
  ])('is found: %s', async (_what, tamper, finding) => {
    const issuer = 'MAPD';
    await forget(issuer);
    const { record, seal, verify } = trail(issuer);
    // A day that no other test of this token issuer uses.
    const day = nextDay();
    await seal(day);
    for (const minute of [0, 1, 7, 13]) await record(day + minute);
    await seal(day + 20);
    await seal(day + 130);
    await tamper(issuer);
    expect((await verify())[0]).toMatchObject(finding);
  });

  it('shows by its time where seals were made again', async () => {
    const issuer = 'MAPD';
    await forget(issuer);
    const { record, seal, verify } = trail(issuer);
    const day = nextDay();
    await seal(day);
    const event = await record(day);
    await record(day + 1);
    await seal(day + 10);
    await remove(sealKey(issuer, 2));
    await remove(keyOf(event));
    await seal(day + 130);
    expect((await verify())[0]).toMatchObject({ kind: 'sealed_late', sequence: 2 });
  });
});
