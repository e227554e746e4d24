import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { PasswordRequest } from '../../../lambdas/authorization/activation/activation-contract.ts';
import type {
  ActivatedAccounts,
  ActivationServices,
} from '../../../lambdas/authorization/activation/activation-services.ts';
import { sendActivationCode } from '../../../lambdas/authorization/activation/send-code.ts';
import { setActivatedPassword } from '../../../lambdas/authorization/activation/set-password.ts';
import type { BrowserResponse } from '../../../lambdas/authorization/authorize/browser-request.ts';
import { createAccountAccess } from '../../../lambdas/authorization/store/account-access.ts';
import { createAccountLinks } from '../../../lambdas/authorization/store/account-links.ts';
import { createSessionEpochs } from '../../../lambdas/authorization/store/account-sessions-contract.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ContactData } from '../../../lambdas/platform/kernel/contact-data.ts';
import { isKnownPassword } from '../../../lambdas/platform/kernel/known-passwords.ts';
import {
  memberIdKey,
  memberKey,
  representativeAccountKey,
} from '../../../lambdas/platform/table/table-keys.ts';
import { hiddenFields } from '../events.ts';
import { htmlOf, locationOf, type PagesBrowser, startPagesWorld, statusOf } from '../pages-world.ts';

const world = await startPagesWorld();
afterAll(() => world.stop());

interface User {
  readonly sub: string;
  enabled: boolean;
  password: string | undefined;
}

const users = new Map<string, User>();
const contacts = new Map<
  string,
  { readonly patientId: string; readonly data: ContactData; readonly isRepresentative: boolean }
>();
/** Requests for codes by the pages. A test decides when they are carried out. */
const work: (() => Promise<void>)[] = [];
let services: ActivationServices;
let member = 0;
let id = '';

const accounts: ActivatedAccounts = {
  async ensure(username) {
    const known = users.get(username);
    const user = known ?? { sub: randomUUID(), enabled: true, password: undefined };
    users.set(username, user);
    const hasPassword = user.password !== undefined;
    return { kind: 'account', sub: user.sub, enabled: user.enabled, hasPassword };
  },
  async setPassword(username, password) {
    const user = users.get(username);
    if (user !== undefined) user.password = password;
  },
};

beforeEach(() => {
  member += 1;
  id = `M${member}00001`;
  work.length = 0;
  world.sent.length = 0;
  // A day later, so that the limits of the previous test do not count: all requests come from one address.
  world.nowMs += 86_400_000;
  const { table, server } = world;
  const links = createAccountLinks(table);
  services = {
    environment: 'sandbox',
    store: server.activations,
    contactOf: async (lob, memberId) => {
      const found = contacts.get(`${lob} ${memberId}`);
      if (found === undefined) return undefined;
      const { patientId, data, isRepresentative } = found;
      const reachable = { email: data.emails[0], phoneNumber: data.phones[0] };
      return { place: { lob, patientId, memberId }, isRepresentative, data, reachable };
    },
    messages: server.verification,
    accounts,
    links,
    sessionEpochOf: createSessionEpochs(table),
    isKnownPassword,
    audit: server.audit,
    digests: server.digests,
    random: server.random,
    now: server.now,
  };
  world.activation = {
    sendCode: async (request) => void work.push(() => sendActivationCode(services, request)),
    setPassword: (request) => setActivatedPassword(services, request),
  };
  world.patientsOf = async (lob, { sub }) => {
    const item = await table.get(memberKey(lob, sub));
    if (item === undefined) return [];
    const { patientId, memberId, displayName } = item as Record<string, string>;
    return [{ patientId, memberId, displayName, relationship: 'self' as const }] as never;
  };
});

const password = 'seven blue herons by the mill';
const own = { name: 'Ada Sampleton', birthDate: '1950-03-01', postalCodes: ['20001-1234'] } as const;

function load(
  memberId: string,
  changes: Partial<ContactData> = {},
  lob: LineOfBusiness = 'DSNP',
  isRepresentative = false,
) {
  const data = { ...own, emails: [], phones: [`+1202555${String(1_000 + member)}`], ...changes };
  contacts.set(`${lob} ${memberId}`, {
    patientId: `p-${lob}-${memberId}`,
    data,
    isRepresentative,
  });
  return data;
}

const typed = () => ({
  ...{ member_id: id, month: '3', day: '01', year: '1950', postal_code: '20001', channel: 'sms' },
});

interface Activating {
  readonly browser: PagesBrowser;
  readonly fields: Record<string, string>;
  readonly response: BrowserResponse;
}

async function begin(details: Record<string, string> = typed()): Promise<Activating> {
  const browser = world.browser();
  const fields = await browser.begin(world.clientId);
  const response = await browser.post('activation', { ...fields, ...details });
  return { browser, fields, response };
}

