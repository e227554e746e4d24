import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { authorizationServerEndpoints, fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import {
  decide,
  localFetch,
  memberOf,
  originsOf,
  provision,
  redirectUri,
  register,
  registrationOf,
} from './journey.ts';

/** Errors for bad input through HTTP: each in the host's dialect and without internal details. */

type App = Awaited<ReturnType<typeof register>>;
const lob = 'DSNP';

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

function authorizationUrl(app: App, of: LineOfBusiness = lob, changes: Record<string, string> = {}): string {
  const origins = originsOf('sandbox');
  return `${authorizationServerEndpoints(origins, of).authorization}?${new URLSearchParams({
    client_id: app.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid launch/patient patient/Patient.rs',
    state: 'of-the-app',
    aud: fhirBase(origins, of, 'patient-access'),
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  })}`;
}

async function codeFor(app: App, of: LineOfBusiness = lob): Promise<string> {
  const back = await decide(authorizationUrl(app, of), memberOf('sandbox', of));
  return back.searchParams.get('code') ?? '';
}

function basic(app: App, secret = app.clientSecret): string {
  return `Basic ${Buffer.from(`${app.clientId}:${secret}`).toString('base64')}`;
}

async function redeem(
  app: App,
  code: string,
  changes: Record<string, string> = {},
  of: LineOfBusiness = lob,
) {
  return await localFetch(authorizationServerEndpoints(originsOf('sandbox'), of).token, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: basic(app) },
    body: JSON.stringify({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...changes,
    }),
  });
}

async function tokenFor(
  app: App,
  of: LineOfBusiness = lob,
  changes: Record<string, string> = {},
): Promise<string> {
  const answer = (await (await redeem(app, await codeFor(app, of), changes, of)).json()) as {
    access_token: string;
  };
  return answer.access_token;
}

const patientPath = `/Patient/${memberOf('sandbox', lob).patientId}`;

async function read(
  credentials: { readonly token?: string | undefined; readonly key?: string | undefined },
  path = patientPath,
  of: LineOfBusiness = lob,
  environment: 'sandbox' | 'production' = 'sandbox',
  init: RequestInit = {},
): Promise<Response> {
  return await localFetch(`${fhirBase(originsOf(environment), of, 'patient-access')}${path}`, {
    ...init,
    headers: {
      ...(credentials.token === undefined ? {} : { authorization: `Bearer ${credentials.token}` }),
      ...(credentials.key === undefined ? {} : { 'x-api-subscription-key': credentials.key }),
    },
  });
}

/** Expects an OperationOutcome without internal details, and returns it. */
async function outcome(answer: Response): Promise<{ issue: { code: string }[] }> {
  const text = await answer.text();
  expect(text).not.toMatch(/dynamo|lambda|cognito|node_modules|stack|\bat .*:\d+:\d+/i);
  const body = JSON.parse(text) as { resourceType: string; issue: { code: string }[] };
  expect(body.resourceType).toBe('OperationOutcome');
  return body;
}

async function oauthError(answer: Response): Promise<string> {
  expect(answer.headers.get('cache-control')).toContain('no-store');
  const body = (await answer.json()) as { error: string };
  return body.error;
}

