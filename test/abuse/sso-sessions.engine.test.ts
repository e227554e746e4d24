import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharingAll, theRedirectUri } from '../authorization/builders.ts';
import { cookieOf, eventOf, headerOf, redirectOf } from '../authorization/events.ts';
import {
  authorizationQuery,
  basic,
  consentForm,
  openSignIn,
  redeem,
  signInForm,
  tokenCall,
} from '../authorization/journey.ts';
import {
  authorizeWith,
  keepAndShare,
  keeping,
  keepSignIn,
  silently,
  visitConnectedApps,
} from '../authorization/sso-session-journey.ts';
import { type Application, startWholeWorld, type WholeWorld } from '../support/whole-world.ts';

/** Attacks on an SSO session: fixation, theft, and access to more than was shared. */

const cookieName = '__Host-member-sign-in-dsnp';

let world: WholeWorld;
let application: Application;
let clientId: string;
beforeAll(async () => {
  world = await startWholeWorld();
});
afterAll(async () => {
  await world.stop();
});
beforeEach(async () => {
  application = await world.application();
  ({ clientId } = application.client);
});

const secretOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);
/** Whether a browser with this cookie reaches a page or a code without the password. */
async function getsBy(cookie: string): Promise<boolean> {
  const { code, error } = await silently(world, clientId, cookie);
  expect([code === null, error !== null]).toEqual([code === null, code === null]);
  const page = await authorizeWith(world, clientId, cookie);
  expect([200, 303]).toContain(page.statusCode);
  return code !== null || page.statusCode === 303;
}

describe('a cookie', () => {
  it('of an SSO session gets by, so that the refusals mean something', async () => {
    const { ssoCookie } = await keepAndShare(world, clientId);
    expect(ssoCookie).toMatch(/^__Host-member-sign-in-dsnp=[\w-]{43}$/);
    expect(await getsBy(ssoCookie)).toBe(true);
    // A copied cookie works in another browser. It is therefore HttpOnly and Secure, and expires after a quarter of an hour.
    expect(await getsBy(`other=1; ${ssoCookie}`)).toBe(true);
  });

  it('planted before the sign-in is never one of a sign-in (session fixation)', async () => {
    const planted = `${cookieName}=${'P'.repeat(43)}`;
    const opened = await openSignIn(world, authorizationQuery(clientId));
    const browser = { ...opened, cookie: `${opened.cookie}; ${planted}` };
    const signedIn = await world.authorize(eventOf(signInForm(browser, keeping)));
    expect(cookieOf(signedIn)).toMatch(/^__Host-member-sign-in-dsnp=[\w-]{43}$/);
    expect(cookieOf(signedIn)).not.toBe(planted);
    expect(await getsBy(planted)).toBe(false);
  });

  it('of an attacker’s own sign-in is replaced by the member’s, and ends', async () => {
    const attackers = await keepAndShare(world, clientId);
    const opened = await openSignIn(world, authorizationQuery(clientId));
    const browser = { ...opened, cookie: `${opened.cookie}; ${attackers.ssoCookie}` };
    await world.authorize(eventOf(signInForm(browser, keeping)));
    expect(await getsBy(attackers.ssoCookie)).toBe(false);
  });

  it.each<[string, (cookie: string) => string]>([
    ['under another name', (cookie) => cookie.replace('__Host-', '')],
    ['of another LOB', (cookie) => cookie.replace('-dsnp', '-mapd')],
    ['sent twice', (cookie) => `${cookie}; ${cookieName}=${'A'.repeat(43)}`],
    ['sent twice, the good one last', (cookie) => `${cookieName}=${'A'.repeat(43)}; ${cookie}`],
    ['with a letter more', (cookie) => `${cookie}A`],
    ['with a letter less', (cookie) => cookie.slice(0, -1)],
    ['with another last letter', (cookie) => `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`],
    [
      'of what the table has',
      (cookie) => `${cookieName}=${createHash('sha256').update(secretOf(cookie)).digest('hex')}`,
    ],
    ['in quotes', (cookie) => `${cookieName}="${secretOf(cookie)}"`],
    ['that is empty', () => `${cookieName}=`],
  ])('%s is none', async (_what, forge) => {
    const { ssoCookie } = await keepAndShare(world, clientId);
    expect(await getsBy(forge(ssoCookie))).toBe(false);
    expect(await getsBy(ssoCookie)).toBe(true);
  });

  it('of an interaction, of the connected apps or of a known browser stands in for no password', async () => {
    const { cookie } = await openSignIn(world, authorizationQuery(clientId));
    const { session } = await visitConnectedApps(world);
    for (const other of [cookie, session]) {
      expect(secretOf(other)).toMatch(/^[\w-]{43}$/);
      expect(await getsBy(`${cookieName}=${secretOf(other)}`)).toBe(false);
    }
  });

  it('of an SSO session opens no connected apps', async () => {
    const { ssoCookie } = await keepAndShare(world, clientId);
    const cookie = `${ssoCookie}; __Host-member-session-dsnp=${secretOf(ssoCookie)}`;
    const page = await world.authorize(
      eventOf({ path: '/fhir-oauth2/sec/dsnp/connected-apps', headers: { cookie } }),
    );
    expect(page.body).toContain('name="password"');
  });

  it('of one LOB means nothing in another, under either name', async () => {
    const { ssoCookie } = await keepAndShare(world, clientId);
    const aud = 'https://mapd.api.sandbox.example.org/extfhirpatientaccess/v1';
    const query = authorizationQuery(clientId, { aud, prompt: 'none' });
    for (const cookie of [ssoCookie, ssoCookie.replace('-dsnp', '-mapd')]) {
      const call = { path: '/fhir-oauth2/sec/mapd/authorize', query, headers: { cookie } };
      expect(redirectOf(await world.authorize(eventOf(call))).get('error')).toBe('login_required');
    }
  });
});

