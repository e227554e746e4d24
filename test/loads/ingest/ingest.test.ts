import { describe, expect, it } from 'vitest';
import { dateRange } from '../../../lambdas/fhir/values/date-range.ts';
import { ingestDouble, load, patient, patientId } from './ingest-double.ts';

function issues(path: string) {
  return { kind: 'refusal', code: 'invalid_request', issues: [{ path }] };
}

describe('loading a member', () => {
  it('writes the resources and the link from the account to the patient', async () => {
    const double = ingestDouble();
    expect(await double.send(load())).toEqual({ kind: 'loaded', patientId, resources: 1 });
    expect(double.stored.get(`Patient/${patientId}`)).toMatchObject({ versionId: '1' });
    expect(double.writes[0]).toMatchObject({
      sub: 'sub-DSNP12345678',
      displayName: 'Ada Sampleton',
      lob: 'DSNP',
    });
  });

  it('changes nothing when it is repeated', async () => {
    const double = ingestDouble();
    await double.send(load());
    expect(await double.send(load())).toMatchObject({ kind: 'loaded' });
    expect(double.writes[1]?.changes).toEqual([]);
  });

  it('replaces a resource by a newer version', async () => {
    const double = ingestDouble();
    await double.send(load());
    const newer = patient({
      versionId: '2',
      city: 'Baltimore',
      lastUpdated: '2026-02-02T10:00:00.000-05:00',
    });
    expect(await double.send(load({ resources: [newer] }))).toMatchObject({ kind: 'loaded' });
    expect(double.writes[1]?.changes).toMatchObject([{ kind: 'put', replaces: { versionId: '1' } }]);
    expect(double.stored.get(`Patient/${patientId}`)?.versionId).toBe('2');
  });

  it('ends the sessions of an account whose address it changes, and of no other', async () => {
    const { send, endedSessions } = ingestDouble();
    await send(load());
    await send(load());
    expect(endedSessions).toEqual([]);
    await send({ ...load(), email: 'moved@example.com' });
    expect(endedSessions).toEqual([`sub-${load().memberId}`]);
  });

  it('refuses other content under a version that is stored already', async () => {
    const double = ingestDouble();
    await double.send(load());
    const answer = await double.send(load({ resources: [patient({ city: 'Baltimore' })] }));
    expect(answer).toMatchObject(issues('resources.0.versionId'));
    expect(double.writes).toHaveLength(1);
  });

  it('refuses an older version that comes late', async () => {
    const double = ingestDouble();
    await double.send(load());
    // 14:59Z is a minute before 10:00-05:00, though its text sorts after: instants are compared.
    const older = patient({ versionId: '0', lastUpdated: '2026-02-01T14:59:00.000Z' });
    expect(await double.send(load({ resources: [older] }))).toMatchObject(issues('resources.0.lastUpdated'));
  });

  it.each([
    '2026-02-30T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-02-01T24:00:00Z',
    '2026-02-01T10:60:00Z',
    '2026-06-30T23:59:60Z',
    '2026-02-01T10:00:00+14:01',
    '2026-02-01T10:00:00',
    '0000-01-01T00:00:00Z',
  ])('refuses a time of %s, by which no search would find the resource', async (lastUpdated) => {
    const answer = await ingestDouble().send(load({ resources: [patient({ lastUpdated })] }));
    expect(answer).toMatchObject(issues('resources.0.lastUpdated'));
  });

  it('refuses an ID that is reserved for data from other payers', async () => {
    const answer = await ingestDouble().send(
      load({
        removed: [{ resourceType: 'Coverage', id: 'received-1' }],
      }),
    );
    expect(answer).toMatchObject(issues('removed.0.id'));
  });

  it.each([
    '2024-02-29T23:59:59.123456789Z',
    '2026-02-01T10:00:00+14:00',
    '0001-01-01T00:00:00-13:59',
  ])('takes a time of %s, and searches know it', async (lastUpdated) => {
    const answer = await ingestDouble().send(load({ resources: [patient({ lastUpdated })] }));
    expect(answer).toMatchObject({ kind: 'loaded' });
    expect(dateRange(lastUpdated)).toBeDefined();
  });

  it('decides again when somebody else wrote meanwhile, and finds its work done', async () => {
    const double = ingestDouble();
    const values = `values of ${patient().json.length}`;
    double.conflicts.push(() => {
      double.stored.set(`Patient/${patientId}`, { ...patient(), values });
      return undefined;
    });
    expect(await double.send(load())).toMatchObject({ kind: 'loaded' });
    expect(double.writes.map(({ changes }) => changes.length)).toEqual([0]);
  });

  it.each([
    ['names another Patient, as after a merge', { patientId: 'another', isWithdrawn: false }, 'patientId'],
    ['is a withdrawn member’s', { patientId, isWithdrawn: true }, 'memberId'],
  ])('refuses a member identifier that %s', async (_what, present, path) => {
    const { send, named, users, writes } = ingestDouble();
    named.set('DSNP12345678', present);
    expect(await send(load())).toMatchObject({ kind: 'refusal', issues: [{ path }] });
    expect([users.size, writes.length]).toEqual([0, 0]);
  });

  it('refuses an account that is another patient already', async () => {
    const double = ingestDouble();
    double.users.add('DSNP12345678');
    double.links.set('sub-DSNP12345678', 'another');
    expect(await double.send(load())).toMatchObject(issues('patientId'));
    expect(double.stored.size).toBe(0);
  });

  it.each([
    'conflict',
    'interrupted',
  ] as const)('is an error and no refusal where another load came between and something is written: %s', async (outcome) => {
    const double = ingestDouble();
    if (outcome === 'interrupted') await double.send(load());
    const newer = { ...patient({ versionId: '9', lastUpdated: '2027-01-01T00:00:00Z' }), values: '' };
    double.conflicts.push(() => {
      double.stored.set(`Patient/${patientId}`, newer);
      return outcome === 'interrupted' ? outcome : undefined;
    });
    const second = load({ resources: [patient({ versionId: '2' })] });
    await expect(double.send(second)).rejects.toThrow('another load');
    expect(await double.send(second)).toMatchObject(issues('resources.0.lastUpdated'));
  });

  it('refuses again where another load came between and nothing is written', async () => {
    const double = ingestDouble();
    await double.send(load());
    const newer = { ...patient({ versionId: '9', lastUpdated: '2027-01-01T00:00:00Z' }), values: '' };
    double.conflicts.push(() => {
      double.stored.set(`Patient/${patientId}`, newer);
      return undefined;
    });
    const second = load({ resources: [patient({ versionId: '2' })] });
    expect(await double.send(second)).toMatchObject(issues('resources.0.lastUpdated'));
  });

  it.each([
    ['email_taken', 'email'],
    ['password_refused', 'password'],
  ] as const)('writes nothing when the user pool says %s', async (reason, path) => {
    const double = ingestDouble();
    double.refusals.push(reason);
    expect(await double.send(load())).toMatchObject(issues(path));
    expect(double.stored.size).toBe(0);
  });
});

