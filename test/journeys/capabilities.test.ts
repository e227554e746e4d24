import { beforeAll, describe, expect, it } from 'vitest';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { type App, memberToken } from './app-calls.ts';
import { baseOf, createDataCalls, namesOn } from './data-calls.ts';
import { localFetch, memberOf, register, registrationOf } from './journey.ts';

/** Every promise of Patient Access's CapabilityStatement, tried against the system that makes it. */

/** A member of whom there is a resource of every type. */
const lob: LineOfBusiness = 'EGWP';
const member = memberOf('sandbox', lob);
const resources = member.resources.map(({ json }) => JSON.parse(json) as Resource);

interface Resource {
  readonly resourceType: string;
  readonly id: string;
  readonly meta: { readonly profile: readonly string[]; readonly lastUpdated: string };
  readonly [element: string]: unknown;
}
interface Capability {
  readonly type: string;
  readonly interaction: readonly { readonly code: string }[];
  readonly supportedProfile: readonly string[];
  readonly searchInclude?: readonly string[];
  readonly searchParam?: readonly { readonly name: string; readonly type: string }[];
  readonly operation?: readonly { readonly name: string }[];
}

let app: App;
let token: string;
let statement: {
  readonly format: readonly string[];
  readonly rest: readonly [{ readonly resource: readonly Capability[] }];
};
const calls = () => createDataCalls(app, lob, () => token);
const strict = { headers: { prefer: 'handling=strict' } };

beforeAll(async () => {
  app = await register('sandbox', registrationOf(lob));
  token = await memberToken(app, lob, 0, 'launch/patient patient/*.rs');
  statement = (await (await localFetch(`${baseOf(lob)}/metadata`)).json()) as typeof statement;
});

const capabilities = () => statement.rest[0].resource;
const ofType = (type: string) => resources.filter(({ resourceType }) => resourceType === type);

/** The element of a resource with each parameter's value. A new parameter that is missing here is untested. */
const valueIn: Readonly<Record<string, (resource: Resource) => unknown>> = {
  _id: ({ id }) => id,
  _lastUpdated: ({ meta }) => meta.lastUpdated,
  'Patient identifier': ({ identifier }) => (identifier as { value: string }[])[0]?.value,
  'Patient name': ({ name }) => (name as { family: string }[])[0]?.family,
  'Patient family': ({ name }) => (name as { family: string }[])[0]?.family,
  'Patient given': ({ name }) => (name as { given: string[] }[])[0]?.given[0],
  'Patient birthdate': ({ birthDate }) => birthDate,
  'Patient gender': ({ gender }) => gender,
  'Coverage patient': ({ beneficiary }) => (beneficiary as { reference: string }).reference,
  'Coverage beneficiary': ({ beneficiary }) => (beneficiary as { reference: string }).reference,
  'Organization name': ({ name }) => name,
  'Organization address': ({ address }) => (address as { city: string }[])[0]?.city,
  'Practitioner identifier': ({ identifier }) => (identifier as { value: string }[])[0]?.value,
  'Practitioner name': ({ name }) => (name as { family: string }[])[0]?.family,
  'RelatedPerson patient': ({ patient }) => (patient as { reference: string }).reference,
  'RelatedPerson name': ({ name }) => (name as { family: string }[])[0]?.family,
  'ExplanationOfBenefit patient': ({ patient }) => (patient as { reference: string }).reference,
  'ExplanationOfBenefit type': ({ type }) => (type as { coding: { code: string }[] }).coding[0]?.code,
  'ExplanationOfBenefit identifier': ({ identifier }) => (identifier as { value: string }[])[0]?.value,
  'ExplanationOfBenefit service-date': ({ billablePeriod }) =>
    `ge${(billablePeriod as { start: string }).start}`,
  'ExplanationOfBenefit service-start-date': ({ billablePeriod }) =>
    (billablePeriod as { start: string }).start,
  'ExplanationOfBenefit billable-period-start': ({ billablePeriod }) =>
    (billablePeriod as { start: string }).start,
};

/** Values that no resource has, by the type of the parameter. */
const nothing: Readonly<Record<string, string>> = {
  date: '1901-01-01',
  reference: 'Patient/nobody',
  string: 'zzzzzz',
  token: 'nothing-of-the-kind',
};

