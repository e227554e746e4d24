import { describe, expect, it } from 'vitest';
import type { BrowserResponse } from '../../../lambdas/authorization/authorize/browser-request.ts';
import { messagePage } from '../../../lambdas/authorization/pages/message-page.ts';
import { english } from '../../../lambdas/authorization/pages/words/english.ts';
import { userInfo } from '../../../lambdas/authorization/token/userinfo-endpoint.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { aClient, sentence } from '../builders.ts';
import {
  type MemoryPages,
  memoryBrowser,
  memoryPages,
  openConsent,
  openSignIn,
  password,
} from '../memory-pages.ts';
import { memoryServer, startMs } from '../memory-server.ts';
import { type Changes, parametersOf } from '../refreshing.ts';

/** The pages' steps with unexpected requests: the text that the member reads, and that nothing is changed. */

async function verifying(changes: Partial<MemoryPages> = {}) {
  const client = aClient();
  const pages = Object.assign(memoryPages(client), { setting: 'always' as const, ...changes });
  const { browser } = await openSignIn(pages, client);
  const answer = await browser.submit('sign-in', password);
  const page = await browser.follow(answer);
  const code = /\d{6}/.exec(pages.messages[0]?.text ?? '')?.[0] ?? '';
  return { client, pages, browser, page, code, wrong: code === '000000' ? '000001' : '000000' };
}

const htmlOf = (answer: BrowserResponse) => (answer.kind === 'page' ? answer.html : '');

describe('the code page', () => {
  it('says where the code went, masked, and nothing is wrong yet', async () => {
    const { page } = await verifying();
    expect(htmlOf(page)).toContain('r•••@example.org');
    const { none, wrong, over, tooSoon, busy } = english.code;
    for (const text of [none, wrong, over, tooSoon, busy]) expect(htmlOf(page)).not.toContain(text);
  });

  it('says in its own words what is wrong with what was typed', async () => {
    const { pages, browser, code, wrong } = await verifying();
    const errors = english.code;
    expect(htmlOf(await browser.submit('code', { code: 'x' }))).toContain(errors.none);
    expect(htmlOf(await browser.submit('code', { code: wrong }))).toContain(errors.wrong);
    expect(htmlOf(await browser.submit('code', { answer: 'email' }))).toContain(errors.tooSoon);
    const { signIns } = pages.server;
    const lost = async () => false;
    pages.server = { ...pages.server, signIns: { ...signIns, wrongCode: lost, askCodeAgain: lost } };
    expect(htmlOf(await browser.submit('code', { code: wrong }))).toContain(errors.busy);
    pages.nowMs = startMs + 60_000;
    expect(htmlOf(await browser.submit('code', { answer: 'email' }))).toContain(errors.tooSoon);
    pages.nowMs = startMs + 600_000;
    expect(htmlOf(await browser.submit('code', { code }))).toContain(errors.over);
  });

  it('sends the code in a letter or in one line, as the way of it asks', async () => {
    const { pages, browser, code } = await verifying();
    expect(pages.messages[0]?.text).toBe(english.code.email(code, english.plans.DSNP));
    pages.nowMs = startMs + 60_000;
    await browser.submit('code', { answer: 'sms' });
    const again = /\d{6}/.exec(pages.messages[1]?.text ?? '')?.[0] ?? '';
    expect(pages.messages[1]?.text).toBe(english.code.textMessage(again, english.plans.DSNP));
  });

  it('is asked again at the first moment it may be, and not at one before', async () => {
    const { pages, browser } = await verifying();
    const asked: unknown[] = [];
    const { signIns } = pages.server;
    const askCodeAgain = async (step: { readonly notBefore: number }) => asked.push(step.notBefore) > 0;
    pages.server = { ...pages.server, signIns: { ...signIns, askCodeAgain } };
    pages.nowMs = startMs + 59_999;
    await browser.submit('code', { answer: 'email' });
    pages.nowMs = startMs + 61_000;
    await browser.submit('code', { answer: 'email' });
    expect(asked).toEqual([startMs / 1000 + 1]);
  });

  it('takes no form of another site, and shows nothing of another browser', async () => {
    const { browser, code } = await verifying();
    const foreign = messagePage(403, 'form_foreign', 'en');
    expect(await browser.submit('code', { code }, { fetchSite: 'cross-site' })).toEqual(foreign);
    const unknown = messagePage(400, 'interaction_unknown', 'en');
    expect(await browser.get('code', { interaction: 'AAAAAAAAAAA' })).toEqual(unknown);
  });

  it('is over where another tab was first', async () => {
    const client = aClient();
    const pages = Object.assign(memoryPages(client), { setting: 'always' as const });
    const { browser } = await openSignIn(pages, client);
    const { signIns } = pages.server;
    pages.server = { ...pages.server, signIns: { ...signIns, askCode: async () => false } };
    const expired = messagePage(400, 'interaction_expired', 'en');
    expect(await browser.submit('sign-in', password)).toEqual(expired);
    expect(pages.messages).toEqual([]);
  });

  it('leads to the connected apps too, and makes the browser known', async () => {
    const pages = Object.assign(memoryPages(), { setting: 'always' as const });
    const browser = memoryBrowser(pages);
    await browser.get('connected-apps');
    const page = await browser.follow(await browser.submit('sign-in', password));
    expect(page).toMatchObject({ status: 200 });
    expect(page).not.toHaveProperty('formAction');
    const code = /\d{6}/.exec(pages.messages[0]?.text ?? '')?.[0] ?? '';
    const answer = await browser.submit('code', { code });
    expect(answer.setCookies?.map((cookie) => cookie.split('=', 1)[0]?.replace(/-[\w-]{11}$/, ''))).toEqual([
      '__Host-member-session-dsnp',
      expect.stringMatching(/^__Host-member/),
      expect.stringMatching(/^__Host-interaction/),
    ]);
    expect(pages.browsers.size).toBe(1);
  });
});

