import { Client } from 'fhir-kit-client';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import { openChromium } from '../support/chromium.ts';
import { memberToken } from './app-calls.ts';
import { localFetch, memberOf, originsOf, register, registrationOf } from './journey.ts';
import { launchAndShare, registerPublicly, type SmartApp, startSmartApp } from './smart-app.ts';

/** Two unmodified FHIR libraries read a member's whole record, once with all scopes and once with a scope limited to a category. */

const lob = 'EGWP';
const member = memberOf('sandbox', lob);
const base = fhirBase(originsOf('sandbox'), lob, 'patient-access');
const names = member.resources.map(({ resourceType, id }) => `${resourceType}/${id}`);
const laboratoryScope =
  'launch/patient patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory';
const laboratory = member.resources
  .filter(({ resourceType, json }) => resourceType === 'Observation' && json.includes('"laboratory"'))
  .map(({ id }) => `Observation/${id}`);

interface Resource {
  readonly resourceType: string;
  readonly id: string;
}
interface Bundle {
  readonly resourceType: 'Bundle';
  readonly link?: { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly { readonly resource: Resource }[];
}
interface Capabilities {
  readonly rest: readonly [
    {
      readonly resource: readonly {
        readonly type: string;
        readonly interaction: readonly { readonly code: string }[];
        readonly searchParam?: readonly { readonly name: string }[];
      }[];
    },
  ];
}

const nameOf = ({ resourceType, id }: Resource) => `${resourceType}/${id}`;
const sorted = (list: Iterable<string>) => [...new Set(list)].sort();

describe('fhir-kit-client', () => {
  // The libraries call the global `fetch`, which does not resolve `*.localhost` on every system.
  beforeAll(() => vi.stubGlobal('fetch', localFetch));
  afterAll(() => vi.unstubAllGlobals());

  async function connect(scope: string): Promise<Client> {
    const app = await register('sandbox', registrationOf(lob));
    return new Client({
      baseUrl: base,
      bearerToken: await memberToken(app, lob, 0, scope),
      customHeaders: { 'x-api-subscription-key': app.subscriptionKey },
    });
  }

  async function all(client: Client, first: Promise<unknown>): Promise<readonly Resource[]> {
    const found: Resource[] = [];
    for (let bundle = (await first) as Bundle | undefined; bundle !== undefined; ) {
      found.push(...(bundle.entry ?? []).map(({ resource }) => resource));
      bundle = (await client.nextPage({ bundle: bundle as never })) as Bundle | undefined;
    }
    return found;
  }

  it('finds every resource by searches of the CapabilityStatement, by $everything, and reads each type', async () => {
    const client = await connect('launch/patient patient/*.rs');
    const { rest } = (await client.capabilityStatement()) as unknown as Capabilities;
    const found: Resource[] = [];
    for (const { type, interaction, searchParam = [] } of rest[0].resource) {
      if (!interaction.some(({ code }) => code === 'search-type')) continue;
      const isOfPatient = searchParam.some(({ name }) => name === 'patient');
      const searchParams = { _count: '100', ...(isOfPatient && { patient: member.patientId }) };
      const ofType = await all(client, client.search({ resourceType: type, searchParams }));
      found.push(...ofType);
      const [one] = ofType;
      if (one === undefined) continue;
      expect(await client.read({ resourceType: type, id: one.id })).toMatchObject({ id: one.id });
    }
    // A Binary is read by the link of its document and can't be searched.
    const searched = names.filter((name) => !name.startsWith('Binary/'));
    expect(sorted(found.map(nameOf))).toEqual(sorted(searched));
    const everything = client.operation({
      name: '$everything',
      resourceType: 'Patient',
      id: member.patientId,
      method: 'GET',
      input: { _count: '100' },
    });
    expect(sorted((await all(client, everything)).map(nameOf))).toEqual(sorted(names));
  });

  it('gets laboratory results alone by a scope of their category', async () => {
    const client = await connect(laboratoryScope);
    const search = client.search({
      resourceType: 'Observation',
      searchParams: { patient: member.patientId, _count: '100' },
    });
    expect(sorted((await all(client, search)).map(nameOf))).toEqual(sorted(laboratory));
    const other = names.find((name) => name.startsWith('Observation/') && !laboratory.includes(name)) ?? '';
    const refusal = client.read({ resourceType: 'Observation', id: other.split('/')[1] ?? '' });
    await expect(refusal).rejects.toMatchObject({
      response: { status: expect.toSatisfy((status) => status >= 403) },
    });
    const conditions = client.search({ resourceType: 'Condition', searchParams: {} });
    await expect(conditions).rejects.toMatchObject({ response: { status: 403 } });
  });
});

describe('fhirclient in Chromium', () => {
  let browser: Browser;
  let app: SmartApp;
  beforeAll(async () => {
    browser = await openChromium();
    app = await startSmartApp();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(async () => {
    await browser.close();
    app.stop();
  });

  /** Launches the app, shares every group on the consent page, and reads all pages of a search or an operation. */
  async function walk(scope: string, paths: readonly string[]): Promise<readonly string[]> {
    const { clientId, subscriptionKey } = await registerPublicly(app, lob);
    const context = await browser.newContext();
    const page = await context.newPage();
    await launchAndShare(page, app, { iss: base, clientId, member, scope });
    const headers = { 'x-api-subscription-key': subscriptionKey };
    const found = (await page.evaluate(
      `FHIR.oauth2.ready().then(async (client) => {
        const found = [];
        for (const path of ${JSON.stringify(paths)}) {
          // The library's own paging does not send the app's headers, so an app with a subscription key follows the links itself.
          for (let url = path.replace('{patient}', client.patient.id); url !== undefined; ) {
            const bundle = await client.request({ url, headers: ${JSON.stringify(headers)} });
            found.push(...bundle.entry.map(({ resource: { resourceType, id } }) => ({ resourceType, id })));
            url = bundle.link.find(({ relation }) => relation === 'next')?.url;
          }
        }
        return found;
      })`,
    )) as readonly Resource[];
    return sorted(found.map(nameOf));
  }

  it('takes the whole record of its patient in pages', async () => {
    const scope = 'openid fhirUser launch/patient patient/*.rs';
    expect(await walk(scope, ['Patient/{patient}/$everything?_count=100'])).toEqual(sorted(names));
  });

  it('takes laboratory results alone by a scope of their category', async () => {
    expect(await walk(laboratoryScope, ['Observation?patient={patient}&_count=100'])).toEqual(
      sorted(laboratory),
    );
  });
});
