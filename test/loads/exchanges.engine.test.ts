import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { auditWrite } from '../../lambdas/audit/store/audit-events-contract.ts';
import { createMemberExchanges } from '../../lambdas/payer-exchange/store/member-exchanges-contract.ts';
import { queryAll } from '../../lambdas/platform/table/query-all.ts';
import { exchangeDuePartition, patientAuditPartition } from '../../lambdas/platform/table/table-keys.ts';
import { createEmptyTable } from '../support/empty-table.ts';
import { patient } from './drop-rows.ts';
import { createLoads, memoryBucket, upload } from './load-world.ts';

/** Offers to ask other payers, and permissions, as an enrollment system sends them. */

const table = await createEmptyTable();
const lob = 'DSNP' as const;
const day = 86_400_000;
const start = 1_795_000_000_000;
const iso = (ms: number) => new Date(ms).toISOString();

async function world() {
  const name = randomUUID().slice(0, 8);
  const clock = { now: start };
  const patientId = `p-${name}`;
  let drops = 0;
  const load = async (...rows: readonly object[]) => {
    const memory = memoryBucket();
    const loads = createLoads(table, memory, { now: () => clock.now });
    drops += 1;
    const types = ['Patient', 'Parameters'].map((type) => ({
      type,
      rows: rows.filter((row) => 'resourceType' in row && row.resourceType === type),
    }));
    const folder = `d${name}-${drops}`;
    const files = types.filter((each) => each.rows.length > 0);
    await loads.run(upload(memory, { files, name: folder }), folder);
    const prefix = `DSNP/claims/${folder}/`;
    const { loaded, unchanged, older, rejected } = loads.report(prefix) as Record<string, number>;
    return { loaded, unchanged, older, rejected, codes: loads.rejects(prefix).map(({ code }) => code) };
  };
  await load(patient(patientId, `M-${name}`));
  const exchanges = createMemberExchanges(table, { lob, now: () => clock.now, auditWrite });
  const only = async () => {
    const [exchange, ...more] = await exchanges.ofPatient(patientId);
    if (exchange === undefined || more.length > 0) throw new Error(`${more.length} more`);
    return exchange;
  };
  const actions = async () =>
    (await queryAll(table, patientAuditPartition(lob, patientId)))
      .map(({ action }) => String(action))
      .filter((action) => action.startsWith('payer-exchange.'))
      .sort();
  return { patientId, clock, load, exchanges, only, actions };
}

const coverage = (patientId: string, changes: object = {}) => ({
  resourceType: 'Coverage',
  status: 'cancelled',
  subscriberId: 'F-100',
  beneficiary: { reference: `Patient/${patientId}` },
  payor: [{ display: 'Former Plan' }],
  ...changes,
});
const coding = (system: string, code: string) => ({
  coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }],
});
const consent = (patientId: string, changes: object = {}) => ({
  resourceType: 'Consent',
  status: 'active',
  scope: coding('consentscope', 'patient-privacy'),
  category: [coding('v3-ActCode', 'IDSCL')],
  patient: { reference: `Patient/${patientId}` },
  dateTime: '2026-11-15',
  policy: [{ uri: 'http://hl7.org/fhir/us/davinci-hrex/StructureDefinition-hrex-consent.html#regular' }],
  provision: { type: 'permit', period: { start: '2026-11-15', end: '2027-11-14' } },
  ...changes,
});
const row = (at: number, ...parameter: readonly object[]) => ({
  resourceType: 'Parameters',
  meta: { lastUpdated: iso(at) },
  parameter,
});
const offer = (patientId: string, at: number, changes: object = {}) =>
  row(
    at,
    { name: 'other-payer', resource: coverage(patientId, changes) },
    { name: 'coverage-start', valueDate: '2026-12-01' },
  );
const permission = (patientId: string, at: number, given: object = {}, there: object = {}) =>
  row(
    at,
    { name: 'other-payer', resource: coverage(patientId, there) },
    { name: 'other-payer-permission', resource: consent(patientId, given) },
  );
const end = (patientId: string, at: number) =>
  row(
    at,
    { name: 'end-other-payer', valueString: 'Former Plan' },
    { name: 'patient', valueReference: { reference: `Patient/${patientId}` } },
  );