describe('a load', () => {
  const json = (value: unknown) => JSON.stringify(value);
  const twice = (name: string) => patient().json.replace('{', `{${name}:"another",`);
  it.each<[string, object, string]>([
    ['an unknown line of business', { lob: 'XXXX' }, 'lob'],
    ['a phone number from elsewhere', { phoneNumber: '+4930123456' }, 'phoneNumber'],
    ['a short password', { password: 'too-short' }, 'password'],
    ['a password that ends in a space', { password: 'Willow-ribbon-pocket-6714 ' }, 'password'],
    ['a password that is short in its one spelling', { password: 'e\u0301'.repeat(8) }, 'password'],
    ['a NUL in a name', { familyName: 'Sample\u0000ton' }, 'familyName'],
    ['half a character in a name', { givenName: 'A\ud800' }, 'givenName'],
    ['a name twice in the JSON', { resources: [{ ...patient(), json: twice('"id"') }] }, 'resources.0.json'],
    [
      'a name twice, written in two ways',
      { resources: [{ ...patient(), json: twice('"\\u0069d"') }] },
      'resources.0.json',
    ],
    [
      'a NUL in the JSON',
      { resources: [{ ...patient(), json: patient().json.replace('Wash', 'Wash\\u0000') }] },
      'resources.0.json',
    ],
    ['another Patient than the member’s', { patientId: '26d1e61a-8fc3-42dd-925e-7e67b70e957c' }, 'resources'],
    ['a resource twice', { resources: [patient(), patient({ versionId: '2' })] }, 'resources.1'],
    ['JSON that is none', { resources: [{ ...patient(), json: '{' }] }, 'resources.0.json'],
    ['a JSON array', { resources: [{ ...patient(), json: '[]' }] }, 'resources.0.json'],
    ['JSON null', { resources: [{ ...patient(), json: 'null' }] }, 'resources.0.json'],
    [
      'another version inside than beside',
      { resources: [{ ...patient(), versionId: '2' }] },
      'resources.0.json',
    ],
    [
      'a FHIR rendition of something else',
      { resources: [{ ...patient(), fhirJson: json({ resourceType: 'Coverage' }) }] },
      'resources.0.fhirJson',
    ],
    [
      'a day for an instant',
      { resources: [patient({ lastUpdated: '2026-02-01' })] },
      'resources.0.lastUpdated',
    ],
    [
      'more than the store can hold',
      { resources: [patient({ narrative: 'x'.repeat(400_000) })] },
      'resources.0',
    ],
    [
      'a text longer than any',
      { resources: [patient({ city: 'x'.repeat(70_000) })] },
      'resources.0.json.address.0.city',
    ],
    [
      'more than an answer can hold',
      { resources: [patient({ city: '€'.repeat(1_400_000) })] },
      'resources.0.json',
    ],
  ])('is refused with %s', async (_what, changed, path) => {
    const double = ingestDouble();
    const answer = await double.send({ ...load(), ...changed });
    expect(answer.kind).toBe('refusal');
    expect('issues' in answer ? answer.issues.map((issue) => issue.path) : []).toContain(path);
    expect(double.stored.size).toBe(0);
  });

  it('is refused without quoting what it holds', async () => {
    const { send } = ingestDouble();
    const text = JSON.stringify(
      await send({ ...load(), email: 'ada@', familyName: '', memberId: 'lower case' }),
    );
    expect(text).not.toMatch(/ada@|lower case|Ada/);
  });
});
