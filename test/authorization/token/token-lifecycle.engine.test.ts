import { afterAll, describe, expect, it } from 'vitest';
import { grantKey } from '../../../lambdas/platform/table/table-keys.ts';
import { rfc7636, theMember, theRedirectUri, theSecret } from '../builders.ts';
import { aClientKey, assertionClaims, assertionType } from '../client-keys.ts';
import { type Call, eventOf, headerOf } from '../events.ts';
import { origins, startHandlerWorld } from '../handler-world.ts';
import { authorizationQuery, basic, obtainCode, redeem } from '../journey.ts';

/** Refresh, revocation and introspection through the deployed handlers and the real engine. */

const world = await startHandlerWorld();
afterAll(() => world.stop());
const { clientId } = await world.register();

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const scope = 'openid patient/*.read offline_access';
const code = (of = clientId) => obtainCode(world, authorizationQuery(of, { scope }));
const tokensOf = async (of = clientId): Promise<Tokens> =>
  JSON.parse((await redeem(world, of, await code(of))).body);

async function send(endpoint: string, form: Record<string, string>, headers?: Record<string, string>) {
  const path = `/fhir-oauth2/pub/dsnp/${endpoint}`;
  return await world.token(eventOf({ path, form, headers: headers ?? { authorization: basic(clientId) } }));
}

const refresh = (refresh_token: string) => send('token', { grant_type: 'refresh_token', refresh_token });
const active = async (token: string) => JSON.parse((await send('introspect', { token })).body).active;

