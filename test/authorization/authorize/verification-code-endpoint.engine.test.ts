import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { theMember } from '../builders.ts';
import {
  htmlOf,
  locationOf,
  type PagesBrowser,
  type PagesWorld,
  startPagesWorld,
  statusOf,
} from '../pages-world.ts';

/**
 * Verification codes and their limits by time. Each test begins a day and an hour after the last one, so that no limit of that one counts.
 */

let world: PagesWorld;
beforeAll(async () => {
  world = await startPagesWorld();
});
beforeEach(() => {
  world.nowMs += 90_000_000;
  world.setting = 'always';
  world.postOpen = true;
  world.contact = { email: 'rosa@example.com', phoneNumber: '+12025550123' };
  world.sent.length = 0;
});
afterAll(async () => {
  await world.stop();
});

const credentials = { username: theMember.memberId, password: theMember.password };
const lastCode = () => /\d{6}/.exec(world.sent.at(-1)?.text ?? '')?.[0] ?? '';
const anotherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Signs in and opens the page that asks for the code. */
async function toCode(browser: PagesBrowser = world.browser()) {
  const fields = await browser.begin(world.clientId);
  const answer = await browser.post('sign-in', { ...fields, ...credentials });
  const type = (code: string) => browser.post('code', { ...fields, code, answer: 'check' });
  const again = (channel: 'email' | 'sms') => browser.post('code', { ...fields, answer: channel });
  return { browser, fields, answer, type, again };
}

const events = async () =>
  (await world.table.query({ pk: `AUDIT#DSNP#PATIENT#${theMember.patientId}` })).items.map(
    ({ action, outcome, reason }) => [action, outcome, reason],
  );

describe('a code', () => {
  it('is sent after the right password, and opens the consent page', async () => {
    const { answer, type } = await toCode();
    expect(locationOf(answer).pathname).toBe('/fhir-oauth2/sec/dsnp/code');
    expect(world.sent).toMatchObject([{ channel: 'email', to: 'rosa@example.com' }]);
    world.nowMs += 1_000;
    expect(locationOf(await type(lastCode())).pathname).toBe('/fhir-oauth2/sec/dsnp/consent');
    expect((await events()).slice(-2)).toEqual([
      ['member.sign-in', 'refused', 'code_asked'],
      ['member.sign-in', 'succeeded', undefined],
    ]);
  });

  it('is when the member signs in, and where an SSO session begins', async () => {
    const browser = world.browser();
    const fields = await browser.begin(world.clientId);
    await browser.post('sign-in', { ...fields, ...credentials, keep: 'yes' });
    expect(browser.cookies.has('__Host-member-sign-in-dsnp')).toBe(false);
    world.nowMs += 120_000;
    await browser.post('code', { ...fields, code: lastCode(), answer: 'check' });
    const authTime = Math.floor(world.nowMs / 1000);
    const { digests, ssoSessions, store } = world.server;
    const secretOf = (name: string) => browser.cookies.get(name) ?? '';
    const interactionId = digests.sha256Hex(secretOf(`__Host-interaction-${fields.interaction}`));
    const ssoSessionId = digests.sha256Hex(secretOf('__Host-member-sign-in-dsnp'));
    expect(await store.interaction('DSNP', interactionId)).toMatchObject({ authTime, ssoSessionId });
    const expiresAt = authTime + 900;
    expect(await ssoSessions.find('DSNP', ssoSessionId)).toMatchObject({
      state: 'open',
      authTime,
      expiresAt,
    });
    expect((await events()).at(-1)).toEqual(['member.sign-in', 'succeeded', 'kept']);
  });

  it('is not in the table, nor is its destination', async () => {
    const { browser, fields } = await toCode();
    const [cookie] = [...browser.cookies].filter(([name]) => name.includes(fields.interaction ?? ''));
    const id = world.server.digests.sha256Hex(cookie?.[1] ?? '');
    const stored = JSON.stringify(await world.server.store.interaction('DSNP', id));
    expect(stored).toContain('verifying');
    expect(stored).not.toContain(lastCode());
    expect(stored).not.toContain('rosa@example.com');
  });

  it.each([
    [599, 303],
    [600, 400],
    [601, 400],
  ])('typed after %i seconds is answered with %i', async (seconds, status) => {
    const { type } = await toCode();
    world.nowMs += seconds * 1_000;
    expect(statusOf(await type(lastCode()))).toBe(status);
  });

  it('opens nothing before it is typed', async () => {
    const { browser, fields } = await toCode();
    const query = `interaction=${fields.interaction}`;
    expect(locationOf(await browser.get('consent', query)).pathname).toBe('/fhir-oauth2/sec/dsnp/code');
    const shared = await browser.post('consent', { ...fields, answer: 'share' });
    expect(statusOf(shared)).toBe(400);
    const again = await browser.post('sign-in', { ...fields, ...credentials });
    expect(locationOf(again).pathname).toBe('/fhir-oauth2/sec/dsnp/code');
    expect(world.sent).toHaveLength(1);
  });

  it('can be tried five times, and then not even the right one helps', async () => {
    const { type } = await toCode();
    const code = lastCode();
    for (let tries = 0; tries < 5; tries += 1) {
      expect(htmlOf(await type(anotherThan(code)))).toContain('code is incorrect');
    }
    expect(htmlOf(await type(code))).toContain('no longer valid');
    expect((await events()).filter(([, , reason]) => reason === 'code_wrong')).toHaveLength(5);
  });

  it('tried a hundred times at once tells at most five of them whether it is right', async () => {
    const { type } = await toCode();
    const code = lastCode();
    const guesses = Array.from({ length: 100 }, (_, index) =>
      String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0'),
    );
    const answers = await Promise.all(guesses.map((guess) => type(guess)));
    const told = answers.filter((answer) => htmlOf(answer).includes('code is incorrect'));
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThanOrEqual(5);
  });

  it('typed right twice at once opens one page', async () => {
    const { type } = await toCode();
    const code = lastCode();
    const answers = await Promise.all(Array.from({ length: 10 }, () => type(code)));
    const before = await events();
    expect(answers.some((answer) => answer.kind === 'redirect')).toBe(true);
    expect(before.slice(-10).filter(([, outcome]) => outcome === 'succeeded')).toHaveLength(1);
  });

  it('of another sign-in is worth nothing', async () => {
    const one = await toCode();
    const code = lastCode();
    const two = await toCode();
    if (code !== lastCode()) expect(htmlOf(await two.type(code))).toContain('code is incorrect');
    expect(statusOf(await one.type(code))).toBe(303);
  });

  it('is sent again after a minute, by text where that is wished, and the one before is dead', async () => {
    const { type, again } = await toCode();
    const first = lastCode();
    world.nowMs += 59_000;
    expect(htmlOf(await again('sms'))).toContain('Wait a minute');
    world.nowMs += 1_000;
    expect(statusOf(await again('sms'))).toBe(303);
    expect(world.sent.at(-1)).toMatchObject({ channel: 'sms', to: '+12025550123' });
    if (first !== lastCode()) expect(htmlOf(await type(first))).toContain('code is incorrect');
    expect(statusOf(await type(lastCode()))).toBe(303);
  });

  it('is sent once for two wishes at once', async () => {
    const { again } = await toCode();
    world.nowMs += 60_000;
    await Promise.all([again('email'), again('email'), again('email')]);
    expect(world.sent).toHaveLength(2);
  });

  it('goes to one destination five times in an hour, whoever asks', async () => {
    // The first second of an hour, so that the whole test is within one hour.
    world.nowMs = Math.ceil(world.nowMs / 3_600_000) * 3_600_000;
    for (let sent = 0; sent < 5; sent += 1) {
      await toCode();
      world.nowMs += 10_000;
    }
    const { answer } = await toCode();
    expect(answer).toMatchObject({ status: 429, retryAfterSeconds: 3_550 });
    expect(world.sent).toHaveLength(5);
    world.nowMs += 3_600_000;
    expect(statusOf((await toCode()).answer)).toBe(303);
  });

  it('that can’t be sent leaves the sign-in where it is', async () => {
    world.postOpen = false;
    expect((await toCode()).answer).toMatchObject({ status: 503 });
    world.postOpen = true;
    world.contact = {};
    expect((await toCode()).answer).toMatchObject({ status: 503 });
    expect(world.sent).toEqual([]);
  });
});

