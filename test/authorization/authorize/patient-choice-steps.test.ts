import { describe, expect, it } from 'vitest';
import type { BrowserResponse } from '../../../lambdas/authorization/authorize/browser-request.ts';
import type { AccessiblePatient } from '../../../lambdas/authorization/oauth/member-account.ts';
import { english } from '../../../lambdas/authorization/pages/words/english.ts';
import { aClient, theMember } from '../builders.ts';
import { asked, memoryPages, only, openSignIn, password } from '../memory-pages.ts';

const self: AccessiblePatient = { patientId: theMember.patientId, displayName: theMember.displayName };
const child: AccessiblePatient = {
  patientId: 'patient-child',
  displayName: 'Ada Ejemplo',
  birthYear: '2016',
  representative: { representativeId: 'DSNP0001', name: theMember.displayName, role: 'MTH' },
};

const htmlOf = (answer: BrowserResponse) => (answer.kind === 'page' ? answer.html : '');
const locationOf = (answer: BrowserResponse) => (answer.kind === 'redirect' ? answer.location : '');

/** Signs in and opens the page with the choice between two patients. */
async function choosing(changes: { readonly keep?: 'yes'; readonly code?: boolean } = {}) {
  const client = aClient();
  const pages = memoryPages(client);
  pages.patients = [self, child];
  if (changes.code === true) pages.setting = 'always';
  const { browser } = await openSignIn(pages, client);
  const { keep } = changes;
  let answer = await browser.submit('sign-in', { ...password, ...(keep !== undefined && { keep }) });
  if (changes.code === true) {
    await browser.follow(answer);
    const code = /\d{6}/.exec(pages.messages[0]?.text ?? '')?.[0] ?? '';
    answer = await browser.submit('code', { code });
  }
  const page = await browser.follow(answer);
  return { client, pages, browser, answer, page };
}

describe('an account with several patients', () => {
  it('chooses one between sign-in and consent, and no patient is in the record before', async () => {
    const { pages, page } = await choosing();
    expect(htmlOf(page)).toContain(english.patient.title);
    expect(htmlOf(page)).toContain(`${theMember.displayName} (you)`);
    expect(htmlOf(page)).not.toContain(' checked');
    const [signedIn] = pages.events.slice(-1);
    expect(signedIn).toMatchObject({ action: 'member.sign-in', actor: theMember.sub, outcome: 'succeeded' });
    expect(signedIn).not.toHaveProperty('patientId');
    expect(only(pages.interactions.values())).not.toHaveProperty('member');
  });

  it('names both on the consent page, and shares the data of the one chosen', async () => {
    const { pages, browser } = await choosing();
    pages.events.length = 0;
    const consent = await browser.follow(await browser.submit('patient', { patient: child.patientId }));
    expect(htmlOf(consent)).toContain('You are sharing Ada Ejemplo’s data as their parent.');
    expect(htmlOf(consent)).toContain(`signed in as ${theMember.displayName}`);
    await browser.submit('consent', { answer: 'share' });
    const about = { actor: theMember.sub, patientId: child.patientId, representativeId: 'DSNP0001' };
    expect(pages.events).toMatchObject([
      { action: 'patient.choose', outcome: 'succeeded', ...about },
      { action: 'grant.create', outcome: 'succeeded', ...about },
    ]);
    expect(only(pages.grants)).toMatchObject({
      ...{ sub: theMember.sub, patientId: child.patientId },
      representative: child.representative,
    });
    expect(only(pages.codes)).toMatchObject({
      patientId: child.patientId,
      representedBy: { representativeId: 'DSNP0001' },
    });
  });

  it('shares its own data as if it had no other patient', async () => {
    const { pages, browser } = await choosing();
    const consent = await browser.follow(await browser.submit('patient', { patient: self.patientId }));
    expect(htmlOf(consent)).not.toContain('as their');
    await browser.submit('consent', { answer: 'share' });
    expect(only(pages.grants)).not.toHaveProperty('representative');
    expect(pages.events.at(-1)).not.toHaveProperty('representativeId');
  });

  it('is asked after the verification code too', async () => {
    const { pages, page } = await choosing({ code: true });
    expect(htmlOf(page)).toContain(english.patient.title);
    expect(only(pages.interactions.values())).toMatchObject({ state: 'choosing' });
  });

  it('reaches nobody else by a form that names another, nor one that it may no longer share', async () => {
    const { pages, browser } = await choosing();
    pages.patients = [self];
    pages.events.length = 0;
    for (const patient of ['patient-of-a-stranger', child.patientId]) {
      const answer = await browser.submit('patient', { patient });
      expect(answer).toMatchObject({ kind: 'page', status: 400 });
      expect(htmlOf(answer)).toContain(english.patient.noLonger);
    }
    expect(only(pages.interactions.values())).toMatchObject({ state: 'choosing' });
    // Nothing is recorded for the other patient.
    expect(pages.events.map(({ outcome, patientId }) => [outcome, patientId])).toEqual([
      ['refused', undefined],
      ['refused', undefined],
    ]);
  });

  it('has to select somebody', async () => {
    const { browser } = await choosing();
    const answer = await browser.submit('patient', {});
    expect(answer).toMatchObject({ kind: 'page', status: 400 });
    expect(htmlOf(answer)).toContain(english.patient.missing);
  });

  it('chooses once: another tab’s choice leads to the consent page of the first', async () => {
    const { pages, browser } = await choosing();
    await browser.submit('patient', { patient: child.patientId });
    const late = await browser.submit('patient', { patient: self.patientId });
    expect(locationOf(late)).toContain('/consent?');
    expect(only(pages.interactions.values()).member?.patientId).toBe(child.patientId);
  });

  it('gets a page where it may share nothing by then', async () => {
    const { pages, browser } = await choosing();
    pages.patients = [];
    const answer = await browser.submit('patient', { patient: child.patientId });
    expect(answer).toMatchObject({ kind: 'page', status: 403 });
  });

  it('can consent to nothing before it chose', async () => {
    const { pages, browser } = await choosing();
    const answer = await browser.submit('consent', { answer: 'share' });
    expect(answer).toMatchObject({ kind: 'page', status: 400 });
    expect(pages.grants).toEqual([]);
  });
});

