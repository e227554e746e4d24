import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { ingestMember } from '../../../lambdas/loads/ingest/ingest.ts';
import type { MemberLoad } from '../../../lambdas/loads/ingest/ingest-contract.ts';
import { contactDataOf } from '../../../lambdas/loads/rows/contact-data.ts';
import { createMemberLoader } from '../../../lambdas/loads/store/member-loader.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import type { Table } from '../../../lambdas/platform/table/table.ts';
import {
  memberKey,
  patientAuditPartition,
  patientPartition,
} from '../../../lambdas/platform/table/table-keys.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { testContacts } from '../../support/ingest-world.ts';
import { type MemberPool, startMemberPool } from '../../support/member-pool.ts';
import fc from '../../support/property.ts';

/** Loads of single members against the real engine and the user pool's stand-in: accounts, and whose record a patient is. */

let engine: TestEngine;
let table: Table;
let pool: MemberPool;
beforeAll(async () => {
  [engine, pool] = await Promise.all([startTestEngine(), startMemberPool()]);
  table = createSignedTable(engine);
});
afterAll(async () => {
  await Promise.all([engine.stop(), pool.stop()]);
});
beforeEach(() => {
  pool.calls.length = 0;
});

const password = 'Willow-ribbon-pocket-6714';
const otherPassword = 'Copper-lantern-valley-2290';

function send(load: unknown) {
  return ingestMember(
    {
      accounts: pool.accounts,
      store: createMemberLoader(table, {
        environment: 'sandbox',
        now: () => 1_770_000_000_000,
        uuid: randomUUID,
        sealContact: testContacts.seal,
      }),
      searchValues: () => JSON.stringify({ size: 1, tokens: {}, dates: {}, strings: {}, references: {} }),
      sha256: digests.sha256Hex,
      contactData: (json) => contactDataOf(JSON.parse(json), 1_770_000_000_000),
    },
    load,
  );
}

function patient(patientId: string, version = 1, text?: string) {
  const [versionId, lastUpdated] = [String(version), new Date(1_770_000_000_000 + version).toISOString()];
  const content = { resourceType: 'Patient', id: patientId, meta: { versionId, lastUpdated } };
  const json = text ?? JSON.stringify({ ...content, gender: 'unknown' });
  return { resourceType: 'Patient', id: patientId, versionId, lastUpdated, json };
}

let count = 0;
/** A member who was not loaded before. */
function newMember(changed: Partial<MemberLoad> = {}): MemberLoad {
  count += 1;
  const patientId = changed.patientId ?? randomUUID();
  return {
    lob: 'DSNP',
    patientId,
    memberId: `DSNP${String(count).padStart(8, '0')}`,
    email: `member${count}@example.com`,
    phoneNumber: '+12025550123',
    givenName: 'Ada',
    familyName: 'Sampleton',
    password,
    resources: [patient(patientId)],
    ...changed,
  };
}

async function signInOf({ lob, memberId }: Pick<MemberLoad, 'lob' | 'memberId'>) {
  const sub = subOf(await pool.user(memberId));
  return sub === undefined ? undefined : await table.get(memberKey(lob, sub));
}

function subOf(user: Awaited<ReturnType<MemberPool['user']>>): string | undefined {
  return user?.UserAttributes?.find(({ Name }) => Name === 'sub')?.Value;
}

describe('a row with the member id of another patient', () => {
  it('is refused and leaves the account its password and its address', async () => {
    const owner = newMember();
    await send(owner);
    const before = await pool.user(owner.memberId);
    const patientId = randomUUID();
    const other = { email: 'stranger@example.com', password: otherPassword, phoneNumber: '+12025550199' };
    const answer = await send({ ...owner, ...other, patientId, resources: [patient(patientId)] });
    expect(answer).toMatchObject({ kind: 'refusal', issues: [{ path: 'patientId' }] });
    expect(await pool.user(owner.memberId)).toMatchObject({
      UserAttributes: before?.UserAttributes,
      UserLastModifiedDate: before?.UserLastModifiedDate,
    });
    expect(await pool.signsIn(owner.memberId, password)).toBe(true);
    expect(await pool.signsIn(owner.email, password)).toBe(true);
    expect(await pool.signsIn('stranger@example.com', otherPassword)).toBe(false);
    expect(await signInOf(owner)).toMatchObject({ patientId: owner.patientId });
  });
});

describe('a row with the patient of another member', () => {
  it('is refused and makes no account', async () => {
    const owner = newMember();
    await send(owner);
    const second = newMember({ patientId: owner.patientId, resources: owner.resources });
    expect(await send(second)).toMatchObject({ kind: 'refusal', issues: [{ path: 'memberId' }] });
    expect(await pool.user(second.memberId)).toBeUndefined();
  });

  it('loses where both come at once: one member signs in to the patient', async () => {
    const owner = newMember();
    const second = newMember({ patientId: owner.patientId, resources: owner.resources });
    const answers = await Promise.allSettled([send(owner), send(second)]);
    expect(answers.filter((it) => it.status === 'fulfilled' && it.value.kind === 'loaded')).toHaveLength(1);
    const links = await Promise.all([signInOf(owner), signInOf(second)]);
    expect(links.filter((link) => link !== undefined)).toHaveLength(1);
  });
});