describe('a member’s visit', () => {
  it('begins no session, and knows no browser, where another tab was first', async () => {
    const pages = memoryPages();
    const browser = memoryBrowser(pages);
    await browser.get('connected-apps');
    const { signIns } = pages.server;
    pages.server = { ...pages.server, signIns: { ...signIns, visit: async () => false } };
    const expired = messagePage(400, 'interaction_expired', 'en');
    expect(await browser.submit('sign-in', password)).toEqual(expired);
  });

  it('without a code makes no browser known, and has nothing to consent to', async () => {
    const pages = memoryPages();
    const browser = memoryBrowser(pages);
    await browser.get('connected-apps');
    const { interaction } = browser.fields();
    const unknown = messagePage(400, 'interaction_unknown', 'en');
    expect(await browser.get('consent', { interaction })).toEqual(unknown);
    expect(await browser.submit('consent', { answer: 'share' })).toEqual(unknown);
    await browser.submit('sign-in', password);
    expect(pages.browsers.size).toBe(0);
  });
});

describe('the consent page', () => {
  it('takes no form of another site', async () => {
    const client = aClient();
    const pages = memoryPages(client);
    const { browser } = await openConsent(pages, client);
    const answer = await browser.submit('consent', { answer: 'share' }, { fetchSite: 'cross-site' });
    expect(answer).toEqual(messagePage(403, 'form_foreign', 'en'));
    expect(pages.grants).toEqual([]);
  });

  it('is of no use once the interaction is gone from the store', async () => {
    const client = aClient();
    const pages = memoryPages(client);
    const { browser } = await openConsent(pages, client);
    pages.interactions.clear();
    const unknown = messagePage(400, 'interaction_unknown', 'en');
    expect(await browser.submit('consent', { answer: 'share' })).toEqual(unknown);
  });
});

describe('a cookie', () => {
  it('of a session is for our own pages only; no other text is looked up', async () => {
    const looked: string[] = [];
    const pages = memoryPages();
    const { signIns } = pages.server;
    const session = async (_lob: string, id: string) => void looked.push(id);
    pages.server = { ...pages.server, signIns: { ...signIns, session } };
    for (const secret of [undefined, '', 'x'.repeat(42), 's'.repeat(43)]) {
      const browser = memoryBrowser(pages);
      if (secret !== undefined) browser.cookies.set('__Host-member-session-dsnp', secret);
      await browser.get('connected-apps');
    }
    expect(looked).toEqual([digests.sha256Hex('s'.repeat(43))]);
  });
});

describe('a refusal of UserInfo', () => {
  it.each<[string | undefined, Changes]>([
    [undefined, {}],
    ['Bearer', {}],
    ['Bearer x', {}],
    ['Bearer x', { access_token: 'y' }],
    [undefined, { access_token: ['x', 'y'] }],
    ['x Bearer', {}],
  ])('of %s and %j says something to its developer', async (authorization, form) => {
    const server = { ...memoryServer(), rate: async () => ({ kind: 'allowed' }) as const };
    const context = { environment: 'sandbox', lob: 'DSNP', requestId: 'request-1' } as const;
    const answer = await userInfo(server, 'DSNP', { authorization, form: parametersOf(form), context });
    expect(answer.kind === 'refusal' && answer.refusal.description).toMatch(sentence);
    // The request names no valid token and so no patient, for whom it could be recorded.
    expect(server.events).toEqual([]);
  });
});
