import { beforeAll, describe, expect, it } from 'vitest';
import { checkPatient } from '../../ops/demo/patient-check.ts';
import { expectedMember } from '../../ops/demo/scene.ts';
import { decide, http, memberOf, redirectUri, register, registrationOf, runningSystem } from './journey.ts';

/**
 * Compares the interfaces to docs/service.md. Its paths, hosts, headers and parameters are written out here, so that a mistake in a table
 * of the code is found. Tests elsewhere cover what the contract does not define.
 */

const environments = ['sandbox', 'production'] as const;
const linesOfBusiness = [
  { lob: 'CHPDC', providerDirectory: true },
  { lob: 'CHPMD', providerDirectory: true },
  { lob: 'DSNP', providerDirectory: true },
  { lob: 'MAPD', providerDirectory: true },
  { lob: 'MHBE', providerDirectory: false },
  { lob: 'EGWP', providerDirectory: true },
] as const;
const everywhere = environments.flatMap((environment) =>
  linesOfBusiness.map((line) => ({ environment, ...line })),
);

type Environment = (typeof environments)[number];
const host = (name: string, environment: Environment) =>
  `http://${name}.${environment}.localhost:${runningSystem().port}`;
const baseUrl = (lob: string, environment: Environment) => host(`${lob.toLowerCase()}.api`, environment);
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

describe.each(everywhere)('$lob in $environment', ({ lob, environment, providerDirectory }) => {
  const get = async (path: string) =>
    await http({ method: 'GET', url: `${baseUrl(lob, environment)}${path}` });

  it.each(['/extfhirpatientaccess/v1', '/extfhirpayeraccess/v1'])('describes itself at %s', async (base) => {
    const answer = await get(`${base}/fhir/metadata`);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({
      resourceType: 'CapabilityStatement',
      implementation: { url: `${baseUrl(lob, environment)}${base}` },
    });
  });

  it(`has ${providerDirectory ? 'a' : 'no'} Provider Directory`, async () => {
    const statuses = await Promise.all(
      ['', '/metadata', '/fhir/metadata'].map(
        async (rest) => (await get(`/extfhirproviderdir/v1${rest}`)).status,
      ),
    );
    expect(statuses).toEqual(Array(3).fill(providerDirectory ? 200 : 404));
  });
});

describe.each([
  { environment: 'sandbox', lob: 'CHPMD', path: 'chpmd' },
  { environment: 'production', lob: 'EGWP', path: 'EGWP' },
] as const)('the authorization code grant of $lob as $path in $environment', ({ environment, lob, path }) => {
  const member = memberOf(environment, lob);
  let app: Awaited<ReturnType<typeof register>>;
  let token: { readonly access_token: string; readonly token_type: string };
  beforeAll(async () => {
    app = await register(environment, registrationOf(lob, { pkceRequired: false }));
    const asked = new URLSearchParams({
      client_id: app.clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid',
      state: 'chosen by the client',
      aud: `${baseUrl(lob, environment)}/extfhirpatientaccess/v1`,
    });
    const authorize = `${host('auth', environment)}/fhir-oauth2/sec/${path}/authorize/`;
    const back = await decide(`${authorize}?${asked}`, member);
    expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
    expect(back.searchParams.get('state')).toBe('chosen by the client');
    const answer = await http({
      method: 'POST',
      url: `${host('auth', environment)}/fhir-oauth2/pub/${path}/token`,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: basic(app.clientId, app.clientSecret),
      },
      body: JSON.stringify({
        code: back.searchParams.get('code'),
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
      }),
    });
    expect(answer.status).toBe(200);
    token = JSON.parse(answer.body);
  });

  const read = async (url: string, key: string | undefined = app.subscriptionKey) =>
    await http({
      method: 'GET',
      url: `${baseUrl(lob, environment)}${url}`,
      headers: {
        authorization: `Bearer ${token.access_token}`,
        ...(key === '' ? {} : { 'x-api-subscription-key': key }),
      },
    });

  it('gives a bearer token', () => {
    expect(token.token_type.toLowerCase()).toBe('bearer');
  });

  it('reads the Patient, in each of its fields as described', async () => {
    const answer = await read(`/extfhirpatientaccess/v1/Patient/${member.patientId}`);
    expect(answer.status).toBe(200);
    checkPatient(answer.body, expectedMember(member), 'described');
  });

  it('reads it by the older path too', async () => {
    const answer = await read(`/v1/fhir/patientaccess/Patient/${member.patientId}`);
    expect([answer.status, answer.body]).toEqual([200, member.resources[0]?.json]);
  });

  it('reads nothing without the subscription key', async () => {
    const answer = await read(`/extfhirpatientaccess/v1/Patient/${member.patientId}`, '');
    expect(answer.status).toBe(401);
    expect(answer.body).not.toContain(member.familyName);
  });
});

describe('the client credentials grant', () => {
  const ask = async (
    environment: Environment,
    app: Awaited<ReturnType<typeof register>>,
    { key = app.subscriptionKey, scope = app.machineScope ?? '' } = {},
  ) =>
    await http({
      method: 'POST',
      url: `${host('token', environment)}/token/v2`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(key === '' ? {} : { 'x-api-subscription-key': key }),
      },
      body: form({
        client_id: app.clientId,
        grant_type: 'client_credentials',
        client_secret: app.clientSecret,
        scope,
      }),
    });
  const apps: Partial<Record<Environment, Awaited<ReturnType<typeof register>>>> = {};
  const appIn = (environment: Environment) => {
    const app = apps[environment];
    if (app === undefined) throw new Error(`no application in ${environment}`);
    return app;
  };
  beforeAll(async () => {
    for (const each of environments) apps[each] = await register(each, registrationOf('DSNP'));
  });

  it.each(environments)('gives a token of %s for its own resource id', async (environment) => {
    const app = appIn(environment);
    expect(app.machineScope).toMatch(/^[^/].*\/\.default$/);
    const answer = await ask(environment, app);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ access_token: expect.any(String), expires_in: 300 });
  });

  it('has another resource id in each environment, and takes no other', async () => {
    const [sandbox, production] = environments.map((each) => appIn(each).machineScope);
    expect(sandbox).not.toBe(production);
    const answer = await ask('sandbox', appIn('sandbox'), { scope: production ?? '' });
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'invalid_scope']);
  });

  it.each([
    ['no subscription key', 401, ''],
    ['one that nobody has', 403, 'k'.repeat(40)],
  ])('gives none for %s', async (_what, status, key) => {
    const answer = await ask('sandbox', appIn('sandbox'), { key });
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('access_token');
  });
});
