import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAccountAccess } from '../../lambdas/authorization/store/account-access.ts';
import { createAuthorizationStore } from '../../lambdas/authorization/store/authorization-store.ts';
import { createContactRecords } from '../../lambdas/authorization/store/contact-records.ts';
import { createLinkFederatedAccount } from '../../lambdas/authorization/store/federated-links.ts';
import { createTokenStore } from '../../lambdas/authorization/store/token-store.ts';
import { createContactEnvelopes } from '../../lambdas/platform/aws/contact-envelopes.ts';
import { grantPartition, memberKey, patientAuditPartition } from '../../lambdas/platform/table/table-keys.ts';
import { createEmptyTable } from '../support/empty-table.ts';
import { memoryDataKeys } from '../support/memory-data-keys.ts';
import fc from '../support/property.ts';
import { endOfRepresentative, patient, representative } from './drop-rows.ts';
import { createLoads, memoryBucket, upload } from './load-world.ts';

/** Personal representatives as drops load them, and the patients whom their accounts may share. */

const table = await createEmptyTable();
const lob = 'DSNP' as const;
const start = 1_795_000_000;

/** Creates two children and a mother who is a member, with IDs of their own and a clock. */
async function world() {
  const name = randomUUID().slice(0, 8);
  const ids = {
    ada: `ada-${name}`,
    ben: `ben-${name}`,
    mia: `mia-${name}`,
    mother: `M-${name}`,
    other: `R-${name}`,
  };
  const clock = { now: start };
  let drops = 0;
  const load = async (...rows: readonly object[]) => {
    const memory = memoryBucket();
    const loads = createLoads(table, memory, { now: () => clock.now * 1000 });
    drops += 1;
    const types = ['Patient', 'Parameters'].map((type) => ({
      type,
      rows: rows.filter((row) => 'resourceType' in row && row.resourceType === type),
    }));
    const folder = `d${name}-${drops}`;
    await loads.run(
      upload(memory, { files: types.filter((each) => each.rows.length > 0), name: folder }),
      folder,
    );
    const report = loads.report(`DSNP/claims/${folder}/`) as Record<
      'loaded' | 'unchanged' | 'rejected',
      number
    >;
    const codes = loads.rejects(`DSNP/claims/${folder}/`).map(({ code }) => code);
    return { ...report, codes };
  };
  await load(
    patient(ids.ada, `C1-${name}`, { birthDate: '2016-05-01' }),
    patient(ids.ben, `C2-${name}`, { birthDate: '2018-05-01', says: 'Ben' }),
    patient(ids.mia, ids.mother, { birthDate: '1985-04-02', says: 'Mia' }),
  );
  const sub = `sub-${name}`;
  await table.put({ ...memberKey(lob, sub), patientId: ids.mia, memberId: ids.mother, displayName: 'Mia' });
  const access = createAccountAccess(table, () => clock.now * 1000);
  const patients = async (of = sub) =>
    (await access.patientsOf(lob, { sub: of })).map(({ patientId }) => patientId);
  return { ids, clock, load, sub, access, patients, name };
}

type World = Awaited<ReturnType<typeof world>>;

/** Consents and redeems the code, as the pages and the token endpoint do. */
async function consent({ ids, clock, access, sub, name }: World, patientId = ids.ada) {
  const found = (await access.patientsOf(lob, { sub })).find((each) => each.patientId === patientId);
  const acting = found?.relationship === 'representative' ? found.representative : undefined;
  const [interactionId, grantId, sha256] = [randomUUID(), randomUUID(), randomUUID()];
  const store = createAuthorizationStore(table);
  const request = { clientId: `app-${name}`, redirectUri: 'https://app.example.com/cb', scope: 'openid' };
  await store.begin(lob, { interactionId, state: 'consenting', request, expiresAt: clock.now + 900 });
  const representedBy = acting && { representativeId: acting.representativeId, until: acting.until };
  const about = {
    clientId: `app-${name}`,
    grantId,
    sub,
    patientId,
    scope: 'openid',
    ...(acting && { representedBy }),
  };
  const grant = {
    ...about,
    ...(acting !== undefined && { representative: acting }),
    ...{ createdAt: new Date(clock.now * 1000).toISOString(), expiresAt: clock.now + 60 },
  };
  const code = {
    ...about,
    ...{ sha256, state: 'issued' as const, redirectUri: request.redirectUri },
    ...{ authTime: clock.now, expiresAt: clock.now + 60 },
  };
  const audit = () => ({
    ...{
      eventId: randomUUID(),
      time: new Date(clock.now * 1000).toISOString(),
      environment: 'sandbox' as const,
    },
    lob,
    ...{ action: 'grant.create' as const, outcome: 'succeeded' as const, actor: sub },
    ...{ clientId: `app-${name}`, grantId, patientId, requestId: 'r' },
  });
  const shared = await store.share({ lob, interactionId, now: clock.now, grant, code, audit: audit() });
  const family = {
    ...{ familyId: randomUUID(), state: 'active' as const, sha256: 'first', ...about },
    ...{ authTime: clock.now, createdAt: clock.now, rotatedAt: clock.now },
    ...{ idleExpiresAt: clock.now + 10_000_000, expiresAt: clock.now + 10_000_000 },
  };
  return {
    shared,
    grantId,
    redeem: () => {
      const until = (acting?.until ?? Number.POSITIVE_INFINITY) + 1;
      const grantExpiresAt = Math.min(clock.now + 10_000_000, until);
      return store.redeem({ lob, code, now: clock.now, grantExpiresAt, family, audit: audit() });
    },
    rotate: () =>
      createTokenStore(table).rotate({
        ...{ lob, family, sha256: 'second', salt: 's', now: clock.now },
        ...{ idleExpiresAt: clock.now + 1_000, audit: audit() },
      }),
  };
}

