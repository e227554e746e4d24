import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { putAuditEvent } from '../../../lambdas/audit/store/audit-events-contract.ts';
import { grantKey } from '../../../lambdas/platform/table/table-keys.ts';
import { theMember } from '../builders.ts';
import { hiddenFields } from '../events.ts';
import {
  htmlOf,
  locationOf,
  type PagesBrowser,
  registerClient,
  startPagesWorld,
  statusOf,
} from '../pages-world.ts';

const world = await startPagesWorld();
afterAll(() => world.stop());
world.setting = 'never';

const { patientId, sub } = theMember;
let clientId: string;
beforeEach(async () => {
  // A day later, when sessions and grants of the previous test have expired.
  world.nowMs += 86_400_000;
  ({ clientId } = await registerClient(world, { clientName: 'Steps Health' }));
});

const iso = (ms = world.nowMs) => new Date(ms).toISOString();

async function share(changes: Record<string, unknown> = {}): Promise<string> {
  const grantId = randomUUID();
  const expiresAt = Math.floor(world.nowMs / 1000) + 1_800;
  const grant = { grantId, clientId, sub, patientId, scope: 'openid patient/Patient.read', state: 'active' };
  await world.table.put({
    ...grantKey('DSNP', patientId, grantId),
    ...{ ...grant, createdAt: iso(), expiresAt, ...changes },
  });
  return grantId;
}

async function audited(changes: Record<string, unknown> = {}, atMs = world.nowMs): Promise<string> {
  const eventId = randomUUID();
  await putAuditEvent(world.table, {
    eventId,
    time: iso(atMs),
    environment: 'sandbox',
    lob: 'DSNP',
    action: 'Patient.read',
    outcome: 'disclosed',
    actor: `client:${clientId}`,
    clientId,
    patientId,
    requestId: 'request-1',
    resource: `Patient/${patientId}`,
    ...changes,
  });
  return eventId;
}

const credentials = { username: theMember.memberId, password: theMember.password };

async function visit(browser: PagesBrowser = world.browser()): Promise<PagesBrowser> {
  const fields = hiddenFields(htmlOf(await browser.get('connected-apps')));
  const answer = await browser.post('sign-in', { ...fields, ...credentials });
  expect(locationOf(answer).pathname).toBe('/fhir-oauth2/sec/dsnp/connected-apps');
  return browser;
}

const page = async (browser: PagesBrowser, query = '') => htmlOf(await browser.get('connected-apps', query));

async function stop(browser: PagesBrowser, changes: Record<string, string> = {}) {
  const fields = hiddenFields(await page(browser));
  return await browser.post('connected-apps', { ...fields, app: clientId, answer: 'stop', ...changes });
}

const stateOf = async (grantId: string) =>
  (await world.table.get(grantKey('DSNP', patientId, grantId)))?.state;

describe('the connected apps', () => {
  it('ask for the sign-in first, and keep its secret in a cookie of the LOB', async () => {
    await share();
    const browser = world.browser();
    expect(await page(browser)).not.toContain('Steps Health');
    await visit(browser);
    expect(browser.cookies.get('__Host-member-session-dsnp')).toMatch(/^[\w-]{43}$/);
    expect(await page(browser)).toContain('Steps Health');
    expect(htmlOf(await browser.get('connected-apps', '', 'MAPD'))).toContain('Password');
  });

  it('end after fifteen minutes, whatever was done', async () => {
    await share();
    const browser = await visit();
    world.nowMs += 899_000;
    expect(await page(browser)).toContain('Steps Health');
    world.nowMs += 1_000;
    expect(await page(browser)).not.toContain('Steps Health');
    expect(await page(browser)).toContain('Password');
  });

  it('are those with a live grant: not the pending, the revoked, the expired', async () => {
    await share({ state: 'pending' });
    await share({ state: 'revoked' });
    await share({ expiresAt: Math.floor(world.nowMs / 1000) });
    expect(await page(await visit())).toContain('You are not sharing your data with any app.');
    await share({ expiresAt: Math.floor(world.nowMs / 1000) + 1 });
    expect(await page(await visit())).toContain('Steps Health');
  });

  it('tell the last time data was given out, and not of an answer that was taken back', async () => {
    await share();
    expect(await page(await visit())).toContain('Not yet');
    const refused = await audited({}, world.nowMs + 60_000);
    await audited({ outcome: 'refused', reason: 'not_found', corrects: refused }, world.nowMs + 60_001);
    // UserInfo tells who signed in, which is no access to the member's data.
    await audited({ action: 'userinfo.read', resource: undefined });
    expect(await page(await visit())).toContain('Not yet');
    await audited();
    await audited({ clientId: 'another' }, world.nowMs + 5_000);
    expect(await page(await visit())).toMatch(/Last viewed<\/dt><dd>[A-Z][a-z]+ \d+, \d{4}, \d+:\d\d/);
  });

  it('show what one app read, twenty a page, each once, the newest first', async () => {
    await share();
    for (let count = 0; count < 45; count += 1) await audited({}, world.nowMs + count * 60_000);
    await audited({ clientId: 'another' }, world.nowMs + 90_000);
    const browser = await visit();
    const pages: number[] = [];
    let query: string | undefined = `app=${clientId}`;
    const seen: string[] = [];
    while (query !== undefined) {
      const shown: string = await page(browser, query);
      const rows = [...shown.matchAll(/<tr><td>([^<]*)<\/td>/g)].map(([, when = '']) => when);
      pages.push(rows.length);
      seen.push(...rows);
      const next: string | undefined = /connected-apps\?(app=[^"]*after=[^"]*)"/.exec(shown)?.[1];
      query = next?.replaceAll('&amp;', '&');
    }
    expect(pages).toEqual([20, 20, 5]);
    const times = seen.map((when) => Date.parse(when));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(new Set(seen).size).toBe(45);
  });

  it('show a search once, whatever it gave, and also that it found nothing', async () => {
    await share({ scope: 'patient/ExplanationOfBenefit.rs' });
    expect(await page(await visit())).toContain('<dd>Your claims</dd>');
    const search = { action: 'ExplanationOfBenefit.search-type', resource: 'ExplanationOfBenefit' };
    const claims = Array.from({ length: 100 }, () => `ExplanationOfBenefit/${randomUUID()}`);
    await audited({ ...search, resources: [...claims, `Coverage/${randomUUID()}`] }, world.nowMs + 60_000);
    await audited({ ...search, resources: [] });
    const browser = await visit();
    const shown = await page(browser, `app=${clientId}`);
    expect([...shown.matchAll(/<\/td><td>(.*?)<\/td>/g)].map(([, cell]) => cell)).toEqual([
      'Your claims: 100 records<br>Your coverage: 1 record',
      'Your claims: no records',
    ]);
    expect(await page(browser)).toMatch(/Last viewed<\/dt><dd>[A-Z][a-z]+ \d+, \d{4}, \d+:\d\d/);
  });

  it('show nothing of another app or member for an id made up, and no markup of it', async () => {
    const browser = await visit();
    for (const app of ['nobody', '<script>', 'x'.repeat(5_000)]) {
      const shown = await page(browser, new URLSearchParams({ app, after: "'; drop" }).toString());
      expect(shown).toContain('There are no records to show');
      expect(shown).not.toContain('<script>');
    }
  });
});

