import { describe, expect, it } from 'vitest';
import { messagePage } from '../../../lambdas/authorization/pages/message-page.ts';
import { aClient, theMember } from '../builders.ts';
import { type MemoryPages, member, memoryBrowser, memoryPages, password } from '../memory-pages.ts';
import { startMs } from '../memory-server.ts';

/** The pages of a member's connected apps, over a store in memory. */

const start = startMs / 1000;
const address = 'https://auth.sandbox.example.org/fhir-oauth2/sec/dsnp';

async function visit(changes: Partial<MemoryPages> = {}) {
  const client = aClient();
  const grant = {
    grantId: 'grant-1',
    sub: theMember.sub,
    clientId: client.clientId,
    scope: 'patient/Patient.rs',
  };
  const pages = Object.assign(memoryPages(client), {
    liveGrants: [
      { ...grant, createdAt: start - 500, expiresAt: start + 500 },
      { ...grant, grantId: 'grant-2', clientId: 'another', createdAt: start, expiresAt: start + 9 },
    ],
    ...changes,
  });
  const browser = memoryBrowser(pages);
  const first = await browser.get('connected-apps');
  const signedIn = await browser.submit('sign-in', password);
  return { client, pages, browser, first, signedIn };
}

describe('the connected apps', () => {
  it('ask for a sign-in, and begin a session of a quarter of an hour', async () => {
    const { pages, first, signedIn, browser } = await visit();
    expect(first).toMatchObject({ status: 200 });
    expect(first).not.toHaveProperty('formAction');
    expect(first.setCookies?.join()).toContain('Max-Age=900');
    expect(signedIn).toMatchObject({ location: `${address}/connected-apps` });
    expect(signedIn.setCookies?.[0]).toMatch(
      /^__Host-member-session-dsnp=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=900$/,
    );
    expect(signedIn.setCookies?.[1]).toContain('Max-Age=0');
    expect([...pages.sessions.values()]).toMatchObject([{ member, expiresAt: start + 900 }]);
    expect(pages.events).toMatchObject([{ outcome: 'succeeded', clientId: 'connected-apps' }]);
    expect(await browser.get('connected-apps')).toMatchObject({
      status: 200,
      html: expect.stringContaining('Steps Health'),
    });
    pages.nowMs = startMs + 900_000;
    expect(await browser.get('connected-apps')).toMatchObject({ html: expect.stringContaining('password') });
  });

  it('ask before they stop, say how to share again, and lead to the list where nothing is shared', async () => {
    const { client, pages, browser } = await visit();
    const asked = await browser.get('connected-apps', { stop: client.clientId });
    expect(asked).toMatchObject({
      status: 200,
      html: expect.stringContaining('You can share again at any time'),
    });
    expect(pages.liveGrants).toHaveLength(2);
    const stopped = await browser.submit('connected-apps', { answer: 'stop' });
    expect(await browser.follow(stopped)).toMatchObject({
      html: expect.stringContaining('Steps Health and choose to get data from your health plan'),
    });
    for (const stop of [client.clientId, 'unknown'])
      expect(await browser.get('connected-apps', { stop })).toEqual({
        kind: 'redirect',
        location: `${address}/connected-apps`,
      });
  });

  it('stop one app and no other, with one event', async () => {
    const { client, pages, browser } = await visit();
    await browser.get('connected-apps');
    pages.events.length = 0;
    const answer = await browser.submit('connected-apps', { answer: 'stop', app: client.clientId });
    expect(answer).toEqual({
      kind: 'redirect',
      location: `${address}/connected-apps?stopped=${client.clientId}`,
    });
    expect(pages.liveGrants.map(({ grantId }) => grantId)).toEqual(['grant-2']);
    const about = { clientId: client.clientId, grantId: 'grant-1', patientId: theMember.patientId };
    const event = { action: 'grant.revoke', outcome: 'succeeded', reason: 'member_stopped', ...about };
    expect(pages.events).toMatchObject([{ ...event, actor: theMember.sub }]);
    expect(await browser.follow(answer)).toMatchObject({ html: expect.stringContaining('Steps Health') });
  });

  it('lead to where a sign-in begins at an app, with our issuer, if the app registered it and may ask', async () => {
    const { client, pages, browser } = await visit();
    const login = 'https://app.example.com/login?lang=en';
    const link = `${login}&amp;iss=https%3A%2F%2Fauth.sandbox.example.org%2Ffhir-oauth2%2Fdsnp`;
    const shown = async (changes: Partial<typeof client>) => {
      pages.clientsById.set(client.clientId, { ...client, ...changes });
      const answer = await browser.get('connected-apps');
      return answer.kind === 'page' && answer.html.includes(link);
    };
    expect(await shown({ initiateLoginUri: login })).toBe(true);
    expect(await shown({ initiateLoginUri: login, state: 'suspended' })).toBe(false);
    expect(await shown({})).toBe(false);
  });

  it('end with signing out', async () => {
    const { pages, browser } = await visit();
    await browser.get('connected-apps');
    const answer = await browser.submit('connected-apps', { answer: 'sign-out' });
    expect(answer).toMatchObject({ location: `${address}/connected-apps` });
    expect(answer.setCookies?.join()).toContain('__Host-member-session-dsnp=; Path=/;');
    expect(pages.sessions.size).toBe(0);
    expect(await browser.submit('connected-apps', { answer: 'sign-out' })).toEqual(
      messagePage(400, 'session_over', 'en'),
    );
  });

  it.each([
    ['of another site', {}, { fetchSite: 'cross-site' }, 403, 'form_foreign'],
    ['with another token', { form_token: 'x' }, {}, 403, 'form_foreign'],
    ['without token', { form_token: undefined }, {}, 403, 'form_foreign'],
    ['without answer', { answer: undefined }, {}, 400, 'answer_missing'],
    ['without app', { app: undefined }, {}, 400, 'answer_missing'],
  ] as const)('take no form %s', async (_what, changes, call, status, reason) => {
    const { client, pages, browser } = await visit();
    await browser.get('connected-apps');
    const form = { answer: 'stop', app: client.clientId, ...changes };
    expect(await browser.submit('connected-apps', form, call)).toEqual(messagePage(status, reason, 'en'));
    expect(pages.liveGrants).toHaveLength(2);
  });

  it('show what one app read, from where the page before ended', async () => {
    const { client, pages, browser } = await visit();
    const asked: unknown[] = [];
    const { grants } = pages.server;
    const accesses = async (...call: readonly unknown[]) => {
      asked.push(call[2]);
      return { accesses: [{ clientId: 'c', time: startMs, resourceType: 'Patient' }], next: undefined };
    };
    pages.server = { ...pages.server, grants: { ...grants, accesses } };
    const cursor = '2026-01-01T00:00:00.000Z#00000000-0000-4000-8000-000000000000';
    for (const after of [undefined, cursor, 'x', `${cursor}x`]) {
      const answer = await browser.get('connected-apps', { app: client.clientId, after });
      expect(answer).toMatchObject({ status: 200, html: expect.stringContaining('Your details') });
    }
    expect(asked).toEqual([undefined, cursor, undefined, undefined]);
  });

  it('show a search as one line of plain words, its kinds of data one below the other', async () => {
    const { client, pages, browser } = await visit();
    const at = { clientId: client.clientId, time: startMs };
    const search = { ...at, resourceType: 'ExplanationOfBenefit' };
    const accesses = [
      {
        ...search,
        found: new Map([
          ['ExplanationOfBenefit', 20],
          ['Practitioner', 3],
          ['Patient', 1],
          ['Unheard', 2],
        ]),
      },
      { ...search, found: new Map() },
      { ...at, resourceType: 'Coverage', found: new Map([['Coverage', 1]]) },
      { ...at, resourceType: 'Coverage' },
      { ...at, resourceType: 'Unheard' },
    ];
    const { grants } = pages.server;
    const given = async () => ({ accesses, next: undefined });
    pages.server = { ...pages.server, grants: { ...grants, accesses: given } };
    const shown = async (language: string) => {
      const answer = await browser.get('connected-apps', { app: client.clientId, language });
      const html = answer.kind === 'page' ? answer.html : '';
      return [...html.matchAll(/<\/td><td>(.*?)<\/td><\/tr>/g)].map(([, cell]) => cell);
    };
    expect(await shown('en')).toEqual([
      'Your claims: 23 records<br>Your details: 1 record<br>Unheard: 2 records',
      'Your claims: no records',
      'Your coverage: 1 record',
      'Your coverage',
      'Unheard',
    ]);
    expect((await shown('es')).slice(0, 3)).toEqual([
      'Sus reclamaciones: 23 registros<br>Sus datos personales: 1 registro<br>Unheard: 2 registros',
      'Sus reclamaciones: ningún registro',
      'Su cobertura: 1 registro',
    ]);
  });

  it('show each app once, the newest first, with all its grants together', async () => {
    const [older, newer] = [aClient({ clientName: 'Older' }), aClient({ clientName: 'Newer' })];
    const asked: unknown[] = [];
    const day = 86_400;
    const grant = { grantId: 'g', sub: theMember.sub, scope: 'patient/Patient.rs', expiresAt: start + day };
    const { pages, browser } = await visit({
      clientsById: new Map([older, newer].map((client) => [client.clientId, client])),
      liveGrants: [
        { ...grant, clientId: older.clientId, createdAt: start - 40 * day },
        { ...grant, clientId: newer.clientId, createdAt: start - 10 * day },
        { ...grant, clientId: older.clientId, createdAt: start - 2 * day, expiresAt: start + 60 * day },
      ],
    });
    const { grants } = pages.server;
    pages.server = {
      ...pages.server,
      grants: {
        ...grants,
        live: async (...call) => {
          asked.push(call[2]);
          return await grants.live(...call);
        },
        lastAccesses: async (_lob, _patientId, clientIds, since) => {
          asked.push(clientIds, since);
          return { last: new Map([[newer.clientId, startMs - 5 * day * 1_000]]), lookedBackTo: since };
        },
      },
    };
    const answer = await browser.get('connected-apps');
    const html = answer.kind === 'page' ? answer.html : '';
    expect(asked).toEqual([start, [older.clientId, newer.clientId], (start - 40 * day) * 1_000]);
    const [, first = '', second = ''] = html.split('<section');
    expect(html.split('<section')).toHaveLength(3);
    expect(first).toContain('<h3>Newer');
    expect(second).toContain('<h3>Older');
    const told = (card: string) => [...card.matchAll(/<dd>([^<]*)<\/dd>/g)].map(([, text]) => text);
    // The test's clock is at November 20, 2026.
    expect(told(first)).toEqual([
      'Your details',
      'November 10, 2026',
      expect.stringMatching(/^Nov 15, 2026/),
      expect.stringMatching(/^Nov 21, 2026/),
    ]);
    expect(told(second)).toEqual([
      'Your details',
      'October 11, 2026',
      expect.not.stringMatching(/2026/),
      expect.stringMatching(/^Jan 19, 2027/),
    ]);
  });

  it('say how far back they looked for an app that was not found by then', async () => {
    const client = aClient({ clientName: 'Quiet' });
    const day = 86_400;
    const grant = { grantId: 'g', sub: theMember.sub, scope: 'patient/Patient.rs', expiresAt: start + day };
    const { pages, browser } = await visit({
      clientsById: new Map([[client.clientId, client]]),
      liveGrants: [{ ...grant, clientId: client.clientId, createdAt: start - 10 * day }],
    });
    const lastAccesses = async () => ({ last: new Map(), lookedBackTo: startMs - 2 * day * 1_000 });
    pages.server = { ...pages.server, grants: { ...pages.server.grants, lastAccesses } };
    const english = await browser.get('connected-apps');
    expect(english.kind === 'page' && english.html).toMatch(/<dd>Not viewed since Nov 18, 2026/);
    const spanish = await browser.get('connected-apps', { language: 'es' });
    expect(spanish.kind === 'page' && spanish.html).toMatch(/<dd>Ninguna consulta desde el 18 nov 2026/);
  });

  it('ask nothing of the audit where nothing is shared', async () => {
    const { pages, browser } = await visit({ liveGrants: [] });
    const lastAccesses = async (): Promise<never> => {
      throw new Error('asked for the last access of no app');
    };
    pages.server = { ...pages.server, grants: { ...pages.server.grants, lastAccesses } };
    expect(await browser.get('connected-apps')).toMatchObject({ status: 200 });
  });

  it('name only an app that is known, and read no longer id than one may be', async () => {
    const id = 'c'.repeat(64);
    const known = aClient({ clientId: id, clientName: 'Of the longest id' });
    const { pages, browser } = await visit();
    pages.clientsById.set(id, known);
    pages.clientsById.set(`${id}c`, known);
    const named = async (app: string) => {
      const answer = await browser.get('connected-apps', { app });
      return answer.kind === 'page' && answer.html.includes('Of the longest id');
    };
    expect(await named(id)).toBe(true);
    expect(await named(`${id}c`)).toBe(false);
    expect(await named('nobody')).toBe(false);
  });
});

