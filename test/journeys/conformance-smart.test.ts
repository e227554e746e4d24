import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { everySensitiveScope } from '../../lambdas/catalog/fhir/sensitive-categories.ts';
import {
  type App,
  addressOf,
  ask,
  base,
  type Changes,
  call,
  complete,
  completeWithout,
  errorOf,
  exchange,
  firstAnswer,
  idTokenClaims,
  issuer,
  jsonOf,
  lob,
  member,
  newApp,
  type Provider,
  postAs,
  provider,
  readPatient,
  refresh,
  sentBack,
  standaloneScope,
  type Tokens,
} from './conformance.ts';
import { decide, localFetch, originsOf } from './journey.ts';

/**
 * Groups of the SMART App Launch 2.2 and ONC (g)(10) plans for an authorization server without EHR launch, described in our own words,
 * against the running system. docs/conformance.md names the test here for each test of the plans.
 */

const otherOrigin = { origin: 'https://app.example.org' };
let app: App;
let launched: Awaited<ReturnType<typeof complete>>;

beforeAll(async () => {
  app = await newApp();
  launched = await complete(app);
});

interface SmartProvider extends Provider {
  readonly capabilities: readonly string[];
  readonly scopes_supported: readonly string[];
}

async function smartConfiguration(): Promise<SmartProvider> {
  return await jsonOf(await localFetch(`${base()}/.well-known/smart-configuration`));
}

