import { generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { exportJWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClientJwk } from '../../lambdas/catalog/oauth/client-jwks.ts';
import {
  addressOf,
  ask,
  type Changes,
  errorOf,
  exchange,
  idTokenClaims,
  jsonOf,
  member,
  newApp,
  post,
  provider,
  readPatient,
  refresh,
  type Tokens,
} from './conformance.ts';
import { decide, localFetch, originsOf } from './journey.ts';

/**
 * Groups of the SMART App Launch 2.2 and ONC (g)(10) plans whose client authenticates with its own key: the asymmetric launch, and backend
 * services. docs/conformance.md names the test here for each test of the plans.
 */

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Registers an app that authenticates with its own key (SMART App Launch, "Client Authentication: Asymmetric"). */
async function asymmetricApp() {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-384' });
  const kid = randomUUID();
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES384' } as ClientJwk;
  const registered = await newApp({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [jwk] } });
  const assertion = async (audience: string, changes: Changes = {}) => {
    const claims = { iss: registered.clientId, sub: registered.clientId, ...changes };
    const jwt = new SignJWT(claims).setProtectedHeader({ alg: 'ES384', kid, typ: 'JWT' });
    jwt.setAudience(audience).setJti(randomUUID()).setIssuedAt().setExpirationTime('4m');
    return { client_assertion_type: assertionType, client_assertion: await jwt.sign(privateKey) };
  };
  return { registered, assertion };
}

describe('an asymmetric client', () => {
  it('launches standalone and refreshes, each by an assertion of its own', async () => {
    const { registered, assertion } = await asymmetricApp();
    const { token_endpoint } = await provider();
    const asked = ask(registered);
    const callback = await decide(await addressOf(asked), member);
    const code = callback.searchParams.get('code') ?? '';
    const proof = await assertion(token_endpoint);
    const tokens = await jsonOf<Tokens>(await exchange(registered, code, asked, proof, 'none'));
    expect((await idTokenClaims(registered, tokens.id_token)).aud).toBe(registered.clientId);
    expect((await readPatient(registered, tokens.access_token, tokens.patient)).status).toBe(200);
    const again = await assertion(token_endpoint);
    const refreshed = await refresh(registered, tokens.refresh_token, again, 'none');
    expect((await jsonOf<Tokens>(refreshed)).access_token).toMatch(/^ey/);
  });
});

describe('a backend service', () => {
  const tokenUrl = () => `${originsOf('sandbox').token}/token/v2`;
  let service: Awaited<ReturnType<typeof asymmetricApp>>;
  let scope: string;
  beforeAll(async () => {
    service = await asymmetricApp();
    const metadata = await localFetch(`${originsOf('sandbox').token}/.well-known/oauth-authorization-server`);
    scope = (await jsonOf<{ scopes_supported: string[] }>(metadata)).scopes_supported[0] ?? '';
  });

  async function request(changes: Changes = {}, claims: Changes = {}): Promise<Response> {
    const proof = await service.assertion(tokenUrl(), claims);
    const form = { grant_type: 'client_credentials', scope, ...proof, ...changes };
    return await post(tokenUrl(), form, {
      'x-api-subscription-key': service.registered.subscriptionKey,
    });
  }

  it('gets a short-lived bearer token for its signed assertion', async () => {
    const answer = await request();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    const tokens = await jsonOf<Tokens>(answer);
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope });
    expect(tokens.access_token).toMatch(/^ey/);
    expect(tokens.expires_in).toBeLessThanOrEqual(300);
  });

  it('is refused with another grant type', async () => {
    expect(await errorOf(await request({ grant_type: 'not_a_grant_type' }))).toEqual([
      400,
      'unsupported_grant_type',
    ]);
  });

  it('is refused with another type of assertion', async () => {
    expect(await errorOf(await request({ client_assertion_type: 'not_an_assertion_type' }))).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it('is refused with an assertion it did not issue', async () => {
    expect(await errorOf(await request({}, { iss: 'not_a_valid_iss' }))).toEqual([401, 'invalid_client']);
  });

  it('is refused the system scopes nothing here serves', async () => {
    expect(await errorOf(await request({ scope: 'system/*.rs' }))).toEqual([400, 'invalid_scope']);
  });
});
