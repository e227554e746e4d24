import { afterAll, describe, expect, it } from 'vitest';
import type { OAuthClient } from '../../lambdas/authorization/oauth/oauth-client.ts';
import { memberIssuer } from '../../lambdas/catalog/addresses.ts';
import { rfc7636, theRedirectUri } from '../authorization/builders.ts';
import { eventOf } from '../authorization/events.ts';
import { origins } from '../authorization/handler-world.ts';
import { authorizationQuery, basic, obtainCode, tokenCall } from '../authorization/journey.ts';
import { startWholeWorld } from '../support/whole-world.ts';

/**
 * Authorization codes and refresh tokens that are used by another client, at another endpoint or LOB, a second time, or for more than was
 * granted.
 */

const world = await startWholeWorld();
afterAll(() => world.stop());
const app = await world.application({ redirectUris: [theRedirectUri, `${theRedirectUri}/two`] });
const other = await world.application();

const lasting = { scope: 'openid launch/patient patient/*.read offline_access' };
const codeOf = (client: OAuthClient, changes = {}) =>
  obtainCode(world, authorizationQuery(client.clientId, changes));

async function token(client: OAuthClient, parameters: Record<string, string>, lob = 'dsnp') {
  const answer = await world.token(
    eventOf({
      path: `/fhir-oauth2/pub/${lob}/token`,
      headers: { authorization: basic(client.clientId) },
      json: parameters,
    }),
  );
  return JSON.parse(answer.body) as Record<string, string>;
}

const presentation = (code: string, changes = {}) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: theRedirectUri,
  code_verifier: rfc7636.verifier,
  ...changes,
});

