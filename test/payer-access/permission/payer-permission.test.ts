import { describe, expect, it } from 'vitest';
import { judgePermission, payerNames } from '../../../lambdas/payer-access/permission/payer-permission.ts';
import { consent, now, organization } from '../match-samples.ts';

const ended = '2026-11-20T12:00:00.000Z';
const judged = (change: object, ends: ReadonlyMap<string, string>, clientId = 'payer-1') =>
  judgePermission(
    { ...consent, ...change },
    { ...{ memberPatientId: '1', organization, now, clientId, ends } },
  );
const refused = { kind: 'refused', reason: 'consent_ended' };
const ends = (clientId: string, own = organization) =>
  new Map(payerNames(clientId, own).map((name) => [name, ended]));

describe('the permission of a payer', () => {
  it('is what the Consent says until the member ends it', () => {
    expect(judged({}, new Map())).toMatchObject({ kind: 'permitted', policy: 'regular' });
    expect(
      judged({}, ends('payer-2', [{ system: 'urn:oid:2.16.840.1.113883.6.300', value: '12345' }])),
    ).toMatchObject({
      kind: 'permitted',
    });
  });

  it('stays ended whatever a Consent that was not given after the end says', () => {
    for (const change of [
      {},
      { id: 'another' },
      { sourceReference: { display: 'The form that the member signed ' } },
      { provision: { ...consent.provision, period: { start: '2026-01-01', end: '2027-12-30' } } },
      { dateTime: '2026-11-19' },
      { dateTime: '2025' },
      { dateTime: ended },
      // The day on which the permission ended, without a time.
      { dateTime: '2026-11-20' },
      { dateTime: '2026-11' },
      { dateTime: '2026-11-20T13:00:00+02:00' },
    ]) {
      expect([change, judged(change, ends('payer-1'))]).toEqual([change, refused]);
    }
  });

  it('comes back by a Consent that was given after the end, and is not of the future', () => {
    for (const dateTime of ['2026-11-20T12:00:00.001Z', '2026-11-21', '2026-11-20T15:00:00+02:00']) {
      expect([dateTime, judged({ dateTime }, ends('payer-1'))]).toMatchObject([
        dateTime,
        { kind: 'permitted' },
      ]);
    }
    expect(judged({ dateTime: '2026-11-24' }, ends('payer-1'))).toEqual({
      kind: 'refused',
      reason: 'consent_date',
    });
  });

  it('ends for each application of the organization, and for the application under another organization', () => {
    expect(judged({}, ends('payer-1b'))).toEqual(refused);
    expect(judged({}, ends('payer-1', []))).toEqual(refused);
  });

  it('ends at the last of several ends', () => {
    const both = new Map([...ends('payer-1'), ['client payer-1', '2026-11-22T00:00:00.000Z']]);
    expect(judged({ dateTime: '2026-11-21' }, both)).toEqual(refused);
    expect(judged({ dateTime: '2026-11-22T00:00:01Z' }, both)).toMatchObject({ kind: 'permitted' });
  });
});
