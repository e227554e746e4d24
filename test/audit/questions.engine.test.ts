import { createHash, randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { putAuditEvent } from '../../lambdas/audit/store/audit-events-contract.ts';
import { createPatientRecords } from '../../lambdas/audit/store/patient-records.ts';
import {
  createEventReader,
  createSealReader,
  createSealStore,
  createWindowEvents,
} from '../../lambdas/audit/store/seal-store.ts';
import { accessUsage } from '../../lambdas/audit/trail/access-usage.ts';
import { patientRecord } from '../../lambdas/audit/trail/patient-record.ts';
import type { AccessUsage, RecordedEvent } from '../../lambdas/audit/trail/questions-contract.ts';
import type { SealPosition } from '../../lambdas/audit/trail/sealed-parts.ts';
import { sealFinished } from '../../lambdas/audit/trail/sealing.ts';
import type { AuditEvent } from '../../lambdas/catalog/audit/audit-event.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import { startTestEngine, testCredentials } from '../support/engine.ts';

const engine = await startTestEngine();
afterAll(() => engine.stop());
const access = { endpoint: engine.endpoint, region: 'us-east-1', ...testCredentials };
const table = createSignedTable({ tableName: engine.tableName, access });

async function record(lob: LineOfBusiness, time: string, changes: Partial<AuditEvent>): Promise<AuditEvent> {
  const event: AuditEvent = {
    eventId: randomUUID(),
    time,
    environment: 'sandbox',
    lob,
    action: 'Patient.read',
    outcome: 'disclosed',
    actor: 'c1',
    clientId: 'c1',
    requestId: 'r1',
    ...changes,
  };
  await putAuditEvent(table, event);
  return event;
}

async function seal(issuer: LineOfBusiness, now: string): Promise<void> {
  await sealFinished(
    {
      environment: 'sandbox',
      events: createWindowEvents(table),
      seals: createSealStore(table),
      signer: { keyId: 'key-1', sign: async () => 'signature' },
      sha256: digests.sha256Hex,
      now: () => Date.parse(now),
      endsAt: Number.POSITIVE_INFINITY,
    },
    issuer,
  );
}

describe('what is on record about a patient', () => {
  const march = { from: '2026-03-01T00:00:00.000Z', until: '2026-04-01T00:00:00.000Z' };

  async function recordOf(patientId: string, span = march): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    const request = { lob: 'DSNP', patientId, ...span } as const;
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const records = createPatientRecords(table);
      const page = await patientRecord(records, { ...request, ...(after !== undefined && { after }) });
      events.push(...page.events);
      after = page.next;
    }
    return events;
  }

  it('is all of a month, from its first millisecond to its last, and nobody else’s', async () => {
    const [patientId, other] = [randomUUID(), randomUUID()];
    const times = [
      '2026-02-28T23:59:59.999Z',
      '2026-03-01T00:00:00.000Z',
      '2026-03-31T23:59:59.999Z',
      '2026-04-01T00:00:00.000Z',
    ];
    for (const time of times) await record('DSNP', time, { patientId });
    await record('DSNP', '2026-03-10T00:00:00.000Z', { patientId: other });
    await record('MAPD', '2026-03-10T00:00:00.000Z', { patientId });
    expect((await recordOf(patientId)).map(({ time }) => time)).toEqual(times.slice(1, 3));
  });

  it('says what was decided, for whom, and what it takes back', async () => {
    const patientId = randomUUID();
    const { eventId } = await record('DSNP', '2026-03-02T00:00:00.000Z', {
      patientId,
      resource: 'Patient/1',
    });
    const refused = { outcome: 'refused', reason: 'grant_revoked', corrects: eventId } as const;
    await record('DSNP', '2026-03-02T00:00:00.001Z', { patientId, ...refused });
    const [first, second] = await recordOf(patientId);
    expect(first).toMatchObject({ eventId, outcome: 'disclosed', clientId: 'c1', resource: 'Patient/1' });
    expect(second).toMatchObject({ ...refused, action: 'Patient.read', requestId: 'r1' });
  });

  it('names all that a search gave', async () => {
    const patientId = randomUUID();
    const resources = ['ExplanationOfBenefit/1', 'ExplanationOfBenefit/2', 'Patient/1'];
    const search = { action: 'ExplanationOfBenefit.search-type', resource: 'ExplanationOfBenefit' } as const;
    await record('DSNP', '2026-03-02T00:00:00.000Z', { patientId, ...search, resources });
    await record('DSNP', '2026-03-03T00:00:00.000Z', { patientId, ...search, resources: [] });
    expect(await recordOf(patientId)).toMatchObject([
      { ...search, resources },
      { ...search, resources: [] },
    ]);
  });

  it('comes whole over several pages', async () => {
    const patientId = randomUUID();
    const at = (index: number) => new Date(Date.parse(march.from) + index * 60_000).toISOString();
    for (let index = 0; index < 450; index += 1) await record('DSNP', at(index), { patientId });
    const times = (await recordOf(patientId)).map(({ time }) => time);
    expect(times).toEqual(Array.from({ length: 450 }, (_, index) => at(index)));
  });
});