describe('an SSO session of an account with several patients', () => {
  it('opens with the choice, and lasts from the sign-in on', async () => {
    const { pages, browser } = await choosing({ keep: 'yes' });
    expect(pages.ssoSessions.size).toBe(0);
    pages.nowMs += 60_000;
    const answer = await browser.submit('patient', { patient: child.patientId });
    expect(answer.setCookies?.join()).toContain('__Host-');
    const session = only(pages.ssoSessions.values());
    expect(session.expiresAt - session.authTime).toBe(900);
    expect(session.authTime).toBe(Math.floor(pages.nowMs / 1000) - 60);
    expect(pages.events.at(-1)).toMatchObject({ action: 'patient.choose', reason: 'kept' });
  });

  it('asks again whose data is shared, and refuses prompt=none', async () => {
    const { client, pages, browser } = await choosing({ keep: 'yes' });
    await browser.submit('patient', { patient: child.patientId });
    await browser.submit('consent', { answer: 'share' });
    const again = await browser.send('GET', 'authorize', { query: asked(client) });
    expect(locationOf(again)).toContain('/patient?');
    expect(pages.events.at(-1)).not.toHaveProperty('patientId');
    const silent = await browser.send('GET', 'authorize', { query: asked(client, { prompt: 'none' }) });
    expect(new URL(locationOf(silent)).searchParams.get('error')).toBe('interaction_required');
    await browser.follow(again);
    const consent = await browser.follow(await browser.submit('patient', { patient: self.patientId }));
    expect(htmlOf(consent)).not.toContain('as their');
  });

  it('is of no use once its patient is no longer the account’s', async () => {
    const { client, pages, browser } = await choosing({ keep: 'yes' });
    await browser.submit('patient', { patient: child.patientId });
    pages.patients = [self];
    const answer = await browser.send('GET', 'authorize', { query: asked(client) });
    expect(htmlOf(answer)).toContain(english.signIn.title);
  });
});