describe('lasting access', () => {
  it('begins with the code and ends with the grant', async () => {
    const first = await tokensOf();
    const answer = await refresh(first.refresh_token);
    expect(answer.statusCode).toBe(200);
    expect(headerOf(answer, 'cache-control')).toBe('no-store');
    const second: Tokens = JSON.parse(answer.body);
    expect(await active(second.access_token)).toBe(true);
    expect(await active(first.refresh_token)).toBe(false);
    const revoked = await send('revoke', { token: second.access_token, token_type_hint: 'access_token' });
    expect(revoked).toMatchObject({ statusCode: 200, body: '{}' });
    for (const token of [first.access_token, second.access_token, second.refresh_token]) {
      expect(await active(token)).toBe(false);
    }
    expect((await refresh(second.refresh_token)).statusCode).toBe(400);
  });

  it('ends when its code is redeemed again, however often it was refreshed since', async () => {
    const value = await code();
    const first: Tokens = JSON.parse((await redeem(world, clientId, value)).body);
    const second: Tokens = JSON.parse((await refresh(first.refresh_token)).body);
    expect((await redeem(world, clientId, value)).statusCode).toBe(400);
    expect(await active(second.access_token)).toBe(false);
    expect((await refresh(second.refresh_token)).statusCode).toBe(400);
  });

  it('goes on after the store could not be reached, with the same token', async () => {
    const { refresh_token } = await tokensOf();
    const form = { grant_type: 'refresh_token', refresh_token };
    expect((await world.withoutStore(() => send('token', form))).statusCode).toBe(503);
    expect((await world.withoutStore(() => send('revoke', { token: refresh_token }))).statusCode).toBe(503);
    expect((await refresh(refresh_token)).statusCode).toBe(200);
  });

  it('leaves no token in the table or in the log', async () => {
    const first = await tokensOf();
    const second: Tokens = JSON.parse((await refresh(first.refresh_token)).body);
    const secrets = [first, second].flatMap(({ access_token, refresh_token }) => [
      access_token,
      refresh_token.split('.')[1] ?? '',
    ]);
    const [familyId = ''] = first.refresh_token.split('.');
    const { items } = await world.table.query({ pk: `DSNP#REFRESH#${familyId}` });
    const { items: grants } = await world.table.query({ pk: `DSNP#GRANT#${theMember.patientId}` });
    const stored = JSON.stringify([items, grants]);
    expect(items).toHaveLength(1);
    expect(grants.length).toBeGreaterThan(0);
    for (const secret of secrets) {
      expect(stored).not.toContain(secret);
      expect(world.logLines.join('\n')).not.toContain(secret);
    }
  });

  it('puts every step on record once, with the patient', async () => {
    const { clientId: own } = await world.register();
    const before = await events();
    const tokens = await tokensOf(own);
    const authorization = basic(own);
    await send(
      'token',
      { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
      { authorization },
    );
    await send('revoke', { token: tokens.access_token }, { authorization });
    const after = (await events()).slice(before.length).filter((event) => event.clientId === own);
    expect(after.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
      expect.arrayContaining(['token.issue succeeded', 'token.refresh succeeded', 'token.revoke succeeded']),
    );
    expect(after.filter(({ action }) => String(action).startsWith('token.'))).toHaveLength(3);
  });

  async function events() {
    return (await world.table.query({ pk: `AUDIT#DSNP#PATIENT#${theMember.patientId}` })).items;
  }

  it('has a grant that lives as long as the member was told', async () => {
    const tokens = await tokensOf();
    const payload = JSON.parse(
      Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString(),
    ) as { readonly grant: string; readonly iat: number };
    const grant = await world.table.get(grantKey('DSNP', theMember.patientId, payload.grant));
    expect(grant).toMatchObject({ state: 'active', expiresAt: payload.iat + 395 * 86_400 });
  });
});

describe('the endpoints beside the token endpoint', () => {
  it.each([
    'revoke',
    'introspect',
  ])('%s answers like it: methods, paths, bodies, challenges', async (endpoint) => {
    const path = `/fhir-oauth2/pub/dsnp/${endpoint}`;
    const answer = async (call: Partial<Call>) => await world.token(eventOf({ path, ...call }));
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
      const refused = await answer({ method });
      expect(refused.statusCode).toBe(405);
      expect(headerOf(refused, 'allow')).toBe('POST');
    }
    // Only servers introspect tokens, so the response has no CORS headers.
    expect((await answer({ method: 'OPTIONS' })).statusCode).toBe(endpoint === 'introspect' ? 405 : 204);
    expect((await answer({ path: path.replace('dsnp', 'nolob'), form: '' })).statusCode).toBe(404);
    const headers = { authorization: basic(clientId) };
    for (const json of [{ token: 1 }, [], 'x']) {
      expect((await answer({ json, headers })).statusCode).toBe(400);
    }
    expect((await answer({ json: { token: 'x' }, headers })).statusCode).toBe(200);
    expect(
      (await answer({ path: path.replace('dsnp', 'DSNP'), form: { token: 'x' }, headers })).statusCode,
    ).toBe(200);
    const wrong = await answer({
      form: { token: 'x' },
      headers: { authorization: basic(clientId, 'wrong') },
    });
    expect(wrong.statusCode).toBe(401);
    expect(headerOf(wrong, 'www-authenticate')).toMatch(/^Basic/);
    expect(headerOf(wrong, 'cache-control')).toBe('no-store');
  });

  it('take the secret in the body', async () => {
    const inBody = { client_id: clientId, client_secret: theSecret };
    const { access_token } = await tokensOf();
    const answer = await send('introspect', { token: access_token, ...inBody }, {});
    expect(JSON.parse(answer.body)).toMatchObject({ active: true });
    expect((await send('revoke', { token: access_token, ...inBody }, {})).statusCode).toBe(200);
  });

  it('take a client’s own signature, once each, across all of them', async () => {
    const key = await aClientKey('RS384');
    const own = await world.register({
      tokenEndpointAuthMethod: 'private_key_jwt',
      secrets: [],
      jwks: { keys: [key.jwk] },
    });
    const aud = `${origins.auth}/fhir-oauth2/pub/dsnp/token`;
    const assertion = async () => ({
      client_assertion_type: assertionType,
      client_assertion: await key.sign(assertionClaims(own.clientId, aud, Date.now())),
    });
    const grant = {
      grant_type: 'authorization_code',
      code: await code(own.clientId),
      redirect_uri: theRedirectUri,
      code_verifier: rfc7636.verifier,
    };
    const used = await assertion();
    const tokens: Tokens = JSON.parse((await send('token', { ...grant, ...used }, {})).body);
    const token = tokens.access_token;
    expect((await send('introspect', { token, ...used }, {})).statusCode).toBe(401);
    const asked = await send('introspect', { token, ...(await assertion()) }, {});
    expect(JSON.parse(asked.body)).toMatchObject({ active: true, client_id: own.clientId });
    expect((await send('revoke', { token, ...(await assertion()) }, {})).statusCode).toBe(200);
    expect(JSON.parse((await send('introspect', { token, ...(await assertion()) }, {})).body)).toEqual({
      active: false,
    });
  });
});