async function deliver() {
  for (const one of work.splice(0)) await one();
}

const lastCode = () => /\b\d{6}\b/.exec(world.sent.at(-1)?.text ?? '')?.[0] ?? '';

/**
 * Begins an activation and enters the right code.
 *
 * @returns the page where the password is chosen
 */
async function prove(details?: Record<string, string>): Promise<Activating> {
  const activating = await begin(details);
  await deliver();
  const { browser, fields } = activating;
  const response = await browser.post('activation-code', { ...fields, answer: 'check', code: lastCode() });
  return { ...activating, response };
}

const choose = ({ browser, fields }: Activating, text = password) =>
  browser.post('activation-password', { ...fields, password: text, again: text });

const pageOf = (response: BrowserResponse) => locationOf(response).pathname.split('/').at(-1);

describe('activation of an account', () => {
  it('leads from the sign-in page by a text message to consent', async () => {
    load(id);
    const browser = world.browser();
    const fields = await browser.begin(world.clientId);
    const signIn = htmlOf(await browser.get('sign-in', `interaction=${fields.interaction}`));
    expect(signIn).toContain(`/fhir-oauth2/sec/dsnp/activation?interaction=${fields.interaction}`);
    const page = htmlOf(await browser.get('activation', `interaction=${fields.interaction}`));
    expect(hiddenFields(page)).toEqual(fields);
    const proven = await prove({ ...typed(), member_id: ` ${id.toLowerCase()} ` });
    expect(world.sent).toHaveLength(1);
    expect(world.sent[0]).toMatchObject({ channel: 'sms' });
    expect(pageOf(proven.response)).toBe('activation-password');
    expect(pageOf(await choose(proven))).toBe('consent');
    expect(users.get(id)?.password).toBe(password);
    const consent = await proven.browser.get('consent', `interaction=${proven.fields.interaction}`);
    expect(htmlOf(consent)).toContain('Ada Sampleton');
    // Submitting the password form a second time changes nothing.
    expect(pageOf(await choose(proven, 'another long password here'))).toBe('sign-in');
    expect(users.get(id)?.password).toBe(password);
  });

  it.each([
    ['nobody has the member ID', { member_id: 'M999' }],
    ['the date of birth is another', { day: '2' }],
    ['the ZIP code is another', { postal_code: '20002' }],
  ])('answers the same where %s, and no code is right', async (_what, change) => {
    load(id);
    const right = await begin();
    const wrong = await begin({ ...typed(), ...change });
    await deliver();
    expect(world.sent).toHaveLength(1);
    const plain = ({ fields }: Activating, html: string) =>
      html.replaceAll(fields.interaction ?? '', '').replaceAll(fields.form_token ?? '', '');
    for (const code of ['000000', '', '12 34 56']) {
      const answers = await Promise.all(
        [right, wrong].map(async (one) => {
          const form = { ...one.fields, answer: 'check', code: lastCode() === code ? '111111' : code };
          const answer = await one.browser.post('activation-code', form);
          return [statusOf(answer), plain(one, htmlOf(answer))];
        }),
      );
      expect(answers[0]).toEqual(answers[1]);
    }
    const again = { ...wrong.fields, answer: 'check', code: lastCode() };
    expect(statusOf(await wrong.browser.post('activation-code', again))).toBe(400);
  });

  it('asks for what is missing, and counts nothing then', async () => {
    const browser = world.browser();
    const fields = await browser.begin(world.clientId);
    for (const change of [
      { member_id: ' ' },
      { month: '13' },
      { day: '31', month: '2' },
      { postal_code: '' },
    ]) {
      const answer = await browser.post('activation', { ...fields, ...typed(), ...change });
      expect(statusOf(answer)).toBe(400);
      expect(htmlOf(answer)).toContain('aria-invalid="true"');
    }
    expect(work).toEqual([]);
  });

  it('tells a member whom no code reaches nothing else than everybody', async () => {
    load(id, { phones: [], emails: [] });
    const { response } = await begin();
    await deliver();
    expect(pageOf(response)).toBe('activation-code');
    expect(world.sent).toEqual([]);
  });

  it('uses the channel there is, and a mailbox that members share', async () => {
    load(id, { phones: [], emails: ['both@example.org'] });
    const first = await prove();
    expect(world.sent.at(-1)).toMatchObject({ channel: 'email', to: 'both@example.org' });
    expect(pageOf(await choose(first))).toBe('consent');
    const other = id;
    id = `${id}B`;
    load(id, { phones: [], emails: ['both@example.org'], name: 'Bea Sampleton' });
    expect(pageOf(await choose(await prove()))).toBe('consent');
    expect(users.get(id)?.sub).not.toBe(users.get(other)?.sub);
  });

  it('sends another code after a minute, and the first is right no longer', async () => {
    load(id);
    const { browser, fields } = await begin();
    await deliver();
    const first = lastCode();
    const ask = () => browser.post('activation-code', { ...fields, answer: 'sms' });
    expect(statusOf(await ask())).toBe(400);
    world.nowMs += 61_000;
    expect(pageOf(await ask())).toBe('activation-code');
    await deliver();
    expect(world.sent).toHaveLength(2);
    const check = (code: string) => browser.post('activation-code', { ...fields, answer: 'check', code });
    if (first !== lastCode()) expect(statusOf(await check(first))).toBe(400);
    expect(pageOf(await check(lastCode()))).toBe('activation-password');
  });

  it('takes no code after ten minutes, and none after five wrong ones', async () => {
    load(id);
    const late = await begin();
    await deliver();
    world.nowMs += 601_000;
    const check = ({ browser, fields }: Activating, code: string) =>
      browser.post('activation-code', { ...fields, answer: 'check', code });
    expect(statusOf(await check(late, lastCode()))).toBe(400);
    const guessed = await begin();
    await deliver();
    const wrong = lastCode() === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries += 1) await check(guessed, wrong);
    expect(statusOf(await check(guessed, lastCode()))).toBe(400);
  });

  it('counts requests for one member ID whether there is such a member or not, and from one address', async () => {
    load(id);
    for (const memberId of [id, `${id}X`]) {
      for (let request = 0; request < 5; request += 1) {
        expect(statusOf((await begin({ ...typed(), member_id: memberId })).response)).toBe(303);
      }
      const refused = await begin({ ...typed(), member_id: memberId });
      expect(statusOf(refused.response)).toBe(429);
    }
    for (let request = 0; request < 18; request += 1) await begin({ ...typed(), member_id: `Y${request}` });
    expect(statusOf((await begin({ ...typed(), member_id: 'Z' })).response)).toBe(429);
  });

  it('takes no password that is short, known or mistyped', async () => {
    load(id);
    const proven = await prove();
    expect(statusOf(await choose(proven, 'short'))).toBe(400);
    expect(statusOf(await choose(proven, 'passwordpassword'))).toBe(400);
    const { browser, fields } = proven;
    const different = { ...fields, password, again: `${password}.` };
    expect(statusOf(await browser.post('activation-password', different))).toBe(400);
    expect(users.get(id)?.password).toBeUndefined();
    expect(pageOf(await choose(proven))).toBe('consent');
  });
});