describe('max_age', () => {
  it.each([
    '-1',
    '-9223372036854775808',
    '1.5',
    '0x10',
    '1e9',
    '٣',
    '10000000000000000',
    ' 10',
    'null',
    '[]',
  ])('of %j is refused, and limits nothing else', async (max_age) => {
    const { ssoCookie } = await keepAndShare(world, clientId);
    expect((await silently(world, clientId, ssoCookie, { max_age })).error).toBe('invalid_request');
  });

  it.each(['0', '00', '000000000000000'])('of %s asks for the password', async (max_age) => {
    const { ssoCookie } = await keepAndShare(world, clientId);
    expect((await silently(world, clientId, ssoCookie, { max_age })).error).toBe('login_required');
    const page = await authorizeWith(world, clientId, ssoCookie, { max_age });
    expect(page.body).toContain('name="password"');
  });

  it.each([
    'max_age',
    'prompt',
    'id_token_hint',
  ])('and its like come once: two of %s are refused', async (name) => {
    const { ssoCookie, tokens } = await keepAndShare(world, clientId);
    const good = { max_age: '900', prompt: 'none', id_token_hint: tokens.id_token ?? '' };
    const query = `${authorizationQuery(clientId, good)}&${name}=${good[name as keyof typeof good]}`;
    const call = { path: '/fhir-oauth2/sec/dsnp/authorize', query, headers: { cookie: ssoCookie } };
    expect(redirectOf(await world.authorize(eventOf(call))).get('error')).toBe('invalid_request');
  });
});

describe('prompt', () => {
  it.each([
    'none login',
    'login none',
    'none consent',
    'none none',
    'none select_account consent',
    'NONE',
    'none,login',
    'create',
  ])('%j is refused', async (prompt) => {
    const { ssoCookie } = await keepAndShare(world, clientId);
    expect((await silently(world, clientId, ssoCookie, { prompt })).error).toBe('invalid_request');
  });

  it('of none never shows a page, whatever is wrong', async () => {
    const { ssoCookie } = await keepAndShare(world, clientId);
    const wrong: readonly Record<string, string>[] = [
      { scope: 'patient/Appointment.read' },
      { aud: 'https://evil.example' },
      { response_type: 'token' },
      { code_challenge: 'x' },
    ];
    for (const changes of wrong)
      expect((await silently(world, clientId, ssoCookie, changes)).code).toBeNull();
  });

  it('of none goes to a registered redirect URI or nowhere', async () => {
    const { ssoCookie } = await keepAndShare(world, clientId);
    const changes = { prompt: 'none', redirect_uri: `${theRedirectUri}/other` };
    const answer = await authorizeWith(world, clientId, ssoCookie, changes);
    expect([answer.statusCode, headerOf(answer, 'location')]).toEqual([400, '']);
  });
});