const grantsOf = async (patientId: string) =>
  (await table.query({ pk: grantPartition(lob, patientId) })).items;

describe('a representative on file', () => {
  it('who is a member may share their own data and the child’s, and names both', async () => {
    const w = await world();
    expect(await w.load(representative(w.ids.ada, w.ids.mother))).toMatchObject({ loaded: 1, rejected: 0 });
    expect(await w.access.patientsOf(lob, { sub: w.sub })).toEqual([
      { relationship: 'self', patientId: w.ids.mia, memberId: w.ids.mother, displayName: 'Mia' },
      {
        ...{ relationship: 'representative', patientId: w.ids.ada, memberId: `C1-${w.name}` },
        ...{ displayName: 'Ada Sampleton', birthYear: '2016' },
        representative: { representativeId: w.ids.mother, name: 'Mia Sampleton', role: 'MTH' },
      },
    ]);
    // The account represents nobody in another line of business, and another account represents nobody.
    expect(await w.access.patientsOf('MAPD', { sub: w.sub })).toEqual([]);
    expect(await w.patients('another-sub')).toEqual([]);
  });

  it('who is no member has an account under their own identifier', async () => {
    const w = await world();
    await w.load(representative(w.ids.ben, w.ids.other, { role: 'GUARD' }));
    const link = createLinkFederatedAccount(table);
    const account = { sub: `idp_${w.name}`, memberId: w.ids.other, displayName: 'Mia' };
    expect(await link(lob, account)).toBe('linked');
    expect(await w.patients(account.sub)).toEqual([w.ids.ben]);
    // An account stays linked to its person, and an unknown identifier links to nobody.
    await w.load(representative(w.ids.ada, `${w.ids.other}-2`));
    expect(await link(lob, { ...account, memberId: `${w.ids.other}-2` })).toBe('other_member');
    expect(await link(lob, { ...account, sub: 'idp_x', memberId: 'nobody' })).toBe('member_unknown');
    expect(await w.patients(account.sub)).toEqual([w.ids.ben]);
  });

  it('who is no member has contacts for codes as long as the representation stands, and of one person only', async () => {
    const w = await world();
    const { ben, ada, other, mother } = w.ids;
    const contact = async (id: string) => {
      const found = await createContactRecords(table, () => w.clock.now * 1000).find(lob, id);
      const { open } = createContactEnvelopes(memoryDataKeys, Date.now);
      return found && { ...(await open(found.place, found.envelope)), ...found };
    };
    await w.load(
      representative(ben, other, { email: 'old@example.org' }),
      representative(ada, other, { email: 'mia@example.org', version: 2, period: { end: '2034-04-30' } }),
      representative(ada, mother, { email: 'not-the-patient@example.org' }),
    );
    expect(await contact(other)).toMatchObject({
      ...{ isRepresentative: true, place: { patientId: ada, memberId: other } },
      ...{ emails: ['mia@example.org'], postalCodes: ['20001'], birthDate: '1985-04-02' },
    });
    expect(await contact(mother)).toMatchObject({ isRepresentative: false, emails: [] });
    // The same identifier with another birth date: it is unclear to whom the contact data belong.
    await w.load(representative(ben, other, { birthDate: '1990-01-01', version: 3 }));
    expect(await contact(other)).toBeUndefined();
    await w.load(endOfRepresentative(ben, other, 4));
    expect(await contact(other)).toMatchObject({ emails: ['mia@example.org'] });
    w.clock.now = Date.parse('2034-05-01T00:00:00Z') / 1000;
    expect(await contact(other)).toBeUndefined();
  });

  it('is one in the period only, the last day included', async () => {
    const w = await world();
    await w.load(
      representative(w.ids.ada, w.ids.mother, { period: { start: '2020-01-01', end: '2034-04-30' } }),
      representative(w.ids.ben, w.ids.mother, { period: { start: '2030-01-01' } }),
    );
    expect(await w.patients()).toEqual([w.ids.mia, w.ids.ada]);
    w.clock.now = Date.parse('2034-04-30T23:59:59Z') / 1000;
    expect(await w.patients()).toEqual([w.ids.mia, w.ids.ada, w.ids.ben]);
    w.clock.now += 1;
    expect(await w.patients()).toEqual([w.ids.mia, w.ids.ben]);
  });

  it('loads once, newer wins, and an ended one comes back by a newer row only', async () => {
    const w = await world();
    const row = representative(w.ids.ada, w.ids.mother);
    await w.load(row);
    expect(await w.load(row)).toMatchObject({ loaded: 0, unchanged: 1 });
    expect((await w.load(representative(w.ids.ada, w.ids.mother, { role: 'GUARD' }))).codes).toEqual([
      'version_reused',
    ]);
    expect(await w.load(endOfRepresentative(w.ids.ada, w.ids.mother, 3))).toMatchObject({ loaded: 1 });
    expect(await w.load(endOfRepresentative(w.ids.ada, w.ids.mother, 3))).toMatchObject({ unchanged: 1 });
    expect(await w.patients()).toEqual([w.ids.mia]);
    expect((await w.load(representative(w.ids.ada, w.ids.mother, { version: 2 }))).codes).toEqual([
      'older_version',
    ]);
    expect(await w.patients()).toEqual([w.ids.mia]);
    await w.load(representative(w.ids.ada, w.ids.mother, { version: 4 }));
    expect(await w.patients()).toEqual([w.ids.mia, w.ids.ada]);
  });

  it.each([
    ['a member who is unknown', (w: World) => representative('nobody', w.ids.mother), 'not_stored'],
    ['the member', (w: World) => representative(w.ids.mia, w.ids.mother), 'own_representative'],
    [
      'a person with another’s member identifier',
      (w: World) => representative(w.ids.ada, w.ids.mother, { birthDate: '1990-01-01' }),
      'other_person',
    ],
    [
      'a sister',
      (w: World) => representative(w.ids.ada, w.ids.mother, { role: 'SIS' }),
      'unknown_relationship',
    ],
    [
      'a period whose end is no day',
      (w: World) => representative(w.ids.ada, w.ids.mother, { period: { end: '2034' } }),
      'period_malformed',
    ],
    ['an end of what never began', (w: World) => endOfRepresentative(w.ids.ada, 'R-0'), 'not_stored'],
  ] as const)('is rejected for %s', async (_what, row, code) => {
    const w = await world();
    expect((await w.load(row(w))).codes).toEqual([code]);
    expect(await w.patients()).toEqual([w.ids.mia]);
  });
});

