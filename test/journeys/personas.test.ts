import { expect, it } from 'vitest';
import { authorizationServerEndpoints, fhirBase } from '../../lambdas/catalog/addresses.ts';
import { patientAccessTypes } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { createBrowser, type Location } from '../../ops/demo/browser.ts';
import { sandboxPersonas } from '../../ops/generator/personas.ts';
import { sandboxRepresentation } from '../../ops/generator/sandbox-representation.ts';
import { runOps } from '../../ops/program.ts';
import { memberToken, sensitiveBoxes } from '../support/member-token.ts';
import { http, localFetch, originsOf, redirectUri, register, registrationOf } from './journey.ts';
import { systemFile } from './system-file.ts';

/** The sandbox's personas as `npm start` loads them: each signs in, and an app reads the whole record of the persona with every type. */

const lob = 'EGWP';

it('a seed with --personas loads them all, and an app takes the whole record of one with hundreds of claims', async () => {
  const lines: string[] = [];
  const terminal = {
    out: (line: string) => void lines.push(line),
    err: (line: string) => void lines.push(line),
  };
  expect(await runOps(['seed', '--personas', '--system', systemFile()], {}, terminal)).toBe(0);
  expect(lines.at(-1)).toBe('12 of 12 personas loaded');
  expect(await runOps(['members', 'represent', '--system', systemFile()], {}, terminal)).toBe(0);
  const [first, second] = sandboxPersonas().filter(({ member }) => member.lob === lob);
  const app = await register('sandbox', registrationOf(lob, { pkceRequired: false }));
  for (const persona of [first, second]) {
    if (persona === undefined) throw new Error(`no two personas of ${lob}`);
    const { member } = persona;
    const origins = originsOf('sandbox');
    const token = await memberToken(http, origins, member, app, redirectUri);
    const headers = { authorization: `Bearer ${token}`, 'x-api-subscription-key': app.subscriptionKey };
    const found = new Set<string>();
    const path = `Patient/${member.patientId}/$everything?_count=100`;
    for (let next: string | undefined = `${fhirBase(origins, lob, 'patient-access')}/${path}`; next; ) {
      const { status, body } = await http({ method: 'GET', url: next, headers });
      expect(status, body).toBe(200);
      const { entry = [], link } = JSON.parse(body) as {
        entry?: { resource: { resourceType: string; id: string } }[];
        link: { relation: string; url: string }[];
      };
      for (const { resource } of entry) found.add(`${resource.resourceType}/${resource.id}`);
      next = link.find(({ relation }) => relation === 'next')?.url;
    }
    const loaded = member.resources.map(({ resourceType, id }) => `${resourceType}/${id}`);
    expect([...found].sort()).toEqual(loaded.sort());
    const types = new Set(loaded.map((name) => name.split('/', 1)[0]));
    if (persona === first) expect(types.size).toBe(patientAccessTypes.length);
  }
});

it('a parent signs in as the personal representative of a child, and the app reads the child', async () => {
  const { lob: of, representative, child } = sandboxRepresentation();
  const { clientId, clientSecret, subscriptionKey } = await register(
    'sandbox',
    registrationOf(of, { pkceRequired: false }),
  );
  const origins = originsOf('sandbox');
  const endpoints = authorizationServerEndpoints(origins, of);
  const query = new URLSearchParams({
    ...{
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid',
      state: 'child',
    },
    aud: fhirBase(origins, of, 'patient-access'),
  });
  const browser = createBrowser(http, redirectUri);
  const signIn = await browser.open(`${endpoints.authorization}?${query}`);
  const fields = { 'Member ID or e-mail': representative.memberId, Password: representative.password };
  const choice = await browser.submit(signIn, fields, 'Sign in');
  const name = labelsOf(choice).find((label) => label.startsWith(child.givenName)) ?? 'nobody';
  const consent = await browser.submit(choice, { [name]: 'on' }, 'Continue');
  const back = await browser.submit(consent, sensitiveBoxes(consent), `Share ${name}’s data`);
  const answer = await localFetch(endpoints.token, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', redirect_uri: redirectUri },
      code: new URL(back.url).searchParams.get('code') ?? '',
    }),
  });
  const token = (await answer.json()) as { readonly access_token: string; readonly patient: string };
  expect(token.patient).toBe(child.patientId);
  const read = await localFetch(`${fhirBase(origins, of, 'patient-access')}/Patient/${child.patientId}`, {
    headers: { authorization: `Bearer ${token.access_token}`, 'x-api-subscription-key': subscriptionKey },
  });
  expect(read.status).toBe(200);
});

it('a member of two plans has a coverage of each, with a gap between them', async () => {
  const persona = sandboxPersonas().find(({ about }) => about.startsWith('two plans with a gap'));
  if (persona === undefined) throw new Error('no persona has two plans with a gap');
  const { member } = persona;
  const app = await register('sandbox', registrationOf(member.lob, { pkceRequired: false }));
  const origins = originsOf('sandbox');
  const token = await memberToken(http, origins, member, app, redirectUri);
  const answer = await localFetch(`${fhirBase(origins, member.lob, 'patient-access')}/Coverage`, {
    headers: { authorization: `Bearer ${token}`, 'x-api-subscription-key': app.subscriptionKey },
  });
  const { entry } = (await answer.json()) as {
    readonly entry: readonly {
      readonly resource: { readonly period: { readonly start: string; readonly end?: string } };
    }[];
  };
  const [first, second] = entry
    .map(({ resource }) => resource.period)
    .sort((one, other) => one.start.localeCompare(other.start));
  expect(entry).toHaveLength(2);
  expect((first?.end ?? '') < (second?.start ?? '')).toBe(true);
});

function labelsOf(location: Location): readonly string[] {
  if (location.kind === 'app') return [];
  return location.page.forms.flatMap(({ fields }) => fields.map(({ label }) => label));
}