describe('a code without a page', () => {
  it('is never wider than what was shared', async () => {
    const shared = { scope: 'openid patient/*.r' };
    const { ssoCookie } = await keepAndShare(world, clientId, shared, ['details', 'coverage']);
    const both = 'openid patient/Patient.r patient/Coverage.r';
    for (const scope of [
      both,
      'openid patient/Coverage.r',
      'openid patient/*.r',
      'openid patient/Coverage.r patient/ExplanationOfBenefit.r',
      'openid patient/Coverage.r patient/Organization.r',
      'openid patient/Patient.rs',
      'openid patient/Patient.read',
      'openid',
      'openid fhirUser patient/Patient.r',
      'openid offline_access patient/Patient.r',
    ]) {
      const wider = scope !== both && scope !== 'openid patient/Coverage.r';
      const { code, error } = await silently(world, clientId, ssoCookie, { scope });
      expect([scope, error]).toEqual([scope, wider ? 'consent_required' : null]);
      if (code !== null) expect(JSON.parse((await redeem(world, clientId, code)).body).scope).toBe(scope);
    }
  });

  it('is for each type the member shared, where all is asked for', async () => {
    const scope = 'openid patient/*.read';
    const { ssoCookie } = await keepAndShare(world, clientId, { scope });
    const { code } = await silently(world, clientId, ssoCookie, { scope });
    const answer = await redeem(world, clientId, code ?? '');
    expect(JSON.parse(answer.body).scope).toBe(`openid ${sharingAll}`);
  });

  it('brings tokens that are over when the first are', async () => {
    const { ssoCookie, tokens } = await keepAndShare(world, clientId);
    const first = await world.grantOf(tokens.access_token ?? '');
    const { code } = await silently(world, clientId, ssoCookie);
    const second = JSON.parse((await redeem(world, clientId, code ?? '')).body);
    expect(await world.grantOf(second.access_token)).toEqual(first);
    const [, payload = ''] = String(second.access_token).split('.');
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(exp).toBeLessThanOrEqual(Number(first?.expiresAt));
    expect(await world.read(application, second.access_token)).toBe(200);
  });

  it('is not to be had once the member stopped the app', async () => {
    const { ssoCookie, tokens } = await keepAndShare(world, clientId);
    await (await visitConnectedApps(world, ssoCookie)).stop(clientId);
    expect(await silently(world, clientId, ssoCookie)).toEqual({ code: null, error: 'consent_required' });
    expect(await world.read(application, tokens.access_token ?? '')).toBe(401);
  });

  it('that was had before the member stopped the app buys nothing', async () => {
    const { ssoCookie } = await keepAndShare(world, clientId);
    const { code } = await silently(world, clientId, ssoCookie);
    await (await visitConnectedApps(world, ssoCookie)).stop(clientId);
    const answer = await redeem(world, clientId, code ?? '');
    expect([answer.statusCode, JSON.parse(answer.body).error]).toEqual([400, 'invalid_grant']);
    const again = await redeem(world, clientId, code ?? '');
    expect(again.statusCode).toBe(400);
  });

  it('is not to be had, and buys nothing, once the app gave its token back', async () => {
    const { ssoCookie, tokens } = await keepAndShare(world, clientId);
    const { code } = await silently(world, clientId, ssoCookie);
    const headers = { authorization: basic(clientId) };
    const revoke = { path: '/fhir-oauth2/pub/dsnp/revoke', headers, json: { token: tokens.access_token } };
    expect((await world.token(eventOf(revoke))).statusCode).toBe(200);
    expect((await redeem(world, clientId, code ?? '')).statusCode).toBe(400);
    expect((await silently(world, clientId, ssoCookie)).error).toBe('consent_required');
  });

  it('is not to be had while the app is suspended, and buys nothing then', async () => {
    const { ssoCookie } = await keepAndShare(world, clientId);
    const { code } = await silently(world, clientId, ssoCookie);
    await world.setState(application, 'suspended');
    const answer = await authorizeWith(world, clientId, ssoCookie, { prompt: 'none' });
    expect([answer.statusCode, headerOf(answer, 'location')]).toEqual([400, '']);
    expect((await redeem(world, clientId, code ?? '')).statusCode).toBe(401);
    await world.setState(application, 'active');
    expect((await silently(world, clientId, ssoCookie)).code).not.toBeNull();
  });

  it('is of what this app was given, whatever another was', async () => {
    const { ssoCookie } = await keepAndShare(world, clientId);
    const other = await world.application();
    expect((await silently(world, other.client.clientId, ssoCookie)).error).toBe('consent_required');
    expect(await getsBy(ssoCookie)).toBe(true);
  });

  it('is not to be had before the first code was used: nothing is active yet', async () => {
    const opened = await keepSignIn(world, authorizationQuery(clientId));
    await world.authorize(eventOf(consentForm(opened, 'share')));
    expect((await silently(world, clientId, opened.ssoCookie)).error).toBe('consent_required');
  });

  it.each<[string, (code: string) => Promise<number>]>([
    [
      'used twice',
      async (code) => {
        await redeem(world, clientId, code);
        return (await redeem(world, clientId, code)).statusCode;
      },
    ],
    [
      'without its verifier',
      async (code) => {
        const { json } = tokenCall(clientId, code);
        const wrong = { ...(json as object), code_verifier: 'A'.repeat(43) };
        return (await world.token(eventOf(tokenCall(clientId, code, { json: wrong })))).statusCode;
      },
    ],
  ])('%s ends all that was shared', async (_what, abuse) => {
    const { ssoCookie, tokens } = await keepAndShare(world, clientId);
    const { code } = await silently(world, clientId, ssoCookie);
    expect(await abuse(code ?? '')).toBe(400);
    expect(await world.read(application, tokens.access_token ?? '')).toBe(401);
    expect((await silently(world, clientId, ssoCookie)).error).toBe('consent_required');
  });

  it('in another app’s hands ends, and takes nothing else from its owner', async () => {
    const { ssoCookie, tokens } = await keepAndShare(world, clientId);
    const { code } = await silently(world, clientId, ssoCookie);
    const thief = await world.application();
    expect((await redeem(world, thief.client.clientId, code ?? '')).statusCode).toBe(400);
    expect((await redeem(world, clientId, code ?? '')).statusCode).toBe(400);
    expect(await world.read(application, tokens.access_token ?? '')).toBe(200);
    expect((await silently(world, clientId, ssoCookie)).code).toBeDefined();
  });
});