describe('what a representative shared', () => {
  it('ends with the representation, in the member’s record, and the member’s own grants stay', async () => {
    const w = await world();
    await w.load(representative(w.ids.ada, w.ids.mother), representative(w.ids.ben, w.ids.mother));
    const [first, second, own] = [await consent(w), await consent(w, w.ids.ben), await consent(w, w.ids.mia)];
    for (const each of [first, second, own]) expect(await each.redeem()).toBe('redeemed');
    await w.load(endOfRepresentative(w.ids.ada, w.ids.mother));
    expect(await grantsOf(w.ids.ada)).toMatchObject([
      { state: 'revoked', endedBecause: 'representation_ended' },
    ]);
    expect(await grantsOf(w.ids.ben)).toMatchObject([{ state: 'active' }]);
    expect(await grantsOf(w.ids.mia)).toMatchObject([{ state: 'active' }]);
    expect(await first.rotate()).toBe('grant_ended');
    expect(await second.rotate()).toBe('rotated');
    const { items } = await table.query({ pk: patientAuditPartition(lob, w.ids.ada) });
    expect(items).toContainEqual(
      expect.objectContaining({
        ...{ action: 'grant.end', reason: 'representation_ended', actor: 'load-range' },
        ...{ grantId: first.grantId, representativeId: w.ids.mother },
      }),
    );
  });

  it('can be neither shared nor redeemed once the representation is over', async () => {
    const w = await world();
    await w.load(representative(w.ids.ada, w.ids.mother, { period: { end: '2034-04-30' } }));
    w.clock.now = Date.parse('2034-04-30T23:59:50Z') / 1000;
    const { shared, redeem } = await consent(w);
    expect(shared).toBe(true);
    w.clock.now += 20;
    expect(await redeem()).toBe('grant_ended');
    expect(await grantsOf(w.ids.ada)).toMatchObject([{ state: 'pending' }]);
  });

  it('has the representation’s end, and ends where that comes sooner than it was', async () => {
    const w = await world();
    const end = Date.parse('2034-04-30T23:59:59Z') / 1000;
    w.clock.now = end - 1_000_000;
    await w.load(representative(w.ids.ada, w.ids.mother, { period: { end: '2034-04-30' } }));
    const { redeem, rotate } = await consent(w);
    expect(await redeem()).toBe('redeemed');
    expect(await grantsOf(w.ids.ada)).toMatchObject([{ state: 'active', expiresAt: end + 1 }]);
    const sooner = representative(w.ids.ada, w.ids.mother, { version: 2, period: { end: '2034-04-25' } });
    await w.load(sooner);
    expect(await grantsOf(w.ids.ada)).toMatchObject([
      { state: 'revoked', endedBecause: 'representation_changed' },
    ]);
    expect(await rotate()).toBe('grant_ended');
  });

  it('ends with the member’s withdrawal, as what the member shared does', async () => {
    const w = await world();
    await w.load(representative(w.ids.ada, w.ids.mother));
    const { redeem } = await consent(w);
    expect(await redeem()).toBe('redeemed');
    await w.load({
      resourceType: 'Parameters',
      meta: { lastUpdated: new Date((start + 10) * 1000).toISOString() },
      parameter: [{ name: 'withdraw', valueReference: { reference: `Patient/${w.ids.ada}` } }],
    });
    expect(await grantsOf(w.ids.ada)).toMatchObject([{ state: 'revoked', endedBecause: 'member_withdrawn' }]);
  });

  it('whatever is loaded, ended and shared in whatever order: an account reaches no patient that isn’t its own', async () => {
    const who = fc.constantFrom('ada' as const, 'ben' as const);
    const act = fc.oneof(
      fc.record({ kind: fc.constant('load' as const), who, days: fc.integer({ min: -2, max: 4 }) }),
      fc.record({ kind: fc.constant('end' as const), who }),
      fc.record({ kind: fc.constant('share' as const), who }),
      fc.record({ kind: fc.constant('redeem' as const) }),
      fc.record({ kind: fc.constant('rotate' as const) }),
      fc.record({ kind: fc.constant('wait' as const) }),
    );
    const day = 86_400;
    const dateOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 9 }), async (acts) => {
        const w = await world();
        /** A simple model: the last second of each representation. */
        const until = { ada: 0, ben: 0 };
        const consents: Awaited<ReturnType<typeof consent>>[] = [];
        let version = 1;
        for (const taken of acts) {
          version += 1;
          if (taken.kind === 'wait') w.clock.now += day;
          if (taken.kind === 'load') {
            const end = dateOf(w.clock.now + taken.days * day);
            await w.load(representative(w.ids[taken.who], w.ids.mother, { version, period: { end } }));
            until[taken.who] = Date.parse(`${end}T23:59:59Z`) / 1000;
          }
          if (taken.kind === 'end') {
            await w.load(endOfRepresentative(w.ids[taken.who], w.ids.mother, version));
            until[taken.who] = 0;
          }
          if (taken.kind === 'share') {
            const isOwn = (await w.patients()).includes(w.ids[taken.who]);
            // The pages make this check first.
            if (isOwn) consents.push(await consent(w, w.ids[taken.who]));
          }
          if (taken.kind === 'redeem') await consents.at(-1)?.redeem();
          if (taken.kind === 'rotate') await consents.at(-1)?.rotate();
          for (const one of ['ada', 'ben'] as const) {
            const isTheirs = w.clock.now <= until[one];
            expect((await w.patients()).includes(w.ids[one])).toBe(isTheirs);
            const living = (await grantsOf(w.ids[one])).filter(
              ({ state, expiresAt }) => state === 'active' && Number(expiresAt) > w.clock.now,
            );
            if (!isTheirs) expect(living).toEqual([]);
          }
        }
      }),
      { numRuns: 12 },
    );
  });
});
