import { generateKeyPair, type JWTPayload } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProviderClient } from '../../../lambdas/authorization/identity-provider/openid-client.ts';
import type { IdentityProvider } from '../../../lambdas/catalog/oauth/identity-providers.ts';
import { createGuardedRequest } from '../../../lambdas/platform/runtime/guarded-fetch.ts';
import { memberIdClaim, planScope, startPlanProvider } from '../../support/plan-provider.ts';
import { newKeyPair, type ScriptedProvider, startScriptedProvider } from '../../support/scripted-provider.ts';
import { signInAtProvider } from './provider-visit.ts';

const redirectUri = 'https://auth.sandbox.example.org/fhir-oauth2/federation/dsnp/callback';
const secrets = { state: 'handle.attempt', nonce: 'nonce-1', codeVerifier: 'v'.repeat(43) };
const request = { ...secrets, redirectUri, uiLocales: 'en' };
const key = { kid: 'our-key', key: (await generateKeyPair('RS256')).privateKey };

const providerAt = (issuer: string, changes: Partial<IdentityProvider> = {}): IdentityProvider => ({
  ...{ issuer, clientId: 'member-data', clientAuthentication: 'client_secret_basic' },
  ...{ idTokenAlgorithm: 'RS256', memberIdClaim, scopes: ['openid', planScope] },
  ...{ label: { en: 'Plan Portal', es: 'Portal del plan' }, acrValues: [], localAccounts: true },
  ...changes,
});

const without = (claims: JWTPayload, name: string): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name));

const codes: string[] = [];
afterEach(() => {
  codes.length = 0;
  vi.useRealTimers();
});

/** Requests to a provider on this machine. The timeout is long, except for tests of a provider that never answers. */
const requests = (timeoutMs = 20_000) => createGuardedRequest(undefined, { loopback: true, timeoutMs });

const clientOf = (changes: Partial<Parameters<typeof createProviderClient>[0]> = {}) =>
  createProviderClient({
    send: requests(),
    signingKey: async () => key,
    clientSecret: async () => 'the-plan’s-secret',
    failed: (refusal, code) => codes.push(`${refusal} ${code}`),
    now: Date.now,
    loopback: true,
    ...changes,
  });

describe('oidc-provider as a plan’s identity provider', () => {
  it('authenticates a member, with a secret', async () => {
    const plan = await startPlanProvider({
      accounts: { rosa: 'DSNP0001' },
      client: {
        ...{ client_id: 'member-data', client_secret: 'the-plan-s-secret', redirect_uris: [redirectUri] },
        scope: `openid ${planScope}`,
      },
    });
    const client = clientOf({ clientSecret: async () => 'the-plan-s-secret' });
    const provider = providerAt(plan.issuer);
    const sent = await client.authorizationAddress(provider, {
      ...request,
      maxAge: 60,
      acrValues: 'urn:plan:password',
    });
    if (sent.kind !== 'address') throw new Error(sent.refusal);
    const callback = await signInAtProvider(sent.address, 'rosa');
    expect(callback).toContain(`iss=${encodeURIComponent(plan.issuer)}`);
    const identity = await client.authenticate(provider, callback, secrets);
    expect(codes).toEqual([]);
    expect(identity).toMatchObject({
      ...{ kind: 'authenticated', issuer: plan.issuer, subject: 'rosa', memberId: 'DSNP0001' },
      authTime: expect.any(Number),
    });
    // The code was redeemed by the first call.
    expect(await client.authenticate(provider, callback, secrets)).toEqual({
      ...{ kind: 'refusal', refusal: 'provider_error' },
    });
    plan.stop();
  });
});