describe('an account', () => {
  it('is made by one call that names the password already, and one that makes it permanent', async () => {
    const member = newMember();
    expect(await send(member)).toMatchObject({ kind: 'loaded' });
    expect(pool.calls).toEqual(['AdminCreateUser', 'AdminSetUserPassword']);
    expect(await pool.signsIn(member.email, password)).toBe(true);
  });

  it('is not asked for when its member is loaded again unchanged, with new data or without', async () => {
    const member = newMember();
    await send(member);
    pool.calls.length = 0;
    expect(await send(member)).toMatchObject({ kind: 'loaded' });
    const newer = { ...member, resources: [patient(member.patientId, 2)] };
    expect(await send(newer)).toMatchObject({ kind: 'loaded' });
    expect(pool.calls).toEqual([]);
  });

  it('follows changed contact data by one call, once', async () => {
    const member = newMember();
    await send(member);
    pool.calls.length = 0;
    const moved = { ...member, email: 'Moved@Example.com', phoneNumber: '+12025550177' };
    expect(await send(moved)).toMatchObject({ kind: 'loaded' });
    expect(await send(moved)).toMatchObject({ kind: 'loaded' });
    expect(pool.calls).toEqual(['AdminUpdateUserAttributes']);
    expect(await pool.signsIn('moved@example.com', password)).toBe(true);
  });

  it('keeps its password, whatever a later load says', async () => {
    const member = newMember();
    await send(member);
    await send({ ...member, password: otherPassword, givenName: 'Augusta' });
    expect(await pool.signsIn(member.memberId, otherPassword)).toBe(false);
    expect(await pool.signsIn(member.memberId, password)).toBe(true);
  });

  it('serves its member in two lines of business', async () => {
    const member = newMember();
    await send(member);
    const patientId = randomUUID();
    const second = { ...member, lob: 'MAPD' as const, patientId, resources: [patient(patientId)] };
    expect(await send(second)).toMatchObject({ kind: 'loaded' });
    expect(await signInOf(second)).toMatchObject({ patientId });
    expect(await signInOf(member)).toMatchObject({ patientId: member.patientId });
  });

  it('is completed where an earlier load ended after making it', async () => {
    const member = newMember();
    await pool.accounts.create({ ...member, password: undefined });
    expect(await send(member)).toMatchObject({ kind: 'loaded' });
    expect(await pool.signsIn(member.memberId, password)).toBe(true);
  });
});

const lobs = ['DSNP', 'MAPD'] as const satisfies readonly LineOfBusiness[];
const faults = [
  (text: string) => text.replace('"gender"', '"id":"x","gender"'),
  (text: string) => text.replace('unknown', 'un\\u0000known'),
  (text: string) => text.replace('"id"', '"ID"'),
  (text: string) => `${text},`,
  (text: string) => text.replace('"gender":"unknown"', '"link":[{"other":{"reference":"Patient/x"}}]'),
  (text: string) => text.replace('"gender":"unknown"', '"x":{"reference":"Organization/none"}'),
] as const;
const often = { weight: 12, arbitrary: fc.constant(undefined) };
const row = fc.record({
  lob: fc.constantFrom(...lobs),
  member: fc.nat(2),
  patient: fc.nat(2),
  address: fc.nat(2),
  version: fc.integer({ min: 1, max: 3 }),
  names: fc.oneof(often, { weight: 1, arbitrary: fc.constantFrom('A\u0000da', '', 'A\ud800') }),
  password: fc.constantFrom(undefined, password, otherPassword, ` ${password}`, 'short', 'e\u0301'.repeat(8)),
  fault: fc.oneof(often, { weight: 6, arbitrary: fc.constantFrom(...faults) }),
  removed: fc.oneof(often, { weight: 1, arbitrary: fc.constantFrom('Patient', 'Basic') }),
});

describe('any sequence of loads', () => {
  it('changes neither table nor user pool where it is refused, and gives no patient to two members', async () => {
    const refusedFor = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 2, maxLength: 8 }), async (rows) => {
        const patients = [randomUUID(), randomUUID(), randomUUID()];
        const members = [newMember(), newMember(), newMember()].map(({ memberId }) => memberId);
        const addresses = members.map((memberId) => `${memberId}@example.com`);
        const world = async () => ({
          users: await Promise.all(
            members.map(async (memberId) => {
              const user = await pool.user(memberId);
              return user === undefined ? undefined : { ...user, $metadata: undefined };
            }),
          ),
          items: await Promise.all(
            lobs
              .flatMap((lob) =>
                patients.flatMap((id) => [patientPartition(lob, id), patientAuditPartition(lob, id)]),
              )
              .map(async (pk) => (await table.query({ pk })).items),
          ),
          links: await Promise.all(
            lobs.flatMap((lob) => members.map(async (memberId) => await signInOf({ lob, memberId }))),
          ),
        });
        for (const { lob, version, names, fault, removed, ...at } of rows) {
          const patientId = patients[at.patient] ?? '';
          const resource = patient(patientId, version);
          const json = fault?.(resource.json) ?? resource.json;
          const before = await world();
          const answer = await send({
            lob,
            patientId,
            memberId: members[at.member],
            email: addresses[at.address],
            phoneNumber: '+12025550123',
            givenName: names ?? 'Ada',
            familyName: 'Sampleton',
            ...(at.password !== undefined && { password: at.password }),
            resources: [{ ...resource, json }],
            ...(removed !== undefined && { removed: [{ resourceType: removed, id: patientId }] }),
          });
          const after = await world();
          if (answer.kind === 'refusal') {
            for (const { path } of answer.issues) refusedFor.add(path.replace(/^resources.*/, 'resources'));
            expect(after).toEqual(before);
          }
          for (const inLob of lobs.map((_, index) => after.links.slice(3 * index, 3 * index + 3))) {
            const linked = inLob.flatMap((link) => link?.patientId ?? []);
            expect(new Set(linked).size).toBe(linked.length);
          }
        }
      }),
      { numRuns: 25 },
    );
    // Each of these fields was refused at least once.
    for (const path of ['email', 'givenName', 'memberId', 'password', 'patientId', 'resources']) {
      expect(refusedFor).toContain(path);
    }
  });
});