describe('discovery', () => {
  it('gives the SMART configuration as JSON to a browser of any origin', async () => {
    const answer = await localFetch(`${base()}/.well-known/smart-configuration`, { headers: otherOrigin });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('names every required field, PKCE by S256 alone, and where the keys are', async () => {
    const found = await smartConfiguration();
    expect(found).toMatchObject({
      issuer: issuer(),
      authorization_endpoint: expect.stringMatching(/^http/),
      token_endpoint: expect.stringMatching(/^http/),
      jwks_uri: expect.stringMatching(/^http/),
      grant_types_supported: expect.arrayContaining(['authorization_code']),
      code_challenge_methods_supported: ['S256'],
    });
    expect(found.capabilities.every((capability) => typeof capability === 'string')).toBe(true);
  });

  it('names the capabilities of a standalone patient app', async () => {
    expect((await smartConfiguration()).capabilities).toEqual(
      expect.arrayContaining([
        'launch-standalone',
        'client-public',
        'client-confidential-symmetric',
        'client-confidential-asymmetric',
        'sso-openid-connect',
        'context-standalone-patient',
        'permission-offline',
        'permission-patient',
        'authorize-post',
        'permission-v1',
        'permission-v2',
      ]),
    );
  });

  it('gives the CapabilityStatement to a browser of any origin', async () => {
    const origins = originsOf('sandbox').apiTemplate.replace('{lob}', lob.toLowerCase());
    const answer = await localFetch(`${origins}/extfhirpatientaccess/v1/fhir/metadata`, {
      headers: { ...otherOrigin, accept: 'application/fhir+json' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toMatchObject({ resourceType: 'CapabilityStatement' });
  });
});

describe('standalone launch', () => {
  it('sends the browser back with a code and the state', () => {
    const { callback, asked } = launched;
    expect(callback.searchParams.get('code')).not.toBeNull();
    expect(callback.searchParams.get('error')).toBeNull();
    expect(callback.searchParams.get('state')).toBe(asked.parameters.get('state'));
  });

  it('exchanges the code for a bearer token with scope, lifetime and patient', () => {
    const { tokens, answer } = launched;
    expect(tokens).toMatchObject({ token_type: 'Bearer', patient: member.patientId });
    expect(tokens.expires_in).toBeGreaterThan(0);
    expect(tokens.scope.split(' ').sort()).toEqual(standaloneScope.split(' ').sort());
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(answer.headers.get('pragma')).toContain('no-cache');
  });

  it('lets a browser of any origin exchange the code', () => {
    expect(launched.answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('reads the Patient of the launch context, and nothing without a token', async () => {
    const read = await readPatient(app, launched.tokens.access_token, launched.tokens.patient);
    expect(read.status).toBe(200);
    expect(await read.json()).toMatchObject({ resourceType: 'Patient', id: member.patientId });
    expect((await readPatient(app, undefined)).status).toBe(401);
  });

  it('grants scopes of version 1 as they were asked for', async () => {
    const { tokens } = await complete(app, { scope: 'openid fhirUser launch/patient patient/Patient.read' });
    expect(tokens.scope).toContain('patient/Patient.read');
    expect((await readPatient(app, tokens.access_token)).status).toBe(200);
  });

  it('grants no more than the resource types asked for', async () => {
    const { tokens } = await complete(app, { scope: 'launch/patient openid patient/Patient.r' });
    expect(tokens.scope.split(' ').filter((scope) => scope.startsWith('patient/'))).toEqual([
      'patient/Patient.r',
    ]);
  });

  it('grants every resource type that is served, and what is found of them can be read', async () => {
    const { scopes_supported } = await smartConfiguration();
    const types = scopes_supported.flatMap((scope) => /^patient\/([A-Z]\w+)\.rs$/.exec(scope)?.[1] ?? []);
    expect(types).toContain('ExplanationOfBenefit');
    const scope = types.map((type) => `patient/${type}.rs`).join(' ');
    const { tokens } = await complete(app, { scope: `openid launch/patient ${scope}` });
    expect(tokens.scope).toBe(`openid launch/patient ${scope} ${everySensitiveScope}`);
    for (const type of ['Patient', 'Coverage', 'ExplanationOfBenefit']) {
      const found = await call(app, tokens.access_token, type);
      expect([type, found.status]).toEqual([type, 200]);
      const { entry = [] } = await jsonOf<{ entry?: { resource: { id: string } }[] }>(found);
      expect(entry.length, type).toBeGreaterThan(0);
      const read = await call(app, tokens.access_token, `${type}/${entry[0]?.resource.id}`);
      expect([type, read.status]).toEqual([type, 200]);
    }
  });

  it('lets no type be read or searched that the member left out', async () => {
    const tokens = await completeWithout(app, 'Your claims', { scope: 'openid launch/patient patient/*.rs' });
    expect(tokens.scope).toMatch(/^openid launch\/patient patient\/Patient\.rs patient\/Coverage\.rs /);
    expect(tokens.scope).not.toMatch(/ExplanationOfBenefit|Organization|Practitioner\./);
    const status = async (path: string) => (await call(app, tokens.access_token, path)).status;
    expect(await status('Coverage')).toBe(200);
    expect(await status(`Patient/${member.patientId}`)).toBe(200);
    for (const path of ['ExplanationOfBenefit', 'ExplanationOfBenefit/1', 'Organization/1', 'Practitioner/1'])
      expect([path, await status(path)]).toEqual([path, 403]);
  });

  it('grants granular scopes, each limited to its category, and refuses a category that is not supported', async () => {
    const category = 'http://terminology.hl7.org/CodeSystem/observation-category|';
    const granular = ['laboratory', 'vital-signs'].map(
      (code) => `patient/Observation.rs?category=${category}${code}`,
    );
    const { tokens } = await complete(app, { scope: `openid launch/patient ${granular[0]}` });
    expect(tokens.scope).toBe(`openid launch/patient ${granular[0]} ${everySensitiveScope}`);
    const found = async (code: string) => {
      const query = `Observation?category=${encodeURIComponent(category + code)}&_summary=count`;
      return (await jsonOf<{ total: number }>(await call(app, tokens.access_token, query))).total;
    };
    expect(await found('laboratory')).toBeGreaterThan(0);
    expect(await found('vital-signs')).toBe(0);
    const scope = 'openid patient/Observation.rs?category=vital-signs';
    expect(sentBack(await firstAnswer(ask(app, { scope }))).error).toBe('invalid_scope');
  });

  it('serves a public client with an id_token too', async () => {
    const browserApp = await newApp({
      tokenEndpointAuthMethod: 'none',
      grantTypes: ['authorization_code'],
    });
    const { tokens, claims } = await complete(browserApp, {}, 'none');
    expect(claims.aud).toBe(browserApp.clientId);
    expect((await readPatient(browserApp, tokens.access_token, tokens.patient)).status).toBe(200);
  });

  it('gives no code to who names another audience', async () => {
    const answer = await firstAnswer(ask(app, { aud: 'https://inferno.healthit.gov/invalid_aud' }));
    expect(sentBack(answer)).not.toHaveProperty('code');
  });
});

describe('the token endpoint', () => {
  async function freshCode() {
    const asked = ask(app);
    const callback = await decide(await addressOf(asked), member);
    return { asked, code: callback.searchParams.get('code') ?? '' };
  }

  it('refuses a code nobody was given, and a client nobody knows', async () => {
    const { asked, code } = await freshCode();
    expect(await errorOf(await exchange(app, 'INVALID_CODE', asked))).toEqual([400, 'invalid_grant']);
    const stranger = { ...app, clientId: 'INVALID_CLIENT_ID' };
    expect(await errorOf(await exchange(stranger, code, asked))).toEqual([401, 'invalid_client']);
  });

  it.each([
    ['no', undefined],
    ['a blank', ''],
    ['a wrong', 'v'.repeat(43)],
  ])('refuses %s code_verifier', async (_what, code_verifier) => {
    const { asked, code } = await freshCode();
    expect(await errorOf(await exchange(app, code, asked, { code_verifier }))).toEqual([
      400,
      'invalid_grant',
    ]);
  });

  it('refuses the challenge in the place of its verifier', async () => {
    const { asked, code } = await freshCode();
    const code_verifier = asked.parameters.get('code_challenge') ?? '';
    expect(await errorOf(await exchange(app, code, asked, { code_verifier }))).toEqual([
      400,
      'invalid_grant',
    ]);
  });
});

describe('OpenID Connect', () => {
  it('describes itself with every required field', async () => {
    const found = await provider();
    for (const field of [
      'issuer',
      'authorization_endpoint',
      'token_endpoint',
      'jwks_uri',
      'response_types_supported',
      'subject_types_supported',
    ]) {
      expect(found, field).toHaveProperty(field);
    }
    expect(found.id_token_signing_alg_values_supported).toContain('RS256');
  });

  it('signs an id_token by a published RSA key, for this client and for now', async () => {
    const { jwks_uri } = await provider();
    const { keys } = await jsonOf<{ keys: { kid: string; kty: string }[] }>(await localFetch(jwks_uri));
    const { alg, kid } = decodeProtectedHeader(launched.tokens.id_token);
    expect(alg).toBe('RS256');
    expect(keys).toContainEqual(expect.objectContaining({ kid, kty: 'RSA' }));
    const claims = await idTokenClaims(app, launched.tokens.id_token);
    expect(claims.exp).toBeGreaterThan(Date.now() / 1000);
    expect(claims.sub).toMatch(/^\S.{0,254}$/);
  });

  it('names as fhirUser a Patient the app reads, from a browser of any origin', async () => {
    // A new launch: narrower consents after the first one ended its grant (ADR 52).
    const { tokens, claims } = await complete(app);
    const fhirUser = String(claims.fhirUser);
    expect(fhirUser).toMatch(/\/Patient\/[^/]+$/);
    const answer = await readPatient(app, tokens.access_token, fhirUser.split('/').at(-1));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toMatchObject({ resourceType: 'Patient' });
  });
});

describe('refresh', () => {
  it.each([
    ['without a scope', {}],
    ['with the scope granted', { scope: standaloneScope }],
  ])('%s gives a token of no wider scope that reads the Patient', async (_what, changes: Changes) => {
    const { tokens } = await complete(app);
    const answer = await refresh(app, tokens.refresh_token, changes);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(answer.headers.get('pragma')).toContain('no-cache');
    const refreshed = await jsonOf<Tokens>(answer);
    expect(refreshed).toMatchObject({ token_type: 'Bearer', expires_in: expect.any(Number) });
    expect(tokens.scope.split(' ')).toEqual(expect.arrayContaining(refreshed.scope.split(' ')));
    expect((await readPatient(app, refreshed.access_token)).status).toBe(200);
  });

  it('fails for a token nobody was given', async () => {
    expect(await errorOf(await refresh(app, randomUUID()))).toEqual([400, 'invalid_grant']);
  });
});

describe('an app whose access was revoked', () => {
  it('reads nothing and refreshes nothing any more', async () => {
    const { tokens } = await complete(app);
    expect((await readPatient(app, tokens.access_token)).status).toBe(200);
    const { revocation_endpoint } = await smartConfiguration();
    expect((await postAs(app, revocation_endpoint, { token: tokens.refresh_token })).status).toBe(200);
    expect((await readPatient(app, tokens.access_token)).status).toBe(401);
    expect(await errorOf(await refresh(app, tokens.refresh_token))).toEqual([400, 'invalid_grant']);
  });
});

describe('introspection', () => {
  it('says of a live token whose it is, for whom, and how long', async () => {
    const { tokens, claims } = await complete(app);
    const { introspection_endpoint } = await smartConfiguration();
    const found = await jsonOf(await postAs(app, introspection_endpoint, { token: tokens.access_token }));
    expect(found).toMatchObject({
      active: true,
      client_id: app.clientId,
      patient: tokens.patient,
      iss: claims.iss,
      sub: claims.sub,
      fhirUser: claims.fhirUser,
    });
    expect(String(found.scope).split(' ').sort()).toEqual(tokens.scope.split(' ').sort());
    expect(Number(found.exp)).toBeGreaterThan(Date.now() / 1000);
  });

  it('says of any other text that it is not active, and nothing more', async () => {
    const { introspection_endpoint } = await smartConfiguration();
    const answer = await postAs(app, introspection_endpoint, { token: 'invalid_token_value' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ active: false });
  });
});