describe('an answer of a provider', () => {
  let scripted: ScriptedProvider;
  beforeEach(async () => {
    scripted = await startScriptedProvider('member-data', secrets.nonce);
  });
  afterEach(() => scripted.stop());

  const callbackOf = (changes: Record<string, string> = {}) =>
    `${redirectUri}?${new URLSearchParams({ code: 'c', state: secrets.state, iss: scripted.issuer, ...changes })}`;
  const authenticate = (callback = callbackOf(), client = clientOf()) =>
    client.authenticate(providerAt(scripted.issuer), callback, secrets);

  it('is taken where everything is right, with PKCE and the credentials of the client', async () => {
    expect(await authenticate()).toMatchObject({ kind: 'authenticated', memberId: 'DSNP0001' });
    expect(Object.fromEntries(scripted.tokenRequests[0] ?? [])).toMatchObject({
      ...{ grant_type: 'authorization_code', code: 'c', redirect_uri: redirectUri },
      code_verifier: secrets.codeVerifier,
    });
    expect(scripted.authorizations[0]).toMatch(/^Basic /);
  });

  it.each([
    ['its name', { name: 'Rosa Ejemplo', given_name: 'R.' }, 'Rosa Ejemplo'],
    ['given and family name', { given_name: 'Rosa', family_name: 'Ejemplo' }, 'Rosa Ejemplo'],
    ['a given name alone', { name: ' ', given_name: 'Rosa', family_name: 7 }, 'Rosa'],
    ['no name', {}, undefined],
  ])('tells %s', async (_what, named, name) => {
    const claims = ['name', 'given_name', 'family_name'].reduce(without, scripted.claims as JWTPayload);
    scripted.idToken = () => scripted.sign({ ...claims, ...named });
    expect((await authenticate()) as { readonly name?: string }).toMatchObject({
      kind: 'authenticated',
      name,
    });
  });

  it('can be had with a signed assertion, by the key of that moment', async () => {
    const provider = providerAt(scripted.issuer, { clientAuthentication: 'private_key_jwt' });
    await clientOf().authenticate(provider, callbackOf(), secrets);
    const [, payload = ''] = scripted.tokenRequests[0]?.get('client_assertion')?.split('.') ?? [];
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      ...{ iss: 'member-data', sub: 'member-data', aud: scripted.issuer },
    });
    expect(scripted.authorizations[0]).toBeUndefined();
  });

  it.each<[string, Record<string, string>]>([
    ['another issuer', { iss: 'https://login.other.example' }],
    ['another state', { state: 'handle.another' }],
  ])('is refused with %s, before its code is sent anywhere', async (_what, changes) => {
    expect(await authenticate(callbackOf(changes))).toEqual({
      ...{ kind: 'refusal', refusal: 'provider_answer_invalid' },
    });
    expect(scripted.tokenRequests).toEqual([]);
  });

  it('is refused without an issuer, where the provider says that it names itself', async () => {
    const callback = `${redirectUri}?${new URLSearchParams({ code: 'c', state: secrets.state })}`;
    expect(await authenticate(callback)).toMatchObject({ refusal: 'provider_answer_invalid' });
    expect(scripted.tokenRequests).toEqual([]);
  });

  it.each<[string, string]>([
    ['access_denied', 'provider_access_denied'],
    ['login_required', 'provider_login_required'],
    ['interaction_required', 'provider_login_required'],
    ['temporarily_unavailable', 'provider_unavailable'],
    ['server_error', 'provider_unavailable'],
    ['invalid_scope', 'provider_error'],
    ['<script>', 'provider_error'],
  ])('%s is %s', async (error, refusal) => {
    expect(await authenticate(callbackOf({ error }))).toEqual({ kind: 'refusal', refusal });
  });

  const base64Url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  it.each<[string, (of: ScriptedProvider) => Promise<string>]>([
    ['for another audience', (of) => of.sign({ ...of.claims, aud: 'another-client' })],
    [
      'for two audiences, authorized for the other',
      (of) => of.sign({ ...of.claims, aud: ['member-data', 'b'], azp: 'b' }),
    ],
    [
      'for two audiences, authorized for nobody',
      (of) => of.sign({ ...of.claims, aud: ['member-data', 'b'] }),
    ],
    ['of another issuer', (of) => of.sign({ ...of.claims, iss: 'https://login.other.example' })],
    ['of another request', (of) => of.sign({ ...of.claims, nonce: 'nonce-of-before' })],
    ['without a nonce', (of) => of.sign(without(of.claims, 'nonce'))],
    ['that has expired', (of) => of.sign({ ...of.claims, exp: Math.floor(Date.now() / 1000) - 60 })],
    ['without an end', (of) => of.sign(without(of.claims, 'exp'))],
    ['without a time', (of) => of.sign(without(of.claims, 'iat'))],
    ['without a subject', (of) => of.sign(without(of.claims, 'sub'))],
    ['for us, authorized for another', (of) => of.sign({ ...of.claims, azp: 'another-client' })],
    ['with an empty subject', (of) => of.sign({ ...of.claims, sub: '' })],
    ['with a blank subject', (of) => of.sign({ ...of.claims, sub: ' ' })],
    ['with a subject of 256 characters', (of) => of.sign({ ...of.claims, sub: 's'.repeat(256) })],
    ['that never ends', (of) => of.sign({ ...of.claims, exp: 1e308 })],
    ['of before there was time', (of) => of.sign({ ...of.claims, auth_time: -1 })],
    ['unsigned', async (of) => `${base64Url({ alg: 'none' })}.${base64Url(of.claims)}.`],
    [
      'with the signature of another',
      async (of) => {
        const other = await startScriptedProvider('member-data', secrets.nonce, await newKeyPair());
        other.stop();
        return await other.sign(of.claims);
      },
    ],
    [
      'changed after it was signed',
      async (of) => {
        const [head, , signature] = (await of.sign(of.claims)).split('.');
        return `${head}.${base64Url({ ...of.claims, plan_member_id: 'DSNP0002' })}.${signature}`;
      },
    ],
    [
      'signed with the public key as a shared secret',
      async (of) => {
        const { exportSPKI, SignJWT } = await import('jose');
        const secret = new TextEncoder().encode(await exportSPKI(of.publicKey));
        return await new SignJWT(of.claims).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(secret);
      },
    ],
    ['that is no token', async () => 'token'],
  ])('is refused with an id token %s', async (_what, idToken) => {
    scripted.idToken = () => idToken(scripted);
    expect(await authenticate()).toEqual({ kind: 'refusal', refusal: 'provider_answer_invalid' });
  });

  it('is refused where it has no id token', async () => {
    scripted.idToken = async () => undefined as never;
    expect(await authenticate()).toEqual({ kind: 'refusal', refusal: 'provider_answer_invalid' });
  });

  it('has no member ID where the claim is no text', async () => {
    scripted.idToken = () => scripted.sign({ ...scripted.claims, [memberIdClaim]: ['DSNP0001'] });
    expect(await authenticate()).toMatchObject({ kind: 'authenticated', memberId: undefined });
  });

  it('is verified by a new key within a minute of the provider’s change', async () => {
    const client = clientOf();
    expect(await authenticate(undefined, client)).toMatchObject({ kind: 'authenticated' });
    await scripted.rollOver();
    expect(await authenticate(undefined, client)).toMatchObject({ refusal: 'provider_answer_invalid' });
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] });
    expect(await authenticate(undefined, client)).toMatchObject({ kind: 'authenticated' });
    expect(scripted.requested.filter((path) => path === '/jwks')).toHaveLength(2);
  });

  it.each<[string, NonNullable<ScriptedProvider['answer']>]>([
    [
      'redirects its metadata',
      (_q, r) => r.writeHead(302, { location: 'http://localhost:1/' }).end() !== undefined,
    ],
    [
      'has metadata of another issuer',
      (_q, r) => {
        r.writeHead(200, { 'content-type': 'application/json' }).end(
          JSON.stringify({ ...scripted.metadata, issuer: 'https://login.other.example' }),
        );
        return true;
      },
    ],
    [
      'has metadata that is no JSON',
      (_q, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<p>') !== undefined,
    ],
  ])('is asked for at no provider that %s', async (_what, answer) => {
    scripted.answer = answer;
    const sent = await clientOf().authorizationAddress(providerAt(scripted.issuer), request);
    expect(sent).toEqual({ kind: 'refusal', refusal: 'provider_answer_invalid' });
  });

  it.each<[string, NonNullable<ScriptedProvider['answer']>]>([
    ['is down', (_q, r) => r.writeHead(503).end() !== undefined],
    ['is slow', () => true],
    [
      'sends too much',
      (_q, r) =>
        r.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(200_000)) !== undefined,
    ],
    ['hangs up', (_q, r) => r.destroy() !== undefined],
  ])('is unavailable where its provider %s: metadata, tokens and keys alike', async (_what, answer) => {
    for (const path of ['/.well-known/openid-configuration', '/token', '/jwks']) {
      scripted.answer = (q, r) => q.url === path && answer(q, r);
      const impatient = clientOf({ send: requests(200) });
      expect([path, await authenticate(undefined, impatient)]).toEqual([
        path,
        { kind: 'refusal', refusal: 'provider_unavailable' },
      ]);
    }
  });

  it('is asked for again five seconds after a failure, not before', async () => {
    let now = 0;
    const client = clientOf({ now: () => now });
    scripted.answer = (_q, r) => r.writeHead(500).end() !== undefined;
    const ask = async () => (await client.authorizationAddress(providerAt(scripted.issuer), request)).kind;
    expect(await ask()).toBe('refusal');
    scripted.answer = undefined;
    now = 4_999;
    expect(await ask()).toBe('refusal');
    now = 5_000;
    expect(await ask()).toBe('address');
    now = 5_000 + 9 * 60_000;
    expect(await ask()).toBe('address');
    expect(scripted.requested).toHaveLength(2);
    now = 5_000 + 10 * 60_000;
    await ask();
    expect(scripted.requested).toHaveLength(3);
  });

  it('can’t be had without the secret, and nothing says which it would have been', async () => {
    const client = clientOf({
      clientSecret: async () => {
        throw new Error('no secret was set');
      },
    });
    expect(await authenticate(undefined, client)).toEqual({
      kind: 'refusal',
      refusal: 'provider_unavailable',
    });
    expect(codes).toEqual(['provider_unavailable client_credentials']);
  });

  it('leads to the end-session endpoint, if there is one', async () => {
    const of = { postLogoutRedirectUri: 'https://auth.example/signed-out', state: 's' };
    const address = await clientOf().endSessionAddress(providerAt(scripted.issuer), of);
    expect(address).toBe(
      `${scripted.issuer}/logout?post_logout_redirect_uri=https%3A%2F%2Fauth.example%2Fsigned-out&state=s&client_id=member-data`,
    );
    delete scripted.metadata.end_session_endpoint;
    expect(await clientOf().endSessionAddress(providerAt(scripted.issuer), of)).toBeUndefined();
  });

  it('is asked for with all that the request says', async () => {
    const sent = await clientOf().authorizationAddress(providerAt(scripted.issuer), {
      ...request,
      ...{ prompt: 'login', maxAge: 0, acrValues: 'urn:plan:mfa', loginHint: 'rosa', uiLocales: 'es en' },
    });
    if (sent.kind !== 'address') throw new Error(sent.refusal);
    const { searchParams, origin, pathname } = new URL(sent.address);
    expect(origin + pathname).toBe(`${scripted.issuer}/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ response_type: 'code', client_id: 'member-data', redirect_uri: redirectUri },
      ...{ scope: `openid ${planScope}`, state: secrets.state, nonce: secrets.nonce },
      ...{ code_challenge: expect.stringMatching(/^[\w-]{43}$/), code_challenge_method: 'S256' },
      ...{
        prompt: 'login',
        max_age: '0',
        acr_values: 'urn:plan:mfa',
        login_hint: 'rosa',
        ui_locales: 'es en',
      },
    });
  });
});