describe('an account that exists', () => {
  it('gets a new password by the contact on file, and its owner is told', async () => {
    load(id, { emails: ['ada@example.org'] });
    await choose(await prove());
    const { sub } = users.get(id) ?? {};
    world.sent.length = 0;
    expect(pageOf(await choose(await prove(), 'a newer password of mine'))).toBe('consent');
    expect(users.get(id)).toMatchObject({ sub, password: 'a newer password of mine' });
    expect(world.sent.slice(1).map(({ channel }) => channel)).toEqual(['email', 'sms']);
  });

  it('is linked in a second LOB where the plan has the same person and contact', async () => {
    const { phones } = load(id);
    await choose(await prove());
    load(id, { phones }, 'MAPD');
    const request = await provenIn('MAPD', phones[0] ?? '');
    expect(await setActivatedPassword(services, request)).toEqual({
      kind: 'activated',
      sub: users.get(id)?.sub,
      sessionEpoch: 4,
    });
  });

  it.each([
    ['another birth date', { birthDate: '1980-01-01' }, undefined],
    ['another contact', {}, '+12025559999'],
  ])('is not taken over by who has its member ID in another LOB, with %s', async (_what, changes, phone) => {
    const { phones } = load(id);
    await choose(await prove());
    const to = phone ?? phones[0] ?? '';
    load(id, { ...changes, phones: [to] }, 'MAPD');
    const request = await provenIn('MAPD', to);
    expect(await setActivatedPassword(services, request)).toEqual({
      kind: 'refusal',
      refusal: 'not_possible',
    });
    expect(users.get(id)?.password).toBe(password);
    expect(await world.table.get(memberKey('MAPD', users.get(id)?.sub ?? ''))).toBeUndefined();
  });

  it('is not taken over where its link is not known, and stays disabled', async () => {
    load(id);
    users.set(id, { sub: randomUUID(), enabled: true, password: 'of somebody else' });
    expect(statusOf(await choose(await prove()))).toBe(403);
    users.set(id, { sub: randomUUID(), enabled: false, password: undefined });
    expect(statusOf(await choose(await prove()))).toBe(403);
    expect(users.get(id)?.password).toBeUndefined();
  });

  it('ends with the withdrawal of the member ID as the plan spells it, and not of who has it spelled as the user name', async () => {
    const planId = id.replace('M', 'm-');
    load(planId);
    await choose(await prove({ ...typed(), member_id: planId }));
    const { sub = '' } = users.get(id) ?? {};
    const { patientsOf } = createAccountAccess(world.table, () => world.nowMs);
    const withdraw = async (memberId: string) =>
      await world.table.put({
        ...memberIdKey('DSNP', memberId),
        ...{ patientId: `p-DSNP-${memberId}`, withdrawnAt: '2026-11-20T00:00:00Z' },
      });
    await withdraw(id);
    expect(await patientsOf('DSNP', { sub })).toEqual([
      { patientId: `p-DSNP-${planId}`, memberId: id, displayName: own.name, relationship: 'self' },
    ]);
    await withdraw(planId);
    expect(await patientsOf('DSNP', { sub })).toEqual([]);
  });

  it('of a representative who is no member is linked to them, and neither becomes the other’s by the identifier', async () => {
    load(id, {}, 'DSNP', true);
    await choose(await prove());
    const { sub = '' } = users.get(id) ?? {};
    expect(await world.table.get(representativeAccountKey('DSNP', sub))).toMatchObject({
      representativeId: id,
    });
    expect(await world.table.get(memberKey('DSNP', sub))).toBeUndefined();
    world.nowMs += 61_000;
    await choose(await prove(), 'a newer password of theirs');
    expect(users.get(id)).toMatchObject({ sub, password: 'a newer password of theirs' });
    // A member is loaded with the same identifier as the representative. The representative's code gives no access to the member.
    load(id, { phones: ['+12025556666'] });
    world.nowMs += 61_000;
    expect(statusOf(await choose(await prove(), 'the password of the member'))).toBe(403);
    expect(users.get(id)?.password).toBe('a newer password of theirs');
    // The representative's code gives no access either if the member is in another LOB with other contact data.
    load(id, { phones: ['+12025555555'] }, 'MAPD');
    const elsewhere = await provenIn('MAPD', '+12025555555');
    expect(await setActivatedPassword(services, elsewhere)).toMatchObject({ refusal: 'not_possible' });
    expect(await world.table.get(memberKey('MAPD', sub))).toBeUndefined();
  });

  it('is one, if two activations of a member end at once', async () => {
    load(id);
    const [one, two] = [await prove(), await prove()];
    const ended = await Promise.all([choose(one), choose(two, 'the other long password')]);
    expect(ended.map(pageOf)).toEqual(['consent', 'consent']);
    expect(await world.table.get(memberKey('DSNP', users.get(id)?.sub ?? ''))).toMatchObject({
      memberId: id,
    });
  });

  it('is one person’s, if two LOBs have the member ID for two people who end at once', async () => {
    load(id);
    const first = await prove();
    load(id, { birthDate: '1990-09-09', phones: ['+12025558888'] }, 'MAPD');
    const second = await provenIn('MAPD', '+12025558888');
    await Promise.all([choose(first), setActivatedPassword(services, second)]);
    const { sub = '' } = users.get(id) ?? {};
    const links = await Promise.all(
      (['DSNP', 'MAPD'] as const).map((lob) => world.table.get(memberKey(lob, sub))),
    );
    expect(links.filter((link) => link !== undefined)).toHaveLength(1);
  });

  it('is not made where the contact was changed or the member withdrawn since the code', async () => {
    load(id);
    const proven = await prove();
    load(id, { phones: ['+12025557777'] });
    expect(statusOf(await choose(proven))).toBe(403);
    contacts.delete(`DSNP ${id}`);
    expect(statusOf(await choose(proven))).toBe(403);
    expect(users.has(id)).toBe(false);
  });
});

/** An activation in another LOB whose code was right, and the request that sets its password. */
async function provenIn(lob: LineOfBusiness, to: string): Promise<PasswordRequest> {
  const [interactionId, requestId] = [randomUUID(), randomUUID()];
  const now = Math.floor(world.nowMs / 1000);
  const destinationSha256 = world.server.digests.sha256Hex(to);
  await world.server.activations.begin(lob, {
    ...{ interactionId, requestId, state: 'proven', memberId: id, requestedAt: now, expiresAt: now + 900 },
    tries: 0,
    proof: { mac: 'mac', patientId: `p-${lob}-${id}`, memberId: id, destinationSha256 },
  });
  const request = { requestId: 'request-2' };
  return {
    act: 'set-password',
    lob,
    interactionId,
    requestId,
    language: 'en',
    clientId: world.clientId,
    request,
    password,
  };
}