describe('a stolen code', () => {
  it('buys another application nothing, and then nobody', async () => {
    const code = await codeOf(app.client);
    expect((await token(other.client, presentation(code))).error).toBe('invalid_grant');
    expect((await token(app.client, presentation(code))).error).toBe('invalid_grant');
  });

  it.each(['mapd', 'MAPD'])('buys nothing in %s, and stays good where it belongs', async (lob) => {
    const code = await codeOf(app.client);
    expect((await token(app.client, presentation(code), lob)).error).toBe('invalid_grant');
    expect((await token(app.client, presentation(code))).access_token).toBeDefined();
  });

  it.each([
    ['another of the application’s own', `${theRedirectUri}/two`],
    ['a longer path', `${theRedirectUri}/`],
    ['another case', theRedirectUri.toUpperCase()],
    ['an encoding', theRedirectUri.replace('callback', '%63allback')],
    ['a double encoding', theRedirectUri.replace('callback', '%2563allback')],
    ['userinfo', theRedirectUri.replace('https://', 'https://app.example.com@')],
    ['a fragment', `${theRedirectUri}#`],
  ])('buys nothing with a redirect URI that differs by %s', async (_what, redirect_uri) => {
    const code = await codeOf(app.client);
    expect((await token(app.client, presentation(code, { redirect_uri }))).error).toBe('invalid_grant');
    expect((await token(app.client, presentation(code))).error).toBe('invalid_grant');
  });

  it('is refused alike whatever is wrong, so that a thief learns nothing', async () => {
    const answers = [
      await token(other.client, presentation(await codeOf(app.client))),
      await token(app.client, presentation('unknown')),
      await token(
        app.client,
        presentation(await codeOf(app.client), { redirect_uri: 'https://evil.example/' }),
      ),
      await token(app.client, presentation(await codeOf(app.client), { code_verifier: 'A'.repeat(43) })),
    ];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('replayed ends every token it bought, refreshed ones too', async () => {
    const code = await codeOf(app.client, lasting);
    const first = await token(app.client, presentation(code));
    const second = await token(app.client, {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token ?? '',
    });
    expect(await world.read(app, second.access_token ?? '')).toBe(200);
    expect((await token(app.client, presentation(code))).error).toBe('invalid_grant');
    expect(await world.read(app, first.access_token ?? '')).toBe(401);
    expect(await world.read(app, second.access_token ?? '')).toBe(401);
    const third = { grant_type: 'refresh_token', refresh_token: second.refresh_token ?? '' };
    expect((await token(app.client, third)).error).toBe('invalid_grant');
  });
});

it('a redeemed code in another application’s hands takes nothing from its owner', async () => {
  const code = await codeOf(app.client, lasting);
  const { access_token, refresh_token } = await token(app.client, presentation(code));
  expect((await token(other.client, presentation(code))).error).toBe('invalid_grant');
  expect(await world.read(app, access_token ?? '')).toBe(200);
  const next = { grant_type: 'refresh_token', refresh_token: refresh_token ?? '' };
  expect((await token(app.client, next)).access_token).toBeDefined();
});

describe('a stolen refresh token', () => {
  const issued = async () => await token(app.client, presentation(await codeOf(app.client, lasting)));
  const refresh = (client: OAuthClient, refresh_token: string | undefined, changes = {}, lob = 'dsnp') =>
    token(client, { grant_type: 'refresh_token', refresh_token: refresh_token ?? '', ...changes }, lob);

  it('buys another application nothing, and ends the grant', async () => {
    const { refresh_token, access_token } = await issued();
    expect((await refresh(other.client, refresh_token)).error).toBe('invalid_grant');
    expect((await refresh(app.client, refresh_token)).error).toBe('invalid_grant');
    expect(await world.read(app, access_token ?? '')).toBe(401);
  });

  it('buys nothing in another LOB', async () => {
    const { refresh_token } = await issued();
    expect((await refresh(app.client, refresh_token, {}, 'mapd')).error).toBe('invalid_grant');
    expect((await refresh(app.client, refresh_token)).access_token).toBeDefined();
  });

  it('used after its successor was used ends all of them', async () => {
    const first = await issued();
    const second = await refresh(app.client, first.refresh_token);
    const third = await refresh(app.client, second.refresh_token);
    expect((await refresh(app.client, first.refresh_token)).error).toBe('invalid_grant');
    expect((await refresh(app.client, third.refresh_token)).error).toBe('invalid_grant');
    for (const { access_token } of [first, second, third]) {
      expect(await world.read(app, access_token ?? '')).toBe(401);
    }
  });

  it.each([
    ['', 'invalid_request'],
    ['x', 'invalid_grant'],
    ['..', 'invalid_grant'],
    ['\0', 'invalid_grant'],
    ['\ud800', 'invalid_grant'],
    [`${'A'.repeat(22)}.${'A'.repeat(43)}`, 'invalid_grant'],
    [`${'A'.repeat(22)}.${'A'.repeat(43)}\n`, 'invalid_grant'],
    ['A'.repeat(10_000), 'invalid_grant'],
  ])('guessed as %j buys nothing', async (guess, error) => {
    expect((await refresh(app.client, guess)).error).toBe(error);
  });

  it('is no access token, and an access token, an id_token or a code is no refresh token', async () => {
    const { refresh_token, access_token, id_token } = await issued();
    expect(await world.read(app, refresh_token ?? '')).toBe(401);
    expect(await world.read(app, id_token ?? '')).toBe(401);
    for (const wrong of [access_token, id_token, await codeOf(app.client)]) {
      expect((await refresh(app.client, wrong)).error).toBe('invalid_grant');
    }
  });
});

describe('more than was granted', () => {
  const narrow = { scope: 'openid patient/Patient.s offline_access' };

  it.each([
    'patient/*.read',
    'patient/Patient.rs',
    'patient/Patient.read',
    'openid patient/Patient.s fhirUser',
    'system/*.read',
    'user/*.*',
    'patient/Patient.s patient/Coverage.rs',
  ])('is not had by refreshing with the scope %s', async (scope) => {
    const first = await token(app.client, presentation(await codeOf(app.client, narrow)));
    expect(first.scope).not.toContain('.rs');
    const wider = await token(app.client, {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token ?? '',
      scope,
    });
    const got = (wider.scope ?? '').split(' ').filter((one) => one !== '');
    for (const one of got) expect((first.scope ?? '').split(' ')).toContain(one);
    if (wider.access_token !== undefined) expect(await world.read(app, wider.access_token)).toBe(403);
  });

  it('is not had by a scope in the code’s redemption', async () => {
    const code = await codeOf(app.client, narrow);
    const { scope, access_token } = await token(app.client, presentation(code, { scope: 'patient/*.cruds' }));
    expect(scope).toBe('openid offline_access patient/Patient.s');
    expect(await world.read(app, access_token ?? '')).toBe(403);
  });

  it.each([
    ['no product for the data', { products: ['provider-directory'] }],
    ['no such LOB', { linesOfBusiness: ['MAPD'] }],
    ['no such grant', { grantTypes: ['client_credentials'] }],
  ] as const)('is not had by an application with %s', async (_what, changes) => {
    const { client } = await world.application(changes as Partial<OAuthClient>);
    const query = authorizationQuery(client.clientId, { scope: 'patient/Patient.rs' });
    const answer = await world.authorize(eventOf({ path: '/fhir-oauth2/sec/dsnp/authorize', query }));
    expect(answer.statusCode).toBe(303);
  });

  it.each([
    'refresh_token',
    'password',
    'implicit',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'client_credentials',
  ])('is not had by the grant type %s', async (grant_type) => {
    const code = await codeOf(app.client);
    const answer = await token(app.client, {
      ...presentation(code, { grant_type }),
      username: 'x',
      password: 'y',
      assertion: code,
    });
    expect(answer.access_token).toBeUndefined();
    expect(['unsupported_grant_type', 'unauthorized_client', 'invalid_request']).toContain(answer.error);
  });
});

describe('a mix-up', () => {
  it('of LOBs is seen: each names itself, and signs with its own key for its own audience', async () => {
    const { access_token = '' } = await token(app.client, presentation(await codeOf(app.client)));
    const claims = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims.iss).toBe(memberIssuer(origins, 'DSNP'));
    expect(claims.aud).toContain('//dsnp.');
    const elsewhere = tokenCall(app.client.clientId, await codeOf(app.client), {
      path: '/fhir-oauth2/pub/mapd/token',
    });
    expect((await world.token(eventOf(elsewhere))).statusCode).toBe(400);
  });

  it.each([
    'https://mapd.api.sandbox.example.org/extfhirpatientaccess/v1',
    'https://evil.example/',
    'https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1//',
    'https://DSNP.api.sandbox.example.org/extfhirpatientaccess/v1',
  ])('of resource servers is refused: aud and resource %s', async (address) => {
    for (const [name, error] of [
      ['aud', 'invalid_request'],
      ['resource', 'invalid_target'],
    ] as const) {
      const query = authorizationQuery(app.client.clientId, { [name]: address });
      const answer = await world.authorize(eventOf({ path: '/fhir-oauth2/sec/dsnp/authorize', query }));
      expect(String(answer.headers?.Location)).toContain(`error=${error}`);
    }
  });
});