describe('a row about another payer', () => {
  it('offers a new member by a week after the start of coverage, once', async () => {
    const { patientId, load, only } = await world();
    expect(await load(offer(patientId, start - 1_000))).toMatchObject({ loaded: 1 });
    expect(await only()).toMatchObject({
      state: 'offered',
      plan: { name: 'Former Plan', memberNumber: 'F-100' },
      dueAt: '2026-12-08T00:00:00.000Z',
    });
    expect(await load(offer(patientId, start - 1_000))).toMatchObject({ loaded: 0, unchanged: 1 });
    await only();
  });

  it('records the member’s permission, with the audit, and asks within a week', async () => {
    const { patientId, load, only, actions } = await world();
    await load(offer(patientId, start - 2_000));
    const group = { type: coding('coverage-class', 'group'), value: 'G7' };
    const given = permission(patientId, start - 1_000, {}, { status: 'active', class: [group] });
    expect(await load(given)).toMatchObject({ loaded: 1 });
    expect(await only()).toMatchObject({
      state: 'opted-in',
      isConcurrent: true,
      plan: { groupNumber: 'G7' },
      permission: {
        givenAt: '2026-11-15T00:00:00.000Z',
        until: '2027-11-14T23:59:59.999Z',
        policy: 'regular',
        by: { kind: 'plan' },
      },
      dueAt: iso(start + 7 * day),
    });
    expect(await load(given)).toMatchObject({ unchanged: 1 });
    expect(await load(permission(patientId, start - 1_000))).toMatchObject({ codes: ['version_reused'] });
    expect(await actions()).toEqual(['payer-exchange.permit']);
  });

  it('never wins over a later decision of the member, and ends by a row', async () => {
    const { patientId, clock, load, exchanges, only, actions } = await world();
    await load(permission(patientId, start - 5_000));
    clock.now += day;
    const ended = { permission: undefined, decidedAt: iso(clock.now) };
    await exchanges.act(await only(), 'revoke', ended);
    clock.now += day;
    const late = permission(patientId, clock.now - day - 1_000);
    expect(await load(late)).toMatchObject({ older: 1, codes: ['older_version'] });
    expect(await load(permission(patientId, clock.now - 2_000))).toMatchObject({ loaded: 1 });
    expect((await only()).state).toBe('opted-in');
    expect(await load(end(patientId, clock.now - 3_000))).toMatchObject({ codes: ['older_version'] });
    expect(await load(end(patientId, clock.now - 1_000))).toMatchObject({ loaded: 1 });
    expect(await load(end(patientId, clock.now - 1_000))).toMatchObject({ unchanged: 1 });
    expect((await only()).state).toBe('revoked');
    expect((await only()).permission).toBeUndefined();
    const due = await queryAll(table, exchangeDuePartition(lob));
    expect(due.filter((item) => item.patientId === patientId)).toEqual([]);
    expect(await actions()).toEqual(['payer-exchange.end', 'payer-exchange.permit', 'payer-exchange.permit']);
  });

  it('corrects the card, unless a run is at work on it', async () => {
    const { patientId, load, exchanges, only } = await world();
    await load(permission(patientId, start - 5_000));
    await load(permission(patientId, start - 4_000, {}, { subscriberId: 'F-200' }));
    expect((await only()).plan.memberNumber).toBe('F-200');
    await exchanges.act(await only(), 'name-payer', { payerId: 'former' });
    await exchanges.act(await only(), 'send-match', { runId: 'run-1' });
    const shorter = { provision: { type: 'permit', period: { end: '2026-12-31' } } };
    await load(permission(patientId, start - 3_000, shorter, { subscriberId: 'F-300' }));
    expect(await only()).toMatchObject({
      state: 'match-sent',
      plan: { memberNumber: 'F-200' },
      permission: { until: '2026-12-31T23:59:59.999Z' },
    });
  });

  it('is rejected with a code for each fault, and stores nothing', async () => {
    const { patientId, load, exchanges } = await world();
    const at = start - 1_000;
    const rows = [
      [offer(patientId, at, { payor: [{ reference: 'Organization/o' }] }), 'no_other_payer'],
      [offer(patientId, at, { beneficiary: { display: 'Mia' } }), 'no_patient'],
      [offer('nobody', at), 'not_stored'],
      [
        row(at, { name: 'other-payer', resource: coverage(patientId) }, { name: 'more', valueString: 'x' }),
        'unknown_change',
      ],
      [permission(patientId, at, { status: 'inactive' }), 'permission_unusable'],
      [permission(patientId, at, { policy: [] }), 'empty_value'],
      [permission(patientId, at, { provision: { type: 'permit' } }), 'permission_unusable'],
      [permission(patientId, at, { patient: { reference: 'Patient/another' } }), 'foreign_reference'],
      [end(patientId, at), 'not_stored'],
    ] as const;
    for (const [faulty, code] of rows) expect((await load(faulty)).codes).toEqual([code]);
    expect(await exchanges.ofPatient(patientId)).toEqual([]);
  });
});