describe('an account that represents somebody', () => {
  const child = {
    ...{ patientId: 'patient-child', displayName: 'Ada Ejemplo', birthYear: '2016' },
    representative: { representativeId: 'DSNP0001', name: theMember.displayName, role: 'MTH' as const },
  };
  const start = Math.floor(startMs / 1000);
  const grantOf = (clientId: string, sub: string) => ({
    ...{ grantId: `g-${sub}`, clientId, sub, scope: 'patient/Patient.rs' },
    ...{ createdAt: start - 60, expiresAt: start + 60 },
  });

  it('sees what it shared for the other, ends that alone, and the record names both', async () => {
    const client = aClient({ clientName: 'Growth' });
    const { pages, browser } = await visit({
      clientsById: new Map([[client.clientId, client]]),
      patients: [child],
      liveGrants: [grantOf(client.clientId, theMember.sub), grantOf(client.clientId, 'another')],
    });
    const page = await browser.get('connected-apps');
    expect(page.kind === 'page' && page.html).toMatch(/Whose data<\/dt><dd>Ada Ejemplo/);
    expect(page.kind === 'page' && page.html).toContain(`signed in as ${theMember.displayName}`);
    pages.events.length = 0;
    await browser.submit('connected-apps', {
      answer: 'stop',
      app: client.clientId,
      patient: 'patient-child',
    });
    expect(pages.liveGrants.map(({ sub }) => sub)).toEqual(['another']);
    const about = { actor: theMember.sub, patientId: 'patient-child', representativeId: 'DSNP0001' };
    expect(pages.events).toMatchObject([{ action: 'grant.revoke', ...about }]);
  });

  it('ends nothing for a patient it doesn’t represent, and sees nothing once it represents nobody', async () => {
    const client = aClient();
    const { pages, browser } = await visit({
      clientsById: new Map([[client.clientId, client]]),
      patients: [child],
      liveGrants: [grantOf(client.clientId, theMember.sub)],
    });
    await browser.get('connected-apps');
    const form = { answer: 'stop', app: client.clientId, patient: 'patient-of-a-stranger' };
    expect(await browser.submit('connected-apps', form)).toMatchObject({ kind: 'page', status: 400 });
    expect(pages.liveGrants).toHaveLength(1);
    pages.patients = [];
    const page = await browser.get('connected-apps');
    expect(page.kind === 'page' && page.html).toContain('password');
  });

  it('is named to the member, who ends what it shared', async () => {
    const client = aClient();
    const { representative } = child;
    const { pages, browser } = await visit({
      clientsById: new Map([[client.clientId, client]]),
      liveGrants: [{ ...grantOf(client.clientId, 'their-parent'), representative }],
    });
    const page = await browser.get('connected-apps');
    expect(page.kind === 'page' && page.html).toMatch(/Shared by<\/dt><dd>Rosa Ejemplo, your parent/);
    await browser.submit('connected-apps', { answer: 'stop', app: client.clientId });
    expect(pages.liveGrants).toEqual([]);
  });
});
