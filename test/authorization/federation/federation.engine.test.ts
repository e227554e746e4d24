import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BrowserResponse } from '../../../lambdas/authorization/authorize/browser-request.ts';
import type { FederationServices } from '../../../lambdas/authorization/federation/federation-pages.ts';
import { createMemberLinks } from '../../../lambdas/authorization/store/member-links.ts';
import { federatedSubject } from '../../../lambdas/catalog/oauth/identity-providers.ts';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { memberIdKey, memberKey } from '../../../lambdas/platform/table/table-keys.ts';
import { type PlanProvider, planScope, startPlanProvider } from '../../support/plan-provider.ts';
import { type ScriptedProvider, startScriptedProvider } from '../../support/scripted-provider.ts';
import { signInAtProvider } from '../identity-provider/provider-visit.ts';
import { authorizationQuery } from '../journey.ts';
import {
  htmlOf,
  locationOf,
  origin,
  type PagesBrowser,
  type PagesWorld,
  startPagesWorld,
  statusOf,
} from '../pages-world.ts';
import { aProvider, federationOf, loadMember, visitFederation } from './federation-world.ts';

let world: PagesWorld;
beforeAll(async () => {
  world = await startPagesWorld();
});
afterAll(() => world.stop());
beforeEach(() => {
  world.nowMs = Date.now();
});

/**
 * Opens the authorization endpoint and follows it to the identity provider.
 *
 * @returns the address of the provider's page
 */
async function begin(services: FederationServices, browser: PagesBrowser, also = ''): Promise<URL> {
  const start = locationOf(await browser.get('authorize', `${authorizationQuery(world.clientId)}${also}`));
  expect(start.pathname).toBe('/fhir-oauth2/federation/dsnp/start');
  return locationOf(await visitFederation(services, browser.cookies, start));
}