describe('a sign-out', () => {
  it('at the connected apps ends it everywhere, a copied cookie and a consent page left open too', async () => {
    const { ssoCookie } = await keepAndShare(world, clientId);
    const left = await authorizeWith(world, clientId, ssoCookie);
    const { pathname, search } = new URL(headerOf(left, 'location'));
    const cookie = cookieOf(left);
    const show = () =>
      world.authorize(eventOf({ path: pathname, query: search.slice(1), headers: { cookie } }));
    expect((await show()).statusCode).toBe(200);
    const out = await (await visitConnectedApps(world, ssoCookie)).signOut();
    expect(JSON.stringify(out.multiValueHeaders)).toContain(`${cookieName}=; `);
    expect(await getsBy(ssoCookie)).toBe(false);
    const after = await show();
    expect(after.statusCode).toBe(400);
    expect(after.body).not.toContain('Rosa');
  });
});

describe('id_token_hint', () => {
  it('is an id_token made for this application, of this LOB; of no other does anybody get by', async () => {
    const { ssoCookie, tokens } = await keepAndShare(world, clientId);
    const hinted = (id_token_hint: string) => silently(world, clientId, ssoCookie, { id_token_hint });
    const own = tokens.id_token ?? '';
    expect((await hinted(own)).code).not.toBeNull();
    const [head = '', payload = '', signature = ''] = own.split('.');
    const altered = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"sub":"', '"sub":"x'));
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const other = await world.application();
    const { tokens: theirs } = await keepAndShare(world, other.client.clientId);
    for (const hint of [
      tokens.access_token ?? '',
      theirs.id_token ?? '',
      `${head}.${altered.toString('base64url')}.${signature}`,
      `${none}.${payload}.${signature}`,
      `${head}.${payload}.${signature.slice(0, -4)}AAAA`,
    ])
      expect((await hinted(hint)).error).toBe('login_required');
    for (const hint of [
      `${none}.${payload}.`,
      'x',
      `${own}.x`,
      ` ${own}`,
      `${own}=`,
      'a.b.'.padEnd(5_000, 'c'),
    ])
      expect((await hinted(hint)).error).toBe('invalid_request');
  });
});