describe('at a risk', () => {
  async function failing(browser: PagesBrowser, failures: number) {
    const fields = await browser.begin(world.clientId);
    for (let count = 0; count < failures; count += 1) {
      await browser.post('sign-in', { ...fields, ...credentials, password: 'wrong' });
    }
    return await browser.post('sign-in', { ...fields, ...credentials });
  }

  it('only a sign-in after three failures asks for a code, and leaving it does not help', async () => {
    world.setting = 'risk';
    expect(locationOf(await failing(world.browser(), 2)).pathname).toMatch(/consent$/);
    expect(locationOf(await failing(world.browser(), 3)).pathname).toMatch(/code$/);
    world.nowMs += 10_000;
    expect(locationOf(await failing(world.browser(), 0)).pathname).toMatch(/code$/);
    expect(world.sent).toHaveLength(2);
  });

  it('a browser that once had a code right is believed, for this account', async () => {
    const { browser, type } = await toCode();
    await type(lastCode());
    world.setting = 'risk';
    expect(locationOf(await failing(world.browser(new Map(browser.cookies)), 3)).pathname).toMatch(
      /consent$/,
    );
    const stolen = new Map([['__Host-member-browser-dsnp', 'A'.repeat(43)]]);
    expect(locationOf(await failing(world.browser(stolen), 3)).pathname).toMatch(/code$/);
  });
});

describe('the code of an account', () => {
  it('is typed ten times an hour for an account, however many were sent and wherever', async () => {
    const statuses: number[] = [];
    let last = await toCode();
    for (let tries = 0; tries < 11; tries += 1) {
      if (tries === 5) last = await toCode();
      if (tries === 10) last = await toCode();
      const code = tries === 10 ? lastCode() : anotherThan(lastCode());
      statuses.push(statusOf(await last.type(code)));
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
    world.nowMs += 3_600_000;
    expect(statusOf(await (await toCode()).type(lastCode()))).toBe(303);
  });
});
