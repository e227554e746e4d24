import { randomInt } from 'node:crypto';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlanPortal, planPortalContext, planPortalPath } from '../../local/plan-portal/plan-portal.ts';
import { signInAtProvider } from '../authorization/identity-provider/provider-visit.ts';
import { changeParameters, patient } from '../loads/drop-rows.ts';
import { openChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { memberIdClaim, type PlanProvider, planScope, startPlanProvider } from '../support/plan-provider.ts';
import { type RunningSystem, startRunningSystem } from '../support/running-system.ts';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { loadDrop } from './drops.ts';
import { localFetch, memberOf, originsOf } from './journey.ts';
import {
  type AppHost,
  type CalledBackApp,
  english,
  expectAccessible,
  registerApp,
  startAppHost,
} from './pages-browser.ts';
import { runAgainst } from './system-file.ts';

/**
 * Members of two lines of business sign in at their plans' identity providers, both `oidc-provider`. One provider authenticates the client
 * by a signed assertion and fetches the key here, the other by a client secret.
 */

const secret = 'the-plan-s-secret';
const number = randomInt(10 ** 8, 10 ** 9);
/** A member whom one drop loads and a later one withdraws. */
const leaving = { memberId: `DSNP${number}`, patientId: `leaving-${number}` };
let system: RunningSystem;
let plans: { readonly DSNP: PlanProvider; readonly MAPD: PlanProvider };
let scripted: ScriptedProvider;
let portal: HttpServer;
let browser: Browser;
let host: AppHost;
const lobs = ['DSNP', 'MAPD', 'CHPDC', 'MHBE'] as const;
type Federated = (typeof lobs)[number];
const apps = new Map<Federated, CalledBackApp>();
beforeAll(async () => {
  const port = await freePort();
  const auth = `http://auth.sandbox.localhost:${port}`;
  const pages = `${auth}/fhir-oauth2/federation`;
  const addresses = (lob: string) => ({
    redirect_uris: [`${pages}/${lob}/callback`],
    post_logout_redirect_uris: [`${pages}/${lob}/signed-out`],
    scope: `openid ${planScope}`,
  });
  const client = { client_id: 'member-data' };
  const signs = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'RS256' };
  plans = {
    DSNP: await startPlanProvider({
      accounts: {
        desmond: memberOf('sandbox', 'DSNP').memberId,
        nobody: 'DSNP00000000',
        leaving: leaving.memberId,
      },
      client: { ...client, ...signs, jwks_uri: `${pages}/jwks`, ...addresses('dsnp') },
      fetch: localFetch,
    }),
    MAPD: await startPlanProvider({
      accounts: { adaeze: memberOf('sandbox', 'MAPD').memberId },
      client: { ...client, client_secret: secret, ...addresses('mapd') },
    }),
  };
  const common = { clientId: 'member-data', memberIdClaim, scopes: ['openid', planScope] };
  const MAPD = {
    ...{ ...common, issuer: plans.MAPD.issuer, label: 'Advantage Portal', localAccounts: false },
    clientAuthentication: 'client_secret_basic',
  };
  const DSNP = { ...common, issuer: plans.DSNP.issuer, label: { en: 'Plan Portal', es: 'Portal del plan' } };
  scripted = await startScriptedProvider('member-data', '');
  const CHPDC = { ...common, issuer: scripted.issuer, label: 'City Portal', localAccounts: false };
  const portalPort = await freePort();
  const issuer = `http://localhost:${portalPort}${planPortalPath}`;
  portal = createHttpServer(createPlanPortal({ issuer, port }).handle).listen(portalPort, '127.0.0.1');
  const { linesOfBusiness } = JSON.parse(planPortalContext({ issuer })['sandbox.federation'] ?? '');
  const federation = JSON.stringify({ linesOfBusiness: { DSNP, MAPD, CHPDC, ...linesOfBusiness } });
  system = await startRunningSystem({ port, context: { 'sandbox.federation': federation } });
  runAgainst(system.stateDirectory);
  await putClientSecret();
  [browser, host] = await Promise.all([openChromium(), startAppHost()]);
  for (const lob of lobs) apps.set(lob, await registerApp(lob, 'Blue Steps', host));
});
afterAll(async () => {
  plans.DSNP.stop();
  plans.MAPD.stop();
  scripted.stop();
  portal.closeAllConnections();
  portal.close();
  await browser.close();
  host.close();
  await system.stop();
});

/** Stores the plan's client secret in the secret that the stack's output names, as docs/federation.md describes. */
async function putClientSecret(): Promise<void> {
  const { awsEndpoint: endpoint, region, credentials, outputs = {} } = system.system;
  const SecretId = outputs['sandbox-Data']?.FederationClientSecretMAPD;
  const SecretString = JSON.stringify({ clientSecret: secret });
  const client = new SecretsManagerClient({ endpoint, region, credentials });
  await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
}

function appOf(lob: Federated): CalledBackApp {
  const app = apps.get(lob);
  if (app === undefined) throw new Error(`no app of ${lob}`);
  return app;
}