describe('the use of Patient Access', () => {
  const digestOf = (patientId: string) => createHash('sha256').update(patientId).digest('hex');

  async function usageOf(
    lob: LineOfBusiness,
    from: string,
    until: string,
    events = createEventReader(table),
  ) {
    const ports = {
      events,
      seals: createSealReader(table),
      sha256: digests.sha256Hex,
    };
    const usage: AccessUsage[] = [];
    let counted: string | undefined;
    for (let position: SealPosition | undefined, more = true; more; more = position !== undefined) {
      const request = { question: 'access-usage', lob, from, until } as const;
      const page = await accessUsage(ports, { ...request, ...(position !== undefined && { position }) });
      usage.push(...page.usage);
      counted = page.until ?? counted;
      position = page.next;
    }
    return { usage, counted };
  }

  it('reads no event twice where a later run goes on from what was counted', async () => {
    const read: string[] = [];
    const stored = createEventReader(table);
    const events: typeof stored = {
      async read(keys) {
        read.push(...keys.map(({ pk, sk }) => `${pk} ${sk}`));
        return await stored.read(keys);
      },
    };
    const until = '2027-01-01T00:00:00.000Z';
    await seal('CHPDC', '2026-08-01T00:10:00.000Z');
    const patientIds = Array.from({ length: 6 }, () => randomUUID());
    const recordAll = async (hour: string) => {
      for (const patientId of patientIds)
        await record('CHPDC', `2026-08-01T${hour}:04:59.999Z`, { patientId });
    };
    await recordAll('01');
    await seal('CHPDC', '2026-08-01T01:10:00.000Z');
    const first = await usageOf('CHPDC', '2026-01-01T00:00:00.000Z', until, events);
    await recordAll('02');
    await record('CHPDC', first.counted ?? '', { patientId: patientIds[0] ?? '' });
    await seal('CHPDC', '2026-08-01T03:00:00.000Z');
    const second = await usageOf('CHPDC', first.counted ?? '', until, events);
    const disclosures = [...first.usage, ...second.usage].reduce((sum, one) => sum + one.disclosures, 0);
    expect([disclosures, read.length, new Set(read).size]).toEqual([13, 13, 13]);
  });

  it('counts what was sent, by member, application and day, and nothing else', async () => {
    await seal('MHBE', '2026-05-01T00:10:00.000Z');
    const [often, refused, signedIn, searched] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await record('MHBE', '2026-05-01T10:00:00.000Z', { patientId: often });
    await record('MHBE', '2026-05-01T23:59:59.999Z', { patientId: often });
    await record('MHBE', '2026-05-02T00:00:00.000Z', { patientId: often, clientId: 'c2' });
    const early = await record('MHBE', '2026-05-02T01:00:00.000Z', { patientId: refused });
    const takesBack = { outcome: 'refused', corrects: early.eventId } as const;
    await record('MHBE', '2026-05-02T01:00:00.002Z', { patientId: refused, ...takesBack });
    await record('MHBE', '2026-05-02T01:00:00.000Z', { patientId: signedIn, action: 'userinfo.read' });
    const search = { patientId: searched, action: 'ExplanationOfBenefit.search-type' } as const;
    const resource = 'ExplanationOfBenefit';
    await record('MHBE', '2026-05-01T10:00:00.000Z', { ...search, resource, resources: [`${resource}/1`] });
    // A search without results discloses nothing of the member.
    await record('MHBE', '2026-05-02T10:00:00.000Z', { ...search, resource, resources: [] });
    // A resource was deleted while it was searched for. A later event corrects the first: in one case the disclosure is smaller, in the
    // other there was none.
    const claims = [`${resource}/1`, `${resource}/2`];
    const lessSent = await record('MHBE', '2026-05-02T10:01:00.000Z', {
      ...search,
      resource,
      resources: claims,
    });
    const corrected = { ...search, resource, corrects: lessSent.eventId };
    await record('MHBE', '2026-05-02T10:01:00.002Z', { ...corrected, resources: claims.slice(1) });
    const noneSent = await record('MHBE', '2026-05-02T10:02:00.000Z', {
      ...search,
      resource,
      resources: claims,
    });
    await record('MHBE', '2026-05-02T10:02:00.002Z', {
      ...corrected,
      corrects: noneSent.eventId,
      resources: [],
    });
    const everything = {
      resource: 'Patient',
      resources: ['Patient/1'],
      action: 'Patient.everything',
    } as const;
    await record('MHBE', '2026-05-02T11:00:00.000Z', { patientId: searched, ...everything });
    await record('MHBE', '2026-05-02T01:00:00.000Z', { clientId: 'c1', action: 'token.introspect' });
    // One run seals at most some twenty-five hours of events.
    await seal('MHBE', '2026-05-02T00:10:00.000Z');
    await seal('MHBE', '2026-05-03T00:00:00.000Z');
    const { usage, counted } = await usageOf('MHBE', '2026-05-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z');
    const member = digestOf(often);
    expect(usage.filter((one) => one.member === member)).toEqual([
      { member, clientId: 'c1', day: '2026-05-01', disclosures: 2 },
      { member, clientId: 'c2', day: '2026-05-02', disclosures: 1 },
    ]);
    const other = digestOf(searched);
    expect(usage.filter((one) => one.member === other)).toEqual([
      { member: other, clientId: 'c1', day: '2026-05-01', disclosures: 1 },
      { member: other, clientId: 'c1', day: '2026-05-02', disclosures: 2 },
    ]);
    const rest = usage.filter((one) => one.member !== member && one.member !== other);
    expect(rest.map(({ disclosures }) => disclosures)).toEqual([0]);
    expect(JSON.stringify(usage)).not.toContain(often);
    expect(counted?.slice(0, 13)).toBe('2026-05-02T23');
  });

  it('begins at the seal of the first moment asked for, and ends before the last, over many pages', async () => {
    const patientId = randomUUID();
    // One event for each five-minute window, so that each window has a seal.
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 300_000).toISOString();
    await seal('EGWP', at(0));
    for (let index = 0; index < 120; index += 1) {
      await record('EGWP', at(index), { patientId, clientId: `c${index}` });
    }
    await seal('EGWP', at(125));
    const clients = async (from: number, until: number) =>
      (await usageOf('EGWP', at(from), at(until))).usage.map(({ clientId }) => clientId);
    for (const [from, until] of [
      [0, 120],
      [10, 11],
      [59, 118],
      [119, 120],
    ] as const) {
      expect(await clients(from, until)).toEqual(
        Array.from({ length: until - from }, (_, index) => `c${from + index}`),
      );
    }
    expect(await clients(300, 301)).toEqual([]);
  });

  it('is nothing where nothing is sealed', async () => {
    expect(await usageOf('CHPMD', '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z')).toEqual({
      usage: [],
      counted: undefined,
    });
  });
});