describe('stopping an app', () => {
  it('ends all its grants with an event each, and no other’s', async () => {
    const own = [await share(), await share()];
    const other = await share({ clientId: 'another' });
    const browser = await visit();
    const answer = await stop(browser);
    expect(locationOf(answer).search).toBe(`?stopped=${clientId}`);
    expect(await Promise.all(own.map(stateOf))).toEqual(['revoked', 'revoked']);
    expect(await stateOf(other)).toBe('active');
    const { items } = await world.table.query({ pk: `AUDIT#DSNP#PATIENT#${patientId}` });
    const revoked = items.filter(({ grantId }) => own.includes(String(grantId)));
    expect(revoked.map(({ action, outcome, actor, reason }) => [action, outcome, actor, reason])).toEqual(
      own.map(() => ['grant.revoke', 'succeeded', sub, 'member_stopped']),
    );
    expect(await page(browser, `stopped=${clientId}`)).toContain('Steps Health can no longer see your data');
  });

  it('thirty times at once is on record once', async () => {
    const grantId = await share();
    const browser = await visit();
    const form = { ...hiddenFields(await page(browser)), app: clientId, answer: 'stop' };
    const presses = Array.from({ length: 30 }, () => browser.post('connected-apps', form));
    const answers = await Promise.allSettled(presses);
    // Some requests may fail because the store is busy with the others; the grant is revoked all the same.
    const statuses = answers.flatMap((each) => (each.status === 'fulfilled' ? statusOf(each.value) : []));
    expect(new Set(statuses)).toEqual(new Set([303]));
    expect(await stateOf(grantId)).toBe('revoked');
    const { items } = await world.table.query({ pk: `AUDIT#DSNP#PATIENT#${patientId}` });
    expect(items.filter((event) => event.grantId === grantId)).toHaveLength(1);
  });

  it('says so only of an app that is stopped', async () => {
    await share();
    expect(await page(await visit(), `stopped=${clientId}`)).not.toContain('can no longer see your data');
  });

  it.each<[string, Record<string, unknown> | undefined]>([
    ['never shared with', undefined],
    ['whose access ran out', { expiresAt: 1 }],
    ['that an operator ended', { state: 'revoked', endedBecause: 'member_asked' }],
  ])('does not say it of an app the member %s', async (_what, grant) => {
    if (grant !== undefined) await share(grant);
    expect(await page(await visit(), `stopped=${clientId}`)).not.toContain('can no longer see your data');
  });

  it('ends what a code issued a moment ago would bring', async () => {
    const [active, pending] = [await share(), await share({ state: 'pending' })];
    await stop(await visit());
    expect(await Promise.all([active, pending].map(stateOf))).toEqual(['revoked', 'revoked']);
  });

  it('needs the session, its form’s token and a page of ours', async () => {
    const grantId = await share();
    const [browser, other] = [await visit(), await visit()];
    const token = hiddenFields(await page(other)).form_token ?? '';
    expect(statusOf(await stop(browser, { form_token: token }))).toBe(403);
    expect(statusOf(await stop(browser, { form_token: '' }))).toBe(403);
    expect(statusOf(await stop(browser, { answer: 'else' }))).toBe(400);
    expect(statusOf(await stop(browser, { app: '' }))).toBe(400);
    expect(statusOf(await stop(world.browser()))).toBe(400);
    expect(await stateOf(grantId)).toBe('active');
  });

  it('is over with the sign-out, for a copy of the cookie too', async () => {
    const grantId = await share();
    const browser = await visit();
    const copy = world.browser(new Map(browser.cookies));
    const fields = hiddenFields(await page(browser));
    await browser.post('connected-apps', { ...fields, answer: 'sign-out' });
    expect(browser.cookies.has('__Host-member-session-dsnp')).toBe(false);
    expect(await page(copy)).toContain('Password');
    const answer = await copy.post('connected-apps', { ...fields, app: clientId, answer: 'stop' });
    expect(statusOf(answer)).toBe(400);
    expect(await stateOf(grantId)).toBe('active');
  });
});