describe('bad input', () => {
  let app: App;
  let other: App;
  let token: string;
  beforeAll(async () => {
    app = await register('sandbox', registrationOf(lob));
    other = await register('sandbox', registrationOf(lob));
    token = await tokenFor(app);
  });

  describe('at the FHIR host', () => {
    it('lets the right token and key in', async () => {
      expect((await read({ token, key: app.subscriptionKey })).status).toBe(200);
    });

    it.each([
      ['no key', () => ({ token })],
      ['no token', () => ({ key: app.subscriptionKey })],
      ['neither', () => ({})],
    ])('answers %s with 401 and asks for a bearer token', async (_what, credentials) => {
      const answer = await read(credentials());
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+"$/);
      await outcome(answer);
    });

    it('answers an unknown key with 403', async () => {
      const answer = await read({ token, key: 'k'.repeat(40) });
      expect(answer.status).toBe(403);
      await outcome(answer);
    });

    it('answers the key of another application with 403', async () => {
      const answer = await read({ token, key: other.subscriptionKey });
      expect(answer.status).toBe(403);
      await outcome(answer);
    });

    it('answers a tampered token with 401 invalid_token', async () => {
      const [header, payload, signature = ''] = token.split('.');
      const bent = `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      const answer = await read({ token: bent, key: app.subscriptionKey });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      await outcome(answer);
    });

    it('answers the token of another line of business, and of another environment, with 401', async () => {
      const wide = await register('sandbox', registrationOf(lob, { linesOfBusiness: ['DSNP', 'MAPD'] }));
      const elsewhere = await read(
        { token: await tokenFor(wide, 'MAPD'), key: wide.subscriptionKey },
        patientPath,
        lob,
      );
      expect(elsewhere.status).toBe(401);
      expect(elsewhere.headers.get('www-authenticate')).toContain('invalid_token');
      const inProduction = await register('production', registrationOf(lob));
      const crossed = await read(
        { token, key: inProduction.subscriptionKey },
        patientPath,
        lob,
        'production',
      );
      expect(crossed.status).toBe(401);
    });

    it('answers another member’s id and an id that does not exist alike', async () => {
      const ids = [memberOf('sandbox', lob, 1).patientId, '00000000-0000-4000-8000-000000000000'];
      const [another, missing] = await Promise.all(
        ids.map(async (id) => {
          const answer = await read({ token, key: app.subscriptionKey }, `/Patient/${id}`);
          const text = await answer.text();
          return { status: answer.status, type: answer.headers.get('content-type'), text };
        }),
      );
      expect(another?.status).toBe(404);
      expect(another).toEqual(missing);
    });

    it('answers an unknown path with 404, and another method with 405 and the path’s own', async () => {
      const unknown = await read({ token, key: app.subscriptionKey }, '/Nonsense/1');
      expect(unknown.status).toBe(404);
      await outcome(unknown);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const wrong = await read({ token, key: app.subscriptionKey }, patientPath, lob, 'sandbox', {
          method,
        });
        expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
        await outcome(wrong);
      }
    });

    it('has no Provider Directory for MHBE, and one for the others', async () => {
      const origins = originsOf('sandbox');
      const mhbe = await localFetch(`${fhirBase(origins, 'MHBE', 'provider-directory')}/metadata`);
      expect(mhbe.status).toBe(404);
      const dsnp = await localFetch(`${fhirBase(origins, 'DSNP', 'provider-directory')}/metadata`);
      expect(dsnp.status).toBe(200);
    });

    it('refuses a suspended application’s key at once, and lets it in again when it resumes', async () => {
      const suspended = await register('sandbox', registrationOf(lob));
      const credentials = { token: await tokenFor(suspended), key: suspended.subscriptionKey };
      expect((await read(credentials)).status).toBe(200);
      const act = (action: 'suspend' | 'resume') =>
        provision('sandbox', { action, requestId: crypto.randomUUID(), clientId: suspended.clientId });
      await act('suspend');
      expect((await read(credentials)).status).toBe(403);
      await act('resume');
      expect((await read(credentials)).status).toBe(200);
    });

    it('answers 429 with Retry-After once the key’s rate is used up', async () => {
      const eager = await register('sandbox', registrationOf(lob, { tier: 'narrow' }));
      const credentials = { token: await tokenFor(eager), key: eager.subscriptionKey };
      // A first read, after which the gateway has the authorizer's answer in its cache, so that the usage plan counts the next calls as
      // they arrive, however slow functions are.
      expect((await read(credentials)).status).toBe(200);
      const answers = await Promise.all(Array.from({ length: 60 }, () => read(credentials)));
      const throttled = answers.filter(({ status }) => status === 429);
      expect(throttled.length).toBeGreaterThan(0);
      expect(throttled[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(9);
      for (const answer of throttled.slice(0, 1)) await outcome(answer);
    });
  });

  describe('with a token that is over', () => {
    const { introspection, userInfo } = authorizationServerEndpoints(originsOf('sandbox'), lob);
    let used: string;
    let unused: string;
    const readWith = async (token: string) => await read({ token, key: app.subscriptionKey });
    const active = async (token: string) => {
      const headers = { authorization: basic(app), 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams({ token });
      return (await localFetch(introspection, { method: 'POST', headers, body })).json();
    };
    const who = async (token: string) =>
      await localFetch(userInfo, { headers: { authorization: `Bearer ${token}` } });

    const overAt = (token: string) => Number(decodeJwt(token).exp) * 1_000;

    /**
     * Uses a new token within its lifetime of some seconds.
     *
     * @returns false if the machine was too slow
     */
    async function usedInTime(expires_in: string): Promise<boolean> {
      used = await tokenFor(app, lob, { expires_in });
      const statuses = [(await readWith(used)).status, (await who(used)).status];
      const introspected = await active(used);
      if (Date.now() >= overAt(used)) return false;
      expect(statuses).toEqual([200, 200]);
      expect(introspected).toMatchObject({ active: true });
      return true;
    }

    beforeAll(async () => {
      unused = await tokenFor(app, lob, { expires_in: '3' });
      for (let seconds = 3; !(await usedInTime(String(seconds))); ) seconds *= 2;
      const over = Math.max(overAt(used), overAt(unused));
      await new Promise((resolve) => setTimeout(resolve, over - Date.now() + 50));
    });

    it('refuses at the gateway one that was not used before', async () => {
      const answer = await readWith(unused);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect((await outcome(answer)).issue[0]?.code).toBe('login');
    });

    // The gateway caches the authorizer's answer for 30 s. It renames the function's header.
    it('refuses in the function one that the gateway still lets through', async () => {
      const answer = await readWith(used);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('x-amzn-remapped-www-authenticate')).toContain('error="invalid_token"');
      expect((await outcome(answer)).issue[0]?.code).toBe('login');
    });

    it('says of it that it is not active, and not whose it was', async () => {
      for (const token of [used, unused]) {
        expect(await active(token)).toEqual({ active: false });
        const answer = await who(token);
        expect(answer.status).toBe(401);
        expect(answer.headers.get('x-amzn-remapped-www-authenticate')).toContain('error="invalid_token"');
        expect(await answer.json()).toMatchObject({ error: 'invalid_token' });
      }
    });
  });

  describe('at the token endpoint', () => {
    it.each([
      ['malformed JSON', 'application/json', '{"grant_type":'],
      ['a JSON array', 'application/json', '[]'],
      ['a form without a grant type', 'application/x-www-form-urlencoded', 'code=x'],
      ['a parameter sent twice', 'application/x-www-form-urlencoded', 'grant_type=a&grant_type=b'],
    ])('answers %s with 400 invalid_request', async (_what, contentType, body) => {
      const answer = await localFetch(authorizationServerEndpoints(originsOf('sandbox'), lob).token, {
        method: 'POST',
        headers: { 'content-type': contentType, authorization: basic(app) },
        body,
      });
      expect(answer.status).toBe(400);
      expect(await oauthError(answer)).toBe('invalid_request');
    });

    it('answers a wrong secret and an unknown client with 401 invalid_client', async () => {
      for (const authorization of [
        basic(app, 'wrong'),
        `Basic ${Buffer.from('nobody:wrong').toString('base64')}`,
      ]) {
        const answer = await localFetch(authorizationServerEndpoints(originsOf('sandbox'), lob).token, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', authorization },
          body: 'grant_type=authorization_code&code=x&redirect_uri=https%3A%2F%2Fapp.example.org%2Fcallback',
        });
        expect(answer.status).toBe(401);
        expect(await oauthError(answer)).toBe('invalid_client');
      }
    });

    it('redeems a code once; the second time the code’s token dies', async () => {
      const code = await codeFor(app);
      const first = (await (await redeem(app, code)).json()) as { access_token: string };
      expect((await read({ token: first.access_token, key: app.subscriptionKey })).status).toBe(200);
      const second = await redeem(app, code);
      expect(second.status).toBe(400);
      expect(await oauthError(second)).toBe('invalid_grant');
      expect((await read({ token: first.access_token, key: app.subscriptionKey })).status).toBe(401);
    });

    it('gives one token for 100 concurrent redemptions of one code', async () => {
      const code = await codeFor(app);
      const answers = await Promise.all(Array.from({ length: 100 }, () => redeem(app, code)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      // 503: the store may refuse some requests under this load.
      expect(statuses.filter((status) => ![200, 400, 503].includes(status))).toEqual([]);
    });

    it.each([
      ['another redirect URI', { redirect_uri: `${redirectUri}/` }],
      ['another verifier', { code_verifier: 'v'.repeat(43) }],
      ['a code nobody was given', { code: 'c'.repeat(43) }],
    ])('answers %s with invalid_grant', async (_what, changes) => {
      const answer = await redeem(app, await codeFor(app), changes);
      expect(answer.status).toBe(400);
      expect(await oauthError(answer)).toBe('invalid_grant');
    });

    it('answers the code of another application with invalid_grant', async () => {
      const answer = await redeem(other, await codeFor(app));
      expect(await oauthError(answer)).toBe('invalid_grant');
    });
  });

  describe('at the authorization endpoint', () => {
    it('shows a page and redirects nowhere when the redirect URI is not the application’s', async () => {
      const answer = await localFetch(
        authorizationUrl(app, lob, { redirect_uri: 'https://app.example.org/callback/evil' }),
        { redirect: 'manual' },
      );
      expect(answer.status).toBe(400);
      expect(answer.headers.get('location')).toBeNull();
      expect(answer.headers.get('content-type')).toContain('text/html');
      expect(await answer.text()).not.toContain('callback/evil');
    });

    it('tells the application of a response type it can’t have, with state and issuer', async () => {
      const answer = await localFetch(authorizationUrl(app, lob, { response_type: 'token' }), {
        redirect: 'manual',
      });
      const back = new URL(answer.headers.get('location') ?? '');
      expect(back.origin + back.pathname).toBe(redirectUri);
      expect(back.searchParams.get('error')).toBe('unsupported_response_type');
      expect(back.searchParams.get('state')).toBe('of-the-app');
      expect(back.searchParams.get('iss')).toContain('/fhir-oauth2/dsnp');
    });

    it('takes the LOB in either case, with and without a trailing slash', async () => {
      const url = authorizationUrl(app);
      for (const spelling of [
        url,
        url.replace('/authorize?', '/authorize/?'),
        url.replace('/sec/dsnp/', '/sec/DSNP/'),
      ]) {
        const answer = await localFetch(spelling, { redirect: 'manual' });
        expect(answer.status).toBe(200);
        expect(await answer.text()).toContain('Member ID or e-mail');
      }
    });

    it('tells the application that the member did not share', async () => {
      const back = await decide(authorizationUrl(app), memberOf('sandbox', lob), "Don't share");
      expect(back.searchParams.get('error')).toBe('access_denied');
      expect(back.searchParams.get('code')).toBeNull();
    });
  });
});
