import { describe, expect, it } from 'vitest';
import {
  auditWrite,
  createDisclosureRecorder,
  putAuditEvent,
} from '../../../lambdas/audit/store/audit-events-contract.ts';
import { createJwksStore } from '../../../lambdas/authorization/store/jwks-store.ts';
import type { AuditEvent } from '../../../lambdas/catalog/audit/audit-event.ts';
import { ConditionFailed } from '../../../lambdas/platform/table/table.ts';
import { createEmptyTable } from '../../support/empty-table.ts';

const table = await createEmptyTable();

const event: AuditEvent = {
  eventId: 'e1',
  time: '2026-11-20T10:00:00.000Z',
  environment: 'sandbox',
  lob: 'DSNP',
  action: 'Patient.read',
  outcome: 'disclosed',
  actor: 'c1',
  clientId: 'c1',
  patientId: 'p1',
  requestId: 'r1',
};

describe('audit events', () => {
  it('lie with the patient they are about, in order of time', async () => {
    await putAuditEvent(table, { ...event, eventId: 'later', time: '2026-11-20T11:00:00.000Z' });
    await putAuditEvent(table, event);
    const { items } = await table.query({ pk: 'AUDIT#DSNP#PATIENT#p1' });
    expect(items.map((item) => item.sk)).toEqual([
      '2026-11-20T10:00:00.000Z#e1',
      '2026-11-20T11:00:00.000Z#later',
    ]);
    expect(items[0]).toMatchObject({
      outcome: 'disclosed',
      actor: 'c1',
      clientId: 'c1',
      patientId: 'p1',
    });
  });

  it('lie with the client where no patient is concerned', async () => {
    const { patientId: _patient, ...about } = event;
    await table.transact([auditWrite({ ...about, lob: 'M2M' })]);
    expect((await table.query({ pk: 'AUDIT#M2M#CLIENT#c1' })).items).toHaveLength(1);
    const { clientId: _client, ...nobody } = about;
    expect(() => auditWrite(nobody)).toThrow(TypeError);
  });

  it('are never replaced by a transaction', async () => {
    const once = auditWrite({ ...event, patientId: 'p2' });
    await table.transact([once]);
    await expect(table.transact([once])).rejects.toThrow(ConditionFailed);
  });

  it('are not replaced by another, and are written again as they are', async () => {
    const once = { ...event, patientId: 'p3' };
    await putAuditEvent(table, once);
    await putAuditEvent(table, once);
    await expect(putAuditEvent(table, { ...once, outcome: 'refused' })).rejects.toThrow(ConditionFailed);
    const { items } = await table.query({ pk: 'AUDIT#DSNP#PATIENT#p3' });
    expect(items.map(({ outcome }) => outcome)).toEqual(['disclosed']);
  });

  it('tell of a disclosure what the read knows, and when and where', async () => {
    const trail = createDisclosureRecorder({
      table,
      lob: 'MAPD',
      environment: 'production',
      now: () => Date.parse('2026-11-20T12:00:00.000Z'),
      uuid: () => 'e9',
    });
    await trail.record({
      action: 'Patient.read',
      outcome: 'refused',
      reason: 'grant_revoked',
      clientId: 'c1',
      grantId: 'g1',
      patientId: 'p9',
      requestId: 'r9',
    });
    const { items } = await table.query({ pk: 'AUDIT#MAPD#PATIENT#p9' });
    expect(items).toEqual([
      {
        pk: 'AUDIT#MAPD#PATIENT#p9',
        sk: '2026-11-20T12:00:00.000Z#e9',
        action: 'Patient.read',
        actor: 'c1',
        clientId: 'c1',
        environment: 'production',
        grantId: 'g1',
        lob: 'MAPD',
        outcome: 'refused',
        patientId: 'p9',
        reason: 'grant_revoked',
        requestId: 'r9',
        time: '2026-11-20T12:00:00.000Z',
        sealWindow: 'WINDOW#MAPD#2026-11-20T12:00#14',
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });
});

describe('published keys', () => {
  it('are read as they were published, each authority’s own', async () => {
    const store = createJwksStore(table);
    expect(await store.read('EGWP')).toBeUndefined();
    await store.publish('EGWP', '{"keys":[]}', '2026-11-20T10:00:00.000Z');
    expect(await store.read('EGWP')).toBe('{"keys":[]}');
    expect(await store.read('M2M')).toBeUndefined();
  });
});
