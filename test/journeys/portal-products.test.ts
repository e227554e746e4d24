import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { authorizationServerEndpoints, fhirBase } from '../../lambdas/catalog/addresses.ts';
import { type Interface, interfaceNames } from '../../lambdas/catalog/fhir/interfaces.ts';
import type { CredentialsView } from '../../lambdas/portal/api/views.ts';
import {
  type ApplicationType,
  applicationTypeNames,
  applicationTypes,
} from '../../lambdas/portal/catalog/application-states.ts';
import { isCallAskedFor } from '../../lambdas/portal/catalog/asked-for-calls.ts';
import { decide, localFetch, memberOf, originsOf, redirectUri, runningSystem } from './journey.ts';
import { payerHeaders, payerKey, payerNpi } from './payer-client.ts';
import {
  aDeveloper,
  anApplication,
  anOperator,
  bodyOf,
  type Developer,
  type Door,
  portalDoor,
  type Visitor,
} from './portal-door.ts';
import { systemFile } from './system-file.ts';

/** Each product in an application of each type, from the first call in the sandbox to the operator's approval. */

const lob = 'DSNP';
const grantOf = (type: ApplicationType) => (type === 'service' ? 'client_credentials' : 'authorization_code');

let door: Door;
let developer: Developer;
let operator: Visitor;
beforeAll(async () => {
  door = portalDoor(runningSystem());
  developer = await aDeveloper(door);
  ({ visitor: operator } = await anOperator(door, systemFile()));
});

interface Registered {
  readonly id: string;
  readonly type: ApplicationType;
  readonly shown: CredentialsView;
  readonly key: ReturnType<typeof payerKey>;
}

async function registered(type: ApplicationType, product: Interface): Promise<Registered> {
  const key = payerKey();
  const service = type === 'service';
  const { applicationId: id } = await anApplication(developer, {
    ...{ applicationName: `${product} by ${type}`, applicationType: type, products: [product] },
    ...{ linesOfBusiness: [lob], grantType: grantOf(type), responseType: service ? 'none' : 'code' },
    ...(service && { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key.jwk] } }),
    ...(service && {
      loginInitiateUri: undefined,
      loginRedirectUris: undefined,
      logoutRedirectUri: undefined,
    }),
    ...(!applicationTypes[type].confidential && { tokenEndpointAuthMethod: 'none' }),
  });
  const path = `/api/applications/${id}/credentials/sandbox`;
  const opened = await developer.visitor.send('POST', path, { body: { password: developer.form.password } });
  return { id, type, key, shown: JSON.parse(opened.text) };
}

const subscriptionKeyOf = ({ shown }: Registered) => shown.subscriptionKeys[0]?.value ?? '';

/** Headers with the token of a back-end service that requests a payer's scopes. */
async function serviceHeaders(app: Registered): Promise<Readonly<Record<string, string>>> {
  const { clientId, machineScope = '' } = app.shown;
  const subscriptionKey = subscriptionKeyOf(app);
  const scope = `${machineScope} system/*.rs`;
  return await payerHeaders(
    { environment: 'sandbox', clientId, machineScope, subscriptionKey, ...app.key },
    { scope },
  );
}

/** Headers with the token of a member who signs in and shares. */
async function memberHeaders(app: Registered): Promise<Readonly<Record<string, string>>> {
  const origins = originsOf('sandbox');
  const endpoints = authorizationServerEndpoints(origins, lob);
  const { clientId, secrets } = app.shown;
  const verifier = randomBytes(32).toString('base64url');
  const asked = new URLSearchParams({
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 'of-the-app' },
    ...{ scope: 'launch/patient patient/Patient.rs', aud: fhirBase(origins, lob, 'patient-access') },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const back = await decide(`${endpoints.authorization}?${asked}`, memberOf('sandbox', lob));
  const secret = secrets[0]?.value;
  const answer = await localFetch(endpoints.token, {
    method: 'POST',
    headers:
      secret === undefined
        ? {}
        : { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '' },
      ...{ redirect_uri: redirectUri, code_verifier: verifier },
      ...(secret === undefined && { client_id: clientId }),
    }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return { authorization: `Bearer ${token}`, 'x-api-subscription-key': subscriptionKeyOf(app) };
}

/**
 * Makes the first call of a product.
 *
 * @returns its status. A back-end service of Patient Access only gets a token, which counts as 200.
 */
const firstCalls: Readonly<Record<Interface, (app: Registered) => Promise<number>>> = {
  'patient-access': async (app) => {
    if (app.type === 'service') return Object.keys(await serviceHeaders(app)).length > 0 ? 200 : 0;
    const path = `/Patient/${memberOf('sandbox', lob).patientId}`;
    return await get('patient-access', path, await memberHeaders(app));
  },
  'payer-access': async (app) => {
    // A token alone is no evidence of a call to Payer Access.
    await serviceHeaders(app);
    expect((await act(app.id, 'promote')).status).toBe(409);
    const path = `/api/operations/applications/${app.id}/organization/sandbox`;
    const verified = await operator.send('PUT', path, { body: { npi: payerNpi.value } });
    expect(verified.status, verified.text).toBe(200);
    return await get('payer-access', '/Group', await serviceHeaders(app));
  },
  'provider-directory': async (app) =>
    await get('provider-directory', '/Organization?_count=1', {
      'x-api-subscription-key': subscriptionKeyOf(app),
    }),
};

async function get(product: Interface, path: string, headers: Readonly<Record<string, string>>) {
  return (await localFetch(`${fhirBase(originsOf('sandbox'), lob, product)}${path}`, { headers })).status;
}

const viewOf = async (id: string) => bodyOf(await developer.visitor.send('GET', `/api/applications/${id}`));

async function act(id: string, name: 'promote' | 'submit') {
  const { version } = await viewOf(id);
  return await developer.visitor.send('POST', `/api/applications/${id}/${name}`, { body: { version } });
}

describe.each(applicationTypeNames)('an application of type %s', (type) => {
  it.each(
    interfaceNames,
  )('goes to production with %s after its first call, and not before', async (product) => {
    const app = await registered(type, product);
    if (isCallAskedFor(product, grantOf(type))) {
      const early = await act(app.id, 'promote');
      expect([early.status, bodyOf(early).code]).toEqual([409, 'preflight_failed']);
      expect(await firstCalls[product](app)).toBe(200);
    }
    for (const name of ['promote', 'submit'] as const) {
      const answer = await act(app.id, name);
      expect([name, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([name, 200, '']);
    }
    const desk = `/api/operations/applications/${app.id}`;
    const { version } = bodyOf(await operator.send('GET', desk));
    const approved = await operator.send('POST', `${desk}/decisions`, { body: { act: 'approve', version } });
    expect([approved.status, bodyOf(approved).state], approved.text).toEqual([200, 'approved']);
  });
});