describe('the CapabilityStatement of Patient Access', () => {
  it('reads each type it says is read, and has a version and a tag for it', async () => {
    for (const { type, interaction } of capabilities()) {
      const reads = interaction.some(({ code }) => code === 'read');
      const [resource] = ofType(type);
      expect([type, reads, resource !== undefined]).toEqual([type, true, true]);
      const answer = await calls().call(`/${type}/${resource?.id}`);
      expect(answer.status, type).toBe(200);
      const tag = answer.header('etag') ?? '';
      expect(tag).toBe(`W/"${JSON.parse(answer.text).meta.versionId}"`);
      const again = await calls().call(`/${type}/${resource?.id}`, { headers: { 'if-none-match': tag } });
      expect(again.status, type).toBe(304);
    }
  });

  it('searches the types it says are searched, and no other', async () => {
    for (const { type, interaction } of capabilities()) {
      const searched = interaction.some(({ code }) => code === 'search-type');
      const [got, posted] = [
        await calls().call(`/${type}?_count=1`),
        await calls().call(`/${type}/_search`, { method: 'POST', form: { _count: '1' } }),
      ];
      expect([got.status, posted.status], type).toEqual(searched ? [200, 200] : [404, 404]);
    }
  });

  it('finds by each parameter what has the value, and nothing where nothing has it', async () => {
    let tried = 0;
    for (const { type, searchParam = [] } of capabilities()) {
      const [resource] = ofType(type);
      for (const { name, type: kind } of searchParam) {
        const read = valueIn[name] ?? valueIn[`${type} ${name}`];
        const value = resource === undefined ? undefined : read?.(resource);
        expect(value, `${type} ${name}`).toMatch(/./);
        const query = new URLSearchParams({ [name]: String(value), _count: '100' });
        const found = await calls().page(`/${type}?${query}`, strict);
        expect(namesOn(found), `${type} ${name}`).toContain(`${type}/${resource?.id}`);
        const none = new URLSearchParams({ [name]: nothing[kind] ?? '' });
        expect((await calls().page(`/${type}?${none}`, strict)).total, `${type} ${name}`).toBe(0);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(15);
  });

  it('includes what it says can be included: what the results name', async () => {
    for (const { type, searchInclude = [] } of capabilities()) {
      for (const include of searchInclude) {
        const page = await calls().page(`/${type}?_include=${include}&_count=100`, strict);
        const included = namesOn(page, 'include');
        expect(included.length, include).toBeGreaterThan(0);
        const matches = JSON.stringify(page.entry?.filter(({ search }) => search.mode === 'match'));
        for (const name of included) expect(matches, include).toContain(`"reference":"${name}"`);
      }
    }
  });

  it('has the operations it names', async () => {
    const named = capabilities().flatMap(({ type, operation = [] }) =>
      operation.map(({ name }) => `${type}/$${name}`),
    );
    expect(named).toEqual(['Patient/$everything']);
    const { total } = await calls().page(`/Patient/${member.patientId}/$everything`, strict);
    expect(total).toBe(resources.length);
  });

  it('sends each format it names', async () => {
    for (const format of statement.format) {
      const answer = await calls().call('/Coverage', { headers: { accept: format } });
      expect([answer.status, answer.header('content-type')]).toEqual([200, format]);
    }
  });

  it('names the profiles that the sandbox’s members meet, each of them somebody’s, and no other', () => {
    const declared = syntheticMembers('sandbox').flatMap(({ resources: own }) =>
      own.map(({ resourceType, json }) => {
        const { profile } = (JSON.parse(json) as Resource).meta;
        return { resourceType, profiles: profile };
      }),
    );
    for (const { type, supportedProfile } of capabilities()) {
      const met = declared
        .filter(({ resourceType }) => resourceType === type)
        .flatMap(({ profiles }) => profiles);
      const carin = (profiles: readonly string[]) =>
        [...new Set(profiles.filter((url) => url.includes('/carin-bb/')))].sort();
      expect(carin(met), type).toEqual(carin(supportedProfile));
      const core = met.filter((url) => url.includes('/us/core/'));
      expect(
        // The description's Patient names US Core's profile without a version.
        core.filter((url) => !supportedProfile.some((named) => named === url || named.startsWith(`${url}|`))),
        type,
      ).toEqual([]);
    }
  });
});