const phone = { viewport: { width: 390, height: 844 } };

async function inBrowser<Result>(
  act: (page: Page, context: BrowserContext) => Promise<Result>,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Result> {
  const context = await browser.newContext(options);
  // The provider's development pages load a font from another site, which is not reachable.
  await context.route(/^https:/, (route) => route.abort());
  try {
    return await act(await context.newPage(), context);
  } finally {
    await context.close();
  }
}

async function shareAndRead(page: Page, lob: Federated): Promise<number> {
  await page.getByRole('button', { name: english.share }).click();
  await page.waitForURL((url) => url.searchParams.has('code'));
  return await (await appOf(lob).reader(new URL(page.url())))(memberOf('sandbox', lob).patientId);
}

/** Signs in at the development pages of `oidc-provider`, which ask for a name and any password. */
async function signInAtPlan(page: Page, login: string): Promise<void> {
  await page.waitForLoadState();
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
}

/**
 * Begins a sign-in in the browser and completes it at the provider outside the browser.
 *
 * @returns the redirect URI with the answer
 */
async function interceptAnswer(page: Page, login: string): Promise<string> {
  await page.goto(appOf('DSNP').authorizationUrl());
  const sent = page.waitForRequest((request) => request.url().startsWith(`${plans.DSNP.issuer}/auth?`));
  await page.getByRole('link', { name: 'Continue with Plan Portal' }).click();
  return await signInAtProvider((await sent).url(), login);
}

const mainText = async (page: Page) => (await page.getByRole('main').textContent()) ?? '';

describe('a member with an account at the plan’s identity provider', () => {
  it('goes from an app through the provider to consent, and the app reads the Patient', async () => {
    await inBrowser(async (page) => {
      await page.goto(appOf('DSNP').authorizationUrl());
      await expectAccessible(page, 'federation sign-in phone');
      await page.getByRole('link', { name: 'Continue with Plan Portal' }).click();
      expect(new URL(page.url()).origin).toBe(plans.DSNP.issuer);
      await signInAtPlan(page, 'desmond');
      await expectAccessible(page, 'federation consent phone');
      expect(await shareAndRead(page, 'DSNP')).toBe(200);
    }, phone);
  });

  it('signs in at the stand-in that a sandbox on one machine has, by the member ID alone', async () => {
    await inBrowser(async (page) => {
      await page.goto(appOf('MHBE').authorizationUrl());
      await page.getByRole('link', { name: 'Continue with Plan Portal' }).click();
      await page.getByLabel('Member ID').fill('no member');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expectAccessible(page, 'plan portal sign-in');
      expect(await page.getByRole('alert').textContent()).toContain('Enter a member ID');
      await page.getByLabel('Member ID').fill(memberOf('sandbox', 'MHBE').memberId);
      await page.getByRole('button', { name: 'Sign in' }).click();
      expect(await shareAndRead(page, 'MHBE')).toBe(200);
    }, phone);
  });

  it('is led to the provider at once where it is the only way, and signs out here and there', async () => {
    await inBrowser(async (page) => {
      await page.goto(appOf('MAPD').authorizationUrl());
      expect(new URL(page.url()).origin).toBe(plans.MAPD.issuer);
      await signInAtPlan(page, 'adaeze');
      await page.getByRole('button', { name: 'Switch account' }).click();
      await page.waitForURL(`${plans.MAPD.issuer}/**`);
      await signInAtPlan(page, 'adaeze');
      expect(await shareAndRead(page, 'MAPD')).toBe(200);
      // The member has a session at the provider, which answers without a page.
      await page.goto(`${originsOf('sandbox').auth}/fhir-oauth2/sec/mapd/connected-apps`);
      expect(await mainText(page)).toContain('Blue Steps');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL(`${plans.MAPD.issuer}/**`);
      await page.locator('button[value=yes]').click();
      await page.waitForURL(/federation\/mapd\/signed-out/);
      await expectAccessible(page, 'federation signed out');
      await page.goto(appOf('MAPD').authorizationUrl());
      await page.locator('input[name=login]').waitFor();
    });
  });

  it.each([
    ['en', 'We could not find your plan record', /another account/i],
    ['es', 'No encontramos su registro en el plan', /otra cuenta/i],
  ])('whom the plan knows no member for learns what to do, and can use another account: %s', async (locale, title, other) => {
    await inBrowser(
      async (page) => {
        await page.goto(appOf('DSNP').authorizationUrl());
        await page.locator('a.button').click();
        await signInAtPlan(page, 'nobody');
        await expectAccessible(page, `federation unknown member ${locale}`);
        expect(await mainText(page)).toContain(title);
        await page.getByRole('link', { name: other }).click();
        await signInAtPlan(page, 'desmond');
        await page.waitForURL(/\/sec\/dsnp\/consent/);
      },
      { ...phone, locale },
    );
  });
});

describe('an answer of a provider', () => {
  it('is none at another line of business, nor of another issuer, and not a second time', async () => {
    await inBrowser(async (page) => {
      const answer = await interceptAnswer(page, 'desmond');
      const elsewhere = await page.goto(answer.replace('/dsnp/', '/mapd/'));
      expect(elsewhere?.status()).toBe(400);
      const mixed = new URL(answer);
      mixed.searchParams.set('iss', plans.MAPD.issuer);
      await page.goto(mixed.href);
      await expectAccessible(page, 'federation failed');
      expect(await mainText(page)).toContain('We could not sign you in');
      // The attempt has ended, so the right answer is refused as well.
      await page.goto(answer);
      expect(await mainText(page)).toContain('We could not sign you in');
    });
  });

  it('belongs to the browser that was sent there', async () => {
    const answer = await inBrowser((page) => interceptAnswer(page, 'desmond'));
    await inBrowser(async (page) => {
      expect((await page.goto(answer))?.status()).toBe(400);
      await page.goto(appOf('DSNP').authorizationUrl());
      expect((await page.goto(answer))?.status()).toBe(400);
    });
  });
});

describe('an id token', () => {
  const memberId = memberOf('sandbox', 'CHPDC').memberId;
  const seconds = () => Math.floor(Date.now() / 1000);

  /** Answers a sign-in with these claims. Returns the status and the text of the page. */
  async function answerWith(claims: Record<string, unknown>, idToken?: (right: string) => string) {
    return await inBrowser(async (page) => {
      await page.goto(appOf('CHPDC').authorizationUrl());
      const sent = new URL(page.url()).searchParams;
      const times = { iat: seconds(), exp: seconds() + 300, auth_time: seconds() };
      const right = { ...scripted.claims, ...times, nonce: sent.get('nonce'), plan_member_id: memberId };
      scripted.idToken = async () => {
        const signed = await scripted.sign({ ...right, ...claims });
        return idToken?.(signed) ?? signed;
      };
      const callback = new URL(sent.get('redirect_uri') ?? '');
      const answer = { code: 'c', state: sent.get('state') ?? '', iss: scripted.issuer };
      callback.search = new URLSearchParams(answer).toString();
      const response = await page.goto(callback.href);
      return { status: response?.status(), path: new URL(page.url()).pathname, text: await mainText(page) };
    });
  }
  const unsigned = (token: string) => {
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    return `${header}.${token.split('.')[1]}.`;
  };

  it('leads to consent where all is right', async () => {
    expect((await answerWith({})).path).toBe('/fhir-oauth2/sec/chpdc/consent');
  });

  it.each<[string, Record<string, unknown>, ((right: string) => string)?]>([
    ['for another audience', { aud: 'another' }],
    ['of another issuer', { iss: 'https://login.other.example' }],
    ['with the nonce of another sign-in', { nonce: 'another' }],
    ['that has expired', { exp: 1_700_000_000 }],
    ['without a signature', {}, unsigned],
  ])('%s is refused on a page', async (_what, claims, idToken) => {
    const { status, path, text } = await answerWith(claims, idToken);
    expect([status, path]).toEqual([400, '/fhir-oauth2/federation/chpdc/problem']);
    expect(text).toContain('We could not sign you in');
  });
});

it('a member who is withdrawn between sign-in and consent shares nothing', async () => {
  await loadDrop('DSNP', { Patient: [patient(leaving.patientId, leaving.memberId)] });
  await inBrowser(async (page) => {
    await page.goto(await interceptAnswer(page, 'leaving'));
    const share = page.getByRole('button', { name: english.share });
    await share.waitFor();
    await loadDrop('DSNP', {
      Parameters: [changeParameters({ withdraw: `Patient/${leaving.patientId}` })],
    });
    await share.click();
    // The page states the reason, and its link returns the refusal to the application.
    await page.getByRole('heading', { name: 'Nothing was shared' }).waitFor();
    await expectAccessible(page, 'federation account ended');
    await page.getByRole('link', { name: 'Go back to Blue Steps' }).click();
    await page.waitForURL((url) => url.searchParams.get('error') === 'access_denied');
    expect(new URL(page.url()).searchParams.has('code')).toBe(false);
    const again = await page.goto(await interceptAnswer(page, 'leaving'));
    expect(again?.status()).toBe(403);
    expect(await mainText(page)).toContain('We could not find your plan record');
  });
});

/** Starts a server that accepts connections and never answers. */
async function startSilentServer(port: number): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

describe('a provider that fails', () => {
  it('is told of on a page, when it is slow and when it is down, and nothing is half open', async () => {
    await inBrowser(async (page) => {
      const answer = await interceptAnswer(page, 'desmond');
      plans.DSNP.stop();
      const silent = await startSilentServer(Number(new URL(plans.DSNP.issuer).port));
      const begun = Date.now();
      const slow = await page.goto(answer);
      expect(Date.now() - begun).toBeLessThan(8_000);
      expect(slow?.status()).toBe(503);
      await expectAccessible(page, 'federation unavailable');
      expect(await mainText(page)).toContain('We cannot reach your plan’s sign-in');
      silent.close();
      await page.goto(answer);
      expect(await mainText(page)).toContain('We could not sign you in');
    });
  });
});
