import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readingAll, theRedirectUri } from '../oauth/builders.ts';
import { cookieOf, eventOf, headerOf, redirectOf } from '../oauth/events.ts';
import {
  authorizationQuery,
  basic,
  consentForm,
  openSignIn,
  redeem,
  signInForm,
  tokenCall,
} from '../oauth/journey.ts';
import {
  authorizeWith,
  keepAndShare,
  keeping,
  keepSignIn,
  silently,
  visitConnectedApps,
} from '../oauth/keeping.ts';
import { type Application, startWholeWorld, type WholeWorld } from '../support/whole-world.ts';

/** What somebody might try with a sign-in that is kept: bring their own, take another's, or get more than was shared. */

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
/** Whether a browser with this cookie gets by without the password, to a page or to a code. */
async function getsBy(cookie: string): Promise<boolean> {
  const { code, error } = await silently(world, clientId, cookie);
  expect([code === null, error !== null]).toEqual([code === null, code === null]);
  const page = await authorizeWith(world, clientId, cookie);
  expect([200, 303]).toContain(page.statusCode);
  return code !== null || page.statusCode === 303;
}

describe('a cookie', () => {
  it('of a sign-in that is kept gets by, so that the refusals mean something', async () => {
    const { keptCookie } = await keepAndShare(world, clientId);
    expect(keptCookie).toMatch(/^__Host-member-sign-in-dsnp=[\w-]{43}$/);
    expect(await getsBy(keptCookie)).toBe(true);
    // A copy works in another browser, as a copied cookie does: it is HttpOnly, Secure, and over in a quarter of an hour.
    expect(await getsBy(`other=1; ${keptCookie}`)).toBe(true);
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
    const browser = { ...opened, cookie: `${opened.cookie}; ${attackers.keptCookie}` };
    await world.authorize(eventOf(signInForm(browser, keeping)));
    expect(await getsBy(attackers.keptCookie)).toBe(false);
  });

  it.each<[string, (kept: string) => string]>([
    ['under another name', (kept) => kept.replace('__Host-', '')],
    ['of another LOB', (kept) => kept.replace('-dsnp', '-mapd')],
    ['sent twice', (kept) => `${kept}; ${cookieName}=${'A'.repeat(43)}`],
    ['sent twice, the good one last', (kept) => `${cookieName}=${'A'.repeat(43)}; ${kept}`],
    ['with a letter more', (kept) => `${kept}A`],
    ['with a letter less', (kept) => kept.slice(0, -1)],
    ['with another last letter', (kept) => `${kept.slice(0, -1)}${kept.endsWith('A') ? 'B' : 'A'}`],
    [
      'of what the table has',
      (kept) => `${cookieName}=${createHash('sha256').update(secretOf(kept)).digest('hex')}`,
    ],
    ['in quotes', (kept) => `${cookieName}="${secretOf(kept)}"`],
    ['that is empty', () => `${cookieName}=`],
  ])('%s is none', async (_what, forge) => {
    const { keptCookie } = await keepAndShare(world, clientId);
    expect(await getsBy(forge(keptCookie))).toBe(false);
    expect(await getsBy(keptCookie)).toBe(true);
  });

  it('of an interaction, of the connected apps or of a known browser stands in for no password', async () => {
    const { cookie } = await openSignIn(world, authorizationQuery(clientId));
    const { session } = await visitConnectedApps(world);
    for (const other of [cookie, session]) {
      expect(secretOf(other)).toMatch(/^[\w-]{43}$/);
      expect(await getsBy(`${cookieName}=${secretOf(other)}`)).toBe(false);
    }
  });

  it('of a kept sign-in opens no connected apps', async () => {
    const { keptCookie } = await keepAndShare(world, clientId);
    const cookie = `${keptCookie}; __Host-member-session-dsnp=${secretOf(keptCookie)}`;
    const page = await world.authorize(
      eventOf({ path: '/fhir-oauth2/sec/dsnp/connected-apps', headers: { cookie } }),
    );
    expect(page.body).toContain('name="password"');
  });

  it('of one LOB means nothing in another, under either name', async () => {
    const { keptCookie } = await keepAndShare(world, clientId);
    const aud = 'https://mapd.api.sandbox.example.org/extfhirpatientaccess/v1';
    const query = authorizationQuery(clientId, { aud, prompt: 'none' });
    for (const cookie of [keptCookie, keptCookie.replace('-dsnp', '-mapd')]) {
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
    const { keptCookie } = await keepAndShare(world, clientId);
    expect((await silently(world, clientId, keptCookie, { max_age })).error).toBe('invalid_request');
  });

  it.each(['0', '00', '000000000000000'])('of %s asks for the password', async (max_age) => {
    const { keptCookie } = await keepAndShare(world, clientId);
    expect((await silently(world, clientId, keptCookie, { max_age })).error).toBe('login_required');
    const page = await authorizeWith(world, clientId, keptCookie, { max_age });
    expect(page.body).toContain('name="password"');
  });

  it.each([
    'max_age',
    'prompt',
    'id_token_hint',
  ])('and its like come once: two of %s are refused', async (name) => {
    const { keptCookie, tokens } = await keepAndShare(world, clientId);
    const good = { max_age: '900', prompt: 'none', id_token_hint: tokens.id_token ?? '' };
    const query = `${authorizationQuery(clientId, good)}&${name}=${good[name as keyof typeof good]}`;
    const call = { path: '/fhir-oauth2/sec/dsnp/authorize', query, headers: { cookie: keptCookie } };
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
    const { keptCookie } = await keepAndShare(world, clientId);
    expect((await silently(world, clientId, keptCookie, { prompt })).error).toBe('invalid_request');
  });

  it('of none never shows a page, whatever is wrong', async () => {
    const { keptCookie } = await keepAndShare(world, clientId);
    const wrong: readonly Record<string, string>[] = [
      { scope: 'patient/Observation.read' },
      { aud: 'https://evil.example' },
      { response_type: 'token' },
      { code_challenge: 'x' },
    ];
    for (const changes of wrong)
      expect((await silently(world, clientId, keptCookie, changes)).code).toBeNull();
  });

  it('of none goes to a registered redirect URI or nowhere', async () => {
    const { keptCookie } = await keepAndShare(world, clientId);
    const changes = { prompt: 'none', redirect_uri: `${theRedirectUri}/other` };
    const answer = await authorizeWith(world, clientId, keptCookie, changes);
    expect([answer.statusCode, headerOf(answer, 'location')]).toEqual([400, '']);
  });
});

describe('a code without a page', () => {
  it('is never wider than what was shared', async () => {
    const shared = { scope: 'openid patient/*.r' };
    const { keptCookie } = await keepAndShare(world, clientId, shared, ['details', 'coverage']);
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
      const { code, error } = await silently(world, clientId, keptCookie, { scope });
      expect([scope, error]).toEqual([scope, wider ? 'consent_required' : null]);
      if (code !== null) expect(JSON.parse((await redeem(world, clientId, code)).body).scope).toBe(scope);
    }
  });

  it('is for each type the member shared, where all is asked for', async () => {
    const scope = 'openid patient/*.read';
    const { keptCookie } = await keepAndShare(world, clientId, { scope });
    const { code } = await silently(world, clientId, keptCookie, { scope });
    const answer = await redeem(world, clientId, code ?? '');
    expect(JSON.parse(answer.body).scope).toBe(`openid ${readingAll}`);
  });

  it('brings tokens that are over when the first are', async () => {
    const { keptCookie, tokens } = await keepAndShare(world, clientId);
    const first = await world.grantOf(tokens.access_token ?? '');
    const { code } = await silently(world, clientId, keptCookie);
    const second = JSON.parse((await redeem(world, clientId, code ?? '')).body);
    expect(await world.grantOf(second.access_token)).toEqual(first);
    const [, payload = ''] = String(second.access_token).split('.');
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(exp).toBeLessThanOrEqual(Number(first?.expiresAt));
    expect(await world.read(application, second.access_token)).toBe(200);
  });

  it('is not to be had once the member stopped the app', async () => {
    const { keptCookie, tokens } = await keepAndShare(world, clientId);
    await (await visitConnectedApps(world, keptCookie)).stop(clientId);
    expect(await silently(world, clientId, keptCookie)).toEqual({ code: null, error: 'consent_required' });
    expect(await world.read(application, tokens.access_token ?? '')).toBe(401);
  });

  it('that was had before the member stopped the app buys nothing', async () => {
    const { keptCookie } = await keepAndShare(world, clientId);
    const { code } = await silently(world, clientId, keptCookie);
    await (await visitConnectedApps(world, keptCookie)).stop(clientId);
    const answer = await redeem(world, clientId, code ?? '');
    expect([answer.statusCode, JSON.parse(answer.body).error]).toEqual([400, 'invalid_grant']);
    const again = await redeem(world, clientId, code ?? '');
    expect(again.statusCode).toBe(400);
  });

  it('is not to be had, and buys nothing, once the app gave its token back', async () => {
    const { keptCookie, tokens } = await keepAndShare(world, clientId);
    const { code } = await silently(world, clientId, keptCookie);
    const headers = { authorization: basic(clientId) };
    const revoke = { path: '/fhir-oauth2/pub/dsnp/revoke', headers, json: { token: tokens.access_token } };
    expect((await world.token(eventOf(revoke))).statusCode).toBe(200);
    expect((await redeem(world, clientId, code ?? '')).statusCode).toBe(400);
    expect((await silently(world, clientId, keptCookie)).error).toBe('consent_required');
  });

  it('is not to be had while the app is suspended, and buys nothing then', async () => {
    const { keptCookie } = await keepAndShare(world, clientId);
    const { code } = await silently(world, clientId, keptCookie);
    await world.setState(application, 'suspended');
    const answer = await authorizeWith(world, clientId, keptCookie, { prompt: 'none' });
    expect([answer.statusCode, headerOf(answer, 'location')]).toEqual([400, '']);
    expect((await redeem(world, clientId, code ?? '')).statusCode).toBe(401);
    await world.setState(application, 'active');
    expect((await silently(world, clientId, keptCookie)).code).not.toBeNull();
  });

  it('is of what this app was given, whatever another was', async () => {
    const { keptCookie } = await keepAndShare(world, clientId);
    const other = await world.application();
    expect((await silently(world, other.client.clientId, keptCookie)).error).toBe('consent_required');
    expect(await getsBy(keptCookie)).toBe(true);
  });

  it('is not to be had before the first code was used: nothing is active yet', async () => {
    const opened = await keepSignIn(world, authorizationQuery(clientId));
    await world.authorize(eventOf(consentForm(opened, 'share')));
    expect((await silently(world, clientId, opened.keptCookie)).error).toBe('consent_required');
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
    const { keptCookie, tokens } = await keepAndShare(world, clientId);
    const { code } = await silently(world, clientId, keptCookie);
    expect(await abuse(code ?? '')).toBe(400);
    expect(await world.read(application, tokens.access_token ?? '')).toBe(401);
    expect((await silently(world, clientId, keptCookie)).error).toBe('consent_required');
  });

  it('in another app’s hands ends, and takes nothing else from its owner', async () => {
    const { keptCookie, tokens } = await keepAndShare(world, clientId);
    const { code } = await silently(world, clientId, keptCookie);
    const thief = await world.application();
    expect((await redeem(world, thief.client.clientId, code ?? '')).statusCode).toBe(400);
    expect((await redeem(world, clientId, code ?? '')).statusCode).toBe(400);
    expect(await world.read(application, tokens.access_token ?? '')).toBe(200);
    expect((await silently(world, clientId, keptCookie)).code).toBeDefined();
  });
});

describe('a sign-out', () => {
  it('at the connected apps ends it everywhere, a copied cookie and a consent page left open too', async () => {
    const { keptCookie } = await keepAndShare(world, clientId);
    const left = await authorizeWith(world, clientId, keptCookie);
    const { pathname, search } = new URL(headerOf(left, 'location'));
    const cookie = cookieOf(left);
    const show = () =>
      world.authorize(eventOf({ path: pathname, query: search.slice(1), headers: { cookie } }));
    expect((await show()).statusCode).toBe(200);
    const out = await (await visitConnectedApps(world, keptCookie)).signOut();
    expect(JSON.stringify(out.multiValueHeaders)).toContain(`${cookieName}=; `);
    expect(await getsBy(keptCookie)).toBe(false);
    const after = await show();
    expect(after.statusCode).toBe(400);
    expect(after.body).not.toContain('Rosa');
  });
});

describe('id_token_hint', () => {
  it('is an id_token made for this application, of this LOB; of no other does anybody get by', async () => {
    const { keptCookie, tokens } = await keepAndShare(world, clientId);
    const hinted = (id_token_hint: string) => silently(world, clientId, keptCookie, { id_token_hint });
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
