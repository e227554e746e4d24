import { describe, expect, it } from 'vitest';
import {
  type Ingest,
  ingestMember,
  type LinkedLoad,
  type StoredVersion,
} from '../../lambdas/members/ingest.ts';
import type { MemberLoad } from '../../lambdas/members/ingest-contract.ts';

const patientId = 'd26b83fc-66cb-4440-a34c-5f6ca9570ce1';

function patient(changed: { versionId?: string; lastUpdated?: string; city?: string } = {}) {
  const { versionId = '1', lastUpdated = '2026-02-01T10:00:00.000-05:00', city = 'Washington' } = changed;
  const content = { resourceType: 'Patient', id: patientId, meta: { versionId, lastUpdated } };
  const json = JSON.stringify({ ...content, address: [{ city }] });
  return { resourceType: 'Patient', id: patientId, versionId, lastUpdated, json };
}

function load(changed: Partial<MemberLoad> = {}): MemberLoad {
  return {
    lob: 'DSNP',
    patientId,
    memberId: 'DSNP12345678',
    email: 'ada.sampleton@example.com',
    phoneNumber: '+12025550123',
    givenName: 'Ada',
    familyName: 'Sampleton',
    resources: [patient()],
    ...changed,
  };
}

/** Accounts and resources in memory. */
function ingestDouble() {
  const stored = new Map<string, StoredVersion>();
  const links = new Map<string, string>();
  const writes: LinkedLoad[] = [];
  const refusals: ('email_taken' | 'password_refused')[] = [];
  const conflicts: (() => void)[] = [];
  const ingest: Ingest = {
    accounts: {
      async ensure({ memberId }) {
        const reason = refusals.shift();
        return reason === undefined ? { ok: true, sub: `sub-${memberId}` } : { ok: false, reason };
      },
    },
    searchValues: (json) => `values of ${json.length}`,
    store: {
      holds: (_lob, _patientId, resource) => resource.json.length < 400_000,
      async stored(_lob, _patientId, resources) {
        return resources.map(({ resourceType, id }) => stored.get(`${resourceType}/${id}`));
      },
      async write(linked) {
        const conflict = conflicts.shift();
        if (conflict !== undefined) {
          conflict();
          return 'conflict';
        }
        const patientOfSub = links.get(linked.sub);
        if (patientOfSub !== undefined && patientOfSub !== linked.patientId) return 'linked_elsewhere';
        links.set(linked.sub, linked.patientId);
        for (const change of linked.changes) {
          const name = `${change.resource.resourceType}/${change.resource.id}`;
          if (change.kind === 'remove') stored.delete(name);
          else stored.set(name, { ...change.resource, values: change.values });
        }
        writes.push(linked);
        return 'written';
      },
    },
  };
  const send = (payload: unknown) => ingestMember(ingest, payload);
  return { send, stored, links, writes, refusals, conflicts };
}

function issues(path: string) {
  return { ok: false, code: 'invalid_request', issues: [{ path }] };
}

describe('loading a member', () => {
  it('writes the resources and the link from the account to the patient', async () => {
    const double = ingestDouble();
    expect(await double.send(load())).toEqual({ ok: true, patientId, resources: 1 });
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
    expect(await double.send(load())).toMatchObject({ ok: true });
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
    expect(await double.send(load({ resources: [newer] }))).toMatchObject({ ok: true });
    expect(double.writes[1]?.changes).toMatchObject([{ kind: 'put', replaces: { versionId: '1' } }]);
    expect(double.stored.get(`Patient/${patientId}`)?.versionId).toBe('2');
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
    // 14:59Z is before 10:00-05:00: instants are compared, not texts.
    const older = patient({ versionId: '0', lastUpdated: '2026-02-01T14:59:00.000Z' });
    expect(await double.send(load({ resources: [older] }))).toMatchObject(issues('resources.0.lastUpdated'));
  });

  it('decides again when somebody else wrote meanwhile, and finds its work done', async () => {
    const double = ingestDouble();
    const values = `values of ${patient().json.length}`;
    double.conflicts.push(() => double.stored.set(`Patient/${patientId}`, { ...patient(), values }));
    expect(await double.send(load())).toMatchObject({ ok: true });
    expect(double.writes.map(({ changes }) => changes.length)).toEqual([0]);
  });

  it('refuses an account that is another patient already', async () => {
    const double = ingestDouble();
    double.links.set('sub-DSNP12345678', 'another');
    expect(await double.send(load())).toMatchObject(issues('patientId'));
    expect(double.stored.size).toBe(0);
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
  it.each<[string, object, string]>([
    ['an unknown line of business', { lob: 'XXXX' }, 'lob'],
    ['a phone number from elsewhere', { phoneNumber: '+4930123456' }, 'phoneNumber'],
    ['a short password', { password: 'too-short' }, 'password'],
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
    ['more than the store can hold', { resources: [patient({ city: 'x'.repeat(400_000) })] }, 'resources.0'],
    [
      'more than an answer can hold',
      { resources: [patient({ city: '€'.repeat(1_400_000) })] },
      'resources.0.json',
    ],
  ])('is refused with %s', async (_what, changed, path) => {
    const double = ingestDouble();
    const answer = await double.send({ ...load(), ...changed });
    expect(answer.ok).toBe(false);
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
