import { beforeAll, describe, expect, it } from 'vitest';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { searchValues } from '../../lambdas/fhir/values/values.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { type App, memberToken } from './app-calls.ts';
import { baseOf, createDataCalls, namesOn } from './data-calls.ts';
import { localFetch, memberOf, register, registrationOf } from './journey.ts';

/** Tries everything that the CapabilityStatement of Patient Access promises against the running system. */

/** The line of business whose first member has a resource of every type. */
const lob: LineOfBusiness = 'EGWP';
const member = memberOf('sandbox', lob);
const resources = member.resources.map(({ json }) => JSON.parse(json) as Resource);

interface Resource {
  readonly resourceType: string;
  readonly id: string;
  readonly meta: { readonly profile?: readonly string[]; readonly lastUpdated: string };
  readonly [element: string]: unknown;
}
interface Capability {
  readonly type: string;
  readonly interaction: readonly { readonly code: string }[];
  readonly supportedProfile?: readonly string[];
  readonly searchInclude?: readonly string[];
  readonly searchRevInclude?: readonly string[];
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

/** A value of a parameter in a resource, in the syntax of a query; undefined if it has none. */
function valueIn(resource: Resource, name: string): string | undefined {
  if (name === '_id') return resource.id;
  if (name === '_lastUpdated') return resource.meta.lastUpdated;
  const { tokens, dates, strings, references } = searchValues(resource);
  const [[system = '', code = ''] = []] = tokens[name] ?? [];
  if (code !== '') return system === '' ? code : `${system}|${code}`;
  const [[start] = []] = dates[name] ?? [];
  if (typeof start === 'number') return `ge${new Date(start).toISOString()}`;
  return strings[name]?.[0]?.[1] ?? references[name]?.[0];
}

/** Parameters without a value: none of these members has died, and none has data of another payer. */
const hasNoValue = (type: string, name: string) =>
  name === '_source' || `${type} ${name}` === 'Patient death-date';

/** A value that no resource has, for each type of parameter. */
const nothing: Readonly<Record<string, string>> = {
  date: '1901-01-01',
  reference: 'Patient/nobody',
  string: 'zzzzzz',
  token: 'nothing-of-the-kind',
  uri: 'https://example.org/fhir/StructureDefinition/nothing',
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
      expect([got.status, posted.status], type).toEqual(searched ? [200, 200] : [404, 405]);
    }
  });

  it('finds by each parameter what has the value, and nothing where nothing has it', async () => {
    let tried = 0;
    for (const { type, searchParam = [] } of capabilities()) {
      for (const { name, type: kind } of searchParam) {
        if (hasNoValue(type, name)) continue;
        const resource = ofType(type).find((each) => valueIn(each, name) !== undefined);
        const value = resource === undefined ? undefined : valueIn(resource, name);
        expect(value, `${type} ${name}`).toMatch(/./);
        const query = new URLSearchParams({ [name]: String(value), _count: '100' });
        // The matching resource may be on any page, since the member has several pages of some types.
        const found = await calls().pages(`/${type}?${query}`, strict);
        expect(
          found.flatMap((page) => namesOn(page)),
          `${type} ${name}`,
        ).toContain(`${type}/${resource?.id}`);
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

  it('sends with the results what it says refers to them', async () => {
    for (const { type, searchRevInclude = [] } of capabilities()) {
      for (const revInclude of searchRevInclude) {
        const page = await calls().page(`/${type}?_revinclude=${revInclude}`, strict);
        const included = namesOn(page, 'include');
        expect(included.length, `${type} ${revInclude}`).toBeGreaterThan(0);
        for (const name of included) expect(name).toMatch(/^Provenance\//);
      }
    }
  });

  it('has the operations it names', async () => {
    const named = capabilities().flatMap(({ type, operation = [] }) =>
      operation.map(({ name }) => `${type}/$${name}`),
    );
    expect(named).toEqual(['Patient/$everything', 'DocumentReference/$docref']);
    const { total } = await calls().page(`/Patient/${member.patientId}/$everything`, strict);
    expect(total).toBe(resources.length);
    const documents = await calls().page(`/DocumentReference/$docref?patient=${member.patientId}`, strict);
    expect(documents.total).toBeGreaterThan(0);
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
        return { resourceType, profiles: profile ?? [] };
      }),
    );
    for (const { type, supportedProfile = [] } of capabilities()) {
      const met = declared
        .filter(({ resourceType }) => resourceType === type)
        .flatMap(({ profiles }) => profiles);
      const carin = (profiles: readonly string[]) =>
        [...new Set(profiles.filter((url) => url.includes('/carin-bb/') && url.includes('|')))].sort();
      expect(carin(met), type).toEqual(carin(supportedProfile));
      const core = met.filter((url) => url.includes('/us/core/'));
      expect(
        // The service description's Patient names US Core's profile without a version.
        core.filter((url) => !supportedProfile.some((named) => named === url || named.startsWith(`${url}|`))),
        type,
      ).toEqual([]);
    }
  });
});