/** The address to which a page that answers a form redirects by itself. */
function continuation(response: BrowserResponse): URL {
  const [, address = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(htmlOf(response)) ?? [];
  return new URL(address.replaceAll('&amp;', '&'), origin);
}

const subjectOf = (issuer: string, subject: string) =>
  federatedSubject({ issuer, subject }, digests.sha256Base64Url);

describe('two lines of business with a provider each, both oidc-provider', () => {
  const callbackOf = (lob: string) => `${origin}/fhir-oauth2/federation/${lob}/callback`;
  let plans: readonly [PlanProvider, PlanProvider];
  let services: FederationServices;
  beforeAll(async () => {
    const start = (lob: string, accounts: Record<string, string>) =>
      startPlanProvider({
        accounts,
        client: {
          ...{ client_id: 'member-data', client_secret: 'the-plan-s-secret' },
          ...{ redirect_uris: [callbackOf(lob)], scope: `openid ${planScope}` },
        },
      });
    plans = [
      await start('dsnp', { rosa: 'DSNP0001', nobody: 'DSNP9999' }),
      await start('mapd', { rosa: 'MAPD0001' }),
    ];
    await loadMember(world, 'DSNP', 'DSNP0001', 'patient-of-dsnp');
    await loadMember(world, 'MAPD', 'MAPD0001', 'patient-of-mapd');
    services = federationOf(world, { DSNP: aProvider(plans[0].issuer), MAPD: aProvider(plans[1].issuer) });
  });
  afterAll(() => plans.map((plan) => plan.stop()));

  it('lead from the application to consent, as the member the claim names', async () => {
    const browser = world.browser();
    const address = await begin(services, browser, '&login_hint=rosa&max_age=300');
    expect(address.origin).toBe(plans[0].issuer);
    const callback = await signInAtProvider(address.href, 'rosa');
    const consent = locationOf(await visitFederation(services, browser.cookies, callback));
    expect(consent.pathname).toBe('/fhir-oauth2/sec/dsnp/consent');
    const page = await browser.get('consent', consent.search.slice(1));
    expect(htmlOf(page)).toContain('You are signed in as DSNP0001.');
    const sub = subjectOf(plans[0].issuer, 'rosa');
    expect(await world.table.get(memberKey('DSNP', sub))).toMatchObject({ patientId: 'patient-of-dsnp' });
    // The back button requests the redirect URI again, which leads to the member's present page.
    const again = locationOf(await visitFederation(services, browser.cookies, callback));
    expect(again.pathname).toBe('/fhir-oauth2/sec/dsnp/consent');
    const { items } = await world.table.query({ pk: 'AUDIT#DSNP#PATIENT#patient-of-dsnp' });
    expect(items).toMatchObject([
      { action: 'member.sign-in', outcome: 'succeeded', actor: sub, identityProvider: plans[0].issuer },
    ]);
  });

  it('are not mixed up: an answer of one is none at the other, nor is its issuer', async () => {
    const browser = world.browser();
    const address = await begin(services, browser);
    const callback = new URL(await signInAtProvider(address.href, 'rosa'));
    const atOther = new URL(callback.href.replace('/dsnp/', '/mapd/'));
    expect(statusOf(await visitFederation(services, browser.cookies, atOther))).toBe(400);
    // An attacker's provider answers with its own issuer.
    const mixed = new URL(callback);
    mixed.searchParams.set('iss', plans[1].issuer);
    const refused = locationOf(await visitFederation(services, browser.cookies, mixed));
    expect(refused.searchParams.get('reason')).toBe('answer_invalid');
    // The wrong answer ended the authentication request, so the right answer is refused as well.
    const late = locationOf(await visitFederation(services, browser.cookies, callback));
    expect(late.searchParams.get('reason')).toBe('answer_unknown');
  });

  it('say what to do where the account is no member’s', async () => {
    const browser = world.browser();
    const address = await begin(services, browser);
    const callback = await signInAtProvider(address.href, 'nobody');
    const problem = locationOf(await visitFederation(services, browser.cookies, callback));
    const page = await visitFederation(services, browser.cookies, problem);
    expect([statusOf(page), htmlOf(page)]).toEqual([
      403,
      expect.stringContaining('We could not find your plan record'),
    ]);
    expect(htmlOf(page)).toContain('account=other');
    problem.searchParams.set('language', 'es');
    const spanish = await visitFederation(services, browser.cookies, problem);
    expect(htmlOf(spanish)).toContain('No encontramos su registro en el plan');
  });
});

describe('a sign-in at a provider', () => {
  let scripted: ScriptedProvider;
  let services: FederationServices;
  const stays: ScriptedProvider[] = [];
  beforeEach(async () => {
    scripted = await startScriptedProvider('member-data', '');
    stays.push(scripted);
    services = federationOf(world, { DSNP: aProvider(scripted.issuer) });
    await loadMember(world, 'DSNP', 'DSNP0001', 'patient-of-dsnp');
  });
  afterAll(() => stays.map((each) => each.stop()));

  /** The provider's answer to an authentication request, with an ID token. */
  function answerTo(address: URL, claims: Record<string, unknown> = {}): URL {
    const nonce = address.searchParams.get('nonce') ?? '';
    scripted.idToken = () => scripted.sign({ ...scripted.claims, nonce, ...claims });
    const callback = new URL(address.searchParams.get('redirect_uri') ?? '');
    callback.search = new URLSearchParams({
      ...{ code: 'c', state: address.searchParams.get('state') ?? '', iss: scripted.issuer },
    }).toString();
    return callback;
  }
  const reasonOf = async (browser: PagesBrowser, callback: URL) =>
    locationOf(await visitFederation(services, browser.cookies, callback)).searchParams.get('reason');
  const reaches = async (browser: PagesBrowser, callback: URL) =>
    locationOf(await visitFederation(services, browser.cookies, callback)).pathname;
  const consentPath = '/fhir-oauth2/sec/dsnp/consent';

  it('belongs to one browser', async () => {
    const browser = world.browser();
    const callback = answerTo(await begin(services, browser));
    const other = world.browser();
    expect(statusOf(await visitFederation(services, other.cookies, callback))).toBe(400);
    await begin(services, other);
    expect(statusOf(await visitFederation(services, other.cookies, callback))).toBe(400);
    expect(scripted.tokenRequests).toEqual([]);
    expect(await reaches(browser, callback)).toBe(consentPath);
  });

  it('takes the answer to the latest authentication request only', async () => {
    const browser = world.browser();
    const start = locationOf(await browser.get('authorize', authorizationQuery(world.clientId)));
    const first = locationOf(await visitFederation(services, browser.cookies, start));
    const second = locationOf(await visitFederation(services, browser.cookies, start));
    expect(await reasonOf(browser, answerTo(first))).toBe('answer_unknown');
    expect(await reaches(browser, answerTo(second))).toBe(consentPath);
  });

  it('is counted once for two answers at once, which lead to the same page, and of two tabs each leads on', async () => {
    const browser = world.browser();
    const one = await begin(services, browser);
    const two = await begin(services, browser);
    const callback = answerTo(one);
    let signIns = 0;
    const counting: FederationServices = {
      ...services,
      store: {
        ...services.store,
        async signIn(step) {
          const isFirst = await services.store.signIn(step);
          if (isFirst) signIns += 1;
          return isFirst;
        },
      },
    };
    const both = await Promise.all([1, 2].map(() => visitFederation(counting, browser.cookies, callback)));
    const places = both.map((each) => each.kind === 'redirect' && new URL(each.location, origin).pathname);
    expect(places).toContain(consentPath);
    expect(signIns).toBe(1);
    expect(await reaches(browser, answerTo(two))).toBe(consentPath);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['for the nonce of another request', { nonce: 'another' }, 'answer_invalid'],
    ['for another audience', { aud: 'another' }, 'answer_invalid'],
    ['of another issuer', { iss: 'https://login.other.example' }, 'answer_invalid'],
    ['made before the request', { iat: Math.floor(Date.now() / 1000) - 3_000 }, 'answer_invalid'],
    ['made in the future', { iat: Math.floor(Date.now() / 1000) + 3_000 }, 'answer_invalid'],
    ['without a member ID', { plan_member_id: undefined }, 'member_unknown'],
    ['with a member ID that is none', { plan_member_id: '../MAPD0001' }, 'member_unknown'],
    ['with the member ID of another plan', { plan_member_id: 'MAPD0001' }, 'member_unknown'],
  ])('is refused with an id token %s', async (_what, claims, reason) => {
    const browser = world.browser();
    const callback = answerTo(await begin(services, browser), claims);
    expect(await reasonOf(browser, callback)).toBe(reason);
    expect(await reasonOf(browser, callback)).toBe('answer_unknown');
  });

  it('asks for the age of the authentication that the application asks for, and checks it', async () => {
    const now = Math.floor(Date.now() / 1000);
    const browser = world.browser();
    const aged = await begin(services, browser, '&max_age=600');
    expect(aged.searchParams.get('max_age')).toBe('600');
    expect(await reasonOf(browser, answerTo(aged, { auth_time: now - 1_000 }))).toBe('answer_invalid');
    const untold = await begin(services, browser, '&max_age=600');
    expect(await reasonOf(browser, answerTo(untold, { auth_time: undefined }))).toBe('answer_invalid');
    const young = await begin(services, browser, '&max_age=600');
    expect(await reaches(browser, answerTo(young, { auth_time: now - 500 }))).toBe(consentPath);
    const login = await begin(services, browser, '&prompt=login');
    expect([...['prompt', 'max_age'].map((name) => login.searchParams.get(name))]).toEqual(['login', '0']);
    expect(await reasonOf(browser, answerTo(login, { auth_time: now - 500 }))).toBe('answer_invalid');
  });

  it('passes wishes on, and enforces the configured authentication contexts alone', async () => {
    const browser = world.browser();
    const wish = await begin(services, browser, '&acr_values=urn:a&login_hint=rosa&ui_locales=es');
    expect(Object.fromEntries(wish.searchParams)).toMatchObject({
      ...{ acr_values: 'urn:a', login_hint: 'rosa', ui_locales: 'es en' },
    });
    expect(await reaches(browser, answerTo(wish))).toBe(consentPath);
    services = federationOf(world, { DSNP: aProvider(scripted.issuer, { acrValues: ['urn:mfa'] }) });
    const strict = await begin(services, browser, '&acr_values=urn:a');
    expect(strict.searchParams.get('acr_values')).toBe('urn:mfa');
    expect(await reasonOf(browser, answerTo(strict, { acr: 'urn:a' }))).toBe('answer_invalid');
    const right = await begin(services, browser);
    expect(await reaches(browser, answerTo(right, { acr: 'urn:mfa' }))).toBe(consentPath);
  });

  it.each([
    ['access_denied', 'access_denied', 400, 'You did not finish signing in'],
    ['login_required', 'login_required', 400, 'You did not finish signing in'],
    ['temporarily_unavailable', 'unavailable', 503, 'We cannot reach your plan’s sign-in'],
    ['unauthorized_client', 'error', 400, 'We could not sign you in'],
  ])('tells %s on a page, from which it can be begun again', async (error, reason, status, title) => {
    const browser = world.browser();
    const callback = answerTo(await begin(services, browser));
    callback.searchParams.delete('code');
    callback.searchParams.set('error', error);
    const problem = locationOf(await visitFederation(services, browser.cookies, callback));
    expect(problem.searchParams.get('reason')).toBe(reason);
    const page = await visitFederation(services, browser.cookies, problem);
    expect([statusOf(page), htmlOf(page)]).toEqual([status, expect.stringContaining(title)]);
    const again = /href="([^"]+start[^"]+)"/.exec(htmlOf(page))?.[1]?.replaceAll('&amp;', '&') ?? '';
    const address = locationOf(await visitFederation(services, browser.cookies, new URL(again, origin)));
    expect(await reaches(browser, answerTo(address))).toBe(consentPath);
  });

  it('tells that the provider is down before the browser leaves, and when it comes back', async () => {
    const browser = world.browser();
    const address = await begin(services, browser);
    scripted.answer = (_q, r) => r.writeHead(503).end() !== undefined;
    expect(await reasonOf(browser, answerTo(address))).toBe('unavailable');
    services = federationOf(world, { DSNP: aProvider(scripted.issuer) });
    const start = locationOf(await browser.get('authorize', authorizationQuery(world.clientId)));
    expect(await reasonOf(browser, start)).toBe('unavailable');
  });

  it('never moves an account to another member, and follows a merge of the plan', async () => {
    const browser = world.browser();
    const subject = { sub: 'subject-merged' };
    expect(await reaches(browser, answerTo(await begin(services, browser), subject))).toBe(consentPath);
    await loadMember(world, 'DSNP', 'DSNP0002', 'patient-two');
    const moved = { ...subject, plan_member_id: 'DSNP0002' };
    expect(await reasonOf(browser, answerTo(await begin(services, browser), moved))).toBe('account_linked');
    await world.table.put({
      ...memberIdKey('DSNP', 'DSNP0001'),
      patientId: 'patient-two',
      memberId: 'DSNP0002',
    });
    expect(await reaches(browser, answerTo(await begin(services, browser), moved))).toBe(consentPath);
    const link = await world.table.get(memberKey('DSNP', subjectOf(scripted.issuer, 'subject-merged')));
    expect(link).toMatchObject({ patientId: 'patient-two', memberId: 'DSNP0002' });
  });

  it('shares the record that merges of the plan led to, for an account that signed in before them', async () => {
    const browser = world.browser();
    await loadMember(world, 'DSNP', 'DSNP0001', 'patient-of-dsnp');
    const subject = { sub: 'subject-merged-twice' };
    expect(await reaches(browser, answerTo(await begin(services, browser), subject))).toBe(consentPath);
    const merge = (from: string, patientId: string, memberId: string) =>
      world.table.put({ ...memberIdKey('DSNP', from), patientId, memberId });
    await merge('DSNP0001', 'patient-three', 'DSNP0003');
    await merge('DSNP0003', 'patient-four', 'DSNP0004');
    await loadMember(world, 'DSNP', 'DSNP0004', 'patient-four');
    const account = { sub: subjectOf(scripted.issuer, subject.sub) };
    const patientId = async () => (await services.patientsOf('DSNP', account)).map((each) => each.patientId);
    expect(await patientId()).toEqual(['patient-four']);
    expect(await reaches(browser, answerTo(await begin(services, browser), subject))).toBe(consentPath);
    await world.table.put({
      ...memberIdKey('DSNP', 'DSNP0004'),
      ...{ patientId: 'patient-four', withdrawnAt: '2026' },
    });
    expect(await patientId()).toEqual([]);
  });

  it('ends for a member who is withdrawn, whose account may share nothing from then on', async () => {
    const browser = world.browser();
    expect(await reaches(browser, answerTo(await begin(services, browser)))).toBe(consentPath);
    const sub = subjectOf(scripted.issuer, 'subject-1');
    const { find } = createMemberLinks(world.table);
    expect(await find('DSNP', sub)).toMatchObject({ patientId: 'patient-of-dsnp' });
    await world.table.put({
      ...memberIdKey('DSNP', 'DSNP0001'),
      patientId: 'patient-of-dsnp',
      withdrawnAt: '2026',
    });
    expect(await find('DSNP', sub)).toBeUndefined();
    expect(await reasonOf(browser, answerTo(await begin(services, browser)))).toBe('member_unknown');
  });

  it('leads to the connected apps too, and signs out here and there', async () => {
    const browser = world.browser();
    const start = locationOf(await browser.get('connected-apps'));
    const address = locationOf(await visitFederation(services, browser.cookies, start));
    expect(await reaches(browser, answerTo(address))).toBe('/fhir-oauth2/sec/dsnp/connected-apps');
    const page = htmlOf(await browser.get('connected-apps'));
    const token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const out = continuation(await browser.post('connected-apps', { answer: 'sign-out', form_token: token }));
    expect(out.pathname).toBe('/fhir-oauth2/federation/dsnp/sign-out');
    const there = locationOf(await visitFederation(services, browser.cookies, out));
    expect(there.origin + there.pathname).toBe(`${scripted.issuer}/logout`);
    expect(there.searchParams.has('id_token_hint')).toBe(false);
    const back = new URL(there.searchParams.get('post_logout_redirect_uri') ?? '');
    back.searchParams.set('state', there.searchParams.get('state') ?? '');
    expect(htmlOf(await visitFederation(services, browser.cookies, back))).toContain('You are signed out');
    // A link on another site can't sign a member out at the provider.
    expect(statusOf(await visitFederation(services, browser.cookies, out))).toBe(400);
  });

  it('is begun again for another account by a page, not by a redirect of the form', async () => {
    const browser = world.browser();
    const callback = answerTo(await begin(services, browser));
    const consent = locationOf(await visitFederation(services, browser.cookies, callback));
    const page = htmlOf(await browser.get('consent', consent.search.slice(1)));
    const [interaction, form_token] = ['interaction', 'form_token'].map(
      (name) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? '',
    );
    const fields = { answer: 'switch', interaction: interaction ?? '', form_token: form_token ?? '' };
    const start = continuation(await browser.post('consent', fields));
    expect(start.pathname).toBe('/fhir-oauth2/federation/dsnp/start');
    const address = locationOf(await visitFederation(services, browser.cookies, start));
    expect(address.origin).toBe(scripted.issuer);
    expect(await reaches(browser, answerTo(address, { sub: 'another', auth_time: undefined }))).toBe(
      consentPath,
    );
  });

  it('is offered beside accounts of ours, where they remain', async () => {
    services = federationOf(world, { DSNP: aProvider(scripted.issuer, { localAccounts: true }) });
    const browser = world.browser();
    const page = htmlOf(await browser.get('authorize', authorizationQuery(world.clientId)));
    expect(page).toContain('Continue with Plan Portal');
    expect(page).toContain('name="password"');
    // Members can't get around the provider by activating an account here.
    expect(page).not.toContain('/activation');
    const handle = /name="interaction" value="([^"]+)"/.exec(page)?.[1] ?? '';
    expect(statusOf(await browser.get('activation', `interaction=${handle}`))).toBe(404);
    expect(statusOf(await browser.post('activation', { interaction: handle }))).toBe(404);
    const start = /href="([^"]+start[^"]+)"/.exec(page)?.[1] ?? '';
    const address = locationOf(await visitFederation(services, browser.cookies, new URL(start, origin)));
    expect(await reaches(browser, answerTo(address))).toBe(consentPath);
  });
});
