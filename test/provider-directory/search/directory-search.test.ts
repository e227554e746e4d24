import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { DirectoryType } from '../../../lambdas/catalog/fhir/directory-types.ts';
import { fold } from '../../../lambdas/fhir/values/fold.ts';
import { readDirectoryResource } from '../../../lambdas/provider-directory/search/directory-search.ts';
import {
  openPublicationFile,
  PublicationDamaged,
} from '../../../lambdas/provider-directory/sqlite/publication-file.ts';
import {
  allPages,
  base,
  built,
  bundleOf,
  type DirectoryTexts,
  fileAt,
  namesOf,
  published,
  removeFolder,
  search,
  syntheticDirectory,
} from '../world.ts';

const texts = syntheticDirectory(300);
const publication = await published(texts, { id: 'searched' });
afterAll(async () => {
  publication.close();
  await removeFolder();
});

/** A directory with one more resource. */
function withResource(type: DirectoryType, resource: object): DirectoryTexts {
  return new Map([...texts, [type, [...(texts.get(type) ?? []), JSON.stringify(resource)]]]);
}

describe('a directory search', () => {
  it('sends a page, with the count of all matches where it is asked for, and all pages by their links', async () => {
    const first = bundleOf(await search(publication, 'PractitionerRole', '_count=7&_total=accurate'));
    expect(first.total).toBe(300);
    expect(namesOf(first)).toHaveLength(7);
    const { names, pages } = await allPages(publication, 'PractitionerRole', '_count=7');
    expect(pages).toBe(43);
    expect(new Set(names).size).toBe(300);
  });

  it.each(['_id', '-_id', '_lastUpdated', '-_lastUpdated'])('orders all pages by %s', async (sort) => {
    const { names } = await allPages(publication, 'PractitionerRole', `_count=40&_sort=${sort}`);
    const resources = (texts.get('PractitionerRole') ?? []).map((text) => JSON.parse(text));
    const keys = new Map(
      resources.map((each) => [
        `PractitionerRole/${each.id}`,
        sort.endsWith('_id') ? each.id : Date.parse(each.meta.lastUpdated),
      ]),
    );
    const expected = [...keys.values()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    expect(names.map((name) => keys.get(name))).toEqual(sort.startsWith('-') ? expected.reverse() : expected);
  });

  it('orders equal first keys by the second, over all pages', async () => {
    const { names } = await allPages(publication, 'Practitioner', '_count=7&_sort=-family,_id');
    const families = new Map(
      (texts.get('Practitioner') ?? []).map((text) => {
        const { id, name } = JSON.parse(text);
        return [`Practitioner/${id}`, fold(name[0].family)];
      }),
    );
    const expected = [...families.keys()].sort((one, other) => {
      const [a, b] = [String(families.get(one)), String(families.get(other))];
      if (a !== b) return a < b ? 1 : -1;
      return one < other ? -1 : 1;
    });
    expect(new Set(families.values()).size).toBeLessThan(families.size);
    expect(names).toEqual(expected);
  });

  it.each([
    ['Location', 'status=|active', 'status=active'],
    ['Location', 'status:not=|active&_summary=count', 'status:not=active&_summary=count'],
    ['Organization', '_id=Organization/practice-1', '_id=practice-1'],
    ['Organization', `_id=${base}/Organization/practice-1`, '_id=practice-1'],
    ['Organization', '_id:missing=false&_summary=count', '_summary=count&_id:not=none'],
    ['Practitioner', 'gender=|female&_summary=count', 'gender=female&_summary=count'],
  ] as const)('of %s finds by %s what it finds by %s', async (type, query, same) => {
    const [one, other] = [await search(publication, type, query), await search(publication, type, same)];
    expect(bundleOf(one).total).toBe(bundleOf(other).total);
    expect(namesOf(bundleOf(one))).toEqual(namesOf(bundleOf(other)));
    if (!query.includes(':not')) expect(bundleOf(one).total).not.toBe(0);
  });

  it('orders places by their distance', async () => {
    const { names } = await allPages(publication, 'Location', 'near=38.9|-77.03|60|mi&_count=5');
    const positions = new Map(
      (texts.get('Location') ?? []).map((text) => {
        const { id, position } = JSON.parse(text);
        return [`Location/${id}`, position];
      }),
    );
    const distances = names.map((name) => {
      const { latitude, longitude } = positions.get(name);
      return (latitude - 38.9) ** 2 + ((longitude + 77.03) * Math.cos((38.9 * Math.PI) / 180)) ** 2;
    });
    expect(names.length).toBeGreaterThan(5);
    for (const [at, distance] of distances.entries()) {
      // The test computes distances on a plane, which differ a little from those on the earth.
      if (at > 0) expect(distance).toBeGreaterThan((distances[at - 1] ?? 0) * 0.98);
    }
  });

  it('includes what roles refer to, once, and what refers to an organization', async () => {
    const roles = bundleOf(
      await search(
        publication,
        'PractitionerRole',
        '_count=5&_include=PractitionerRole:practitioner&_include=*',
      ),
    );
    const included = namesOf(roles, 'include');
    expect(included.filter((name) => name.startsWith('Practitioner/'))).toHaveLength(5);
    expect(new Set(included).size).toBe(included.length);
    const practice = bundleOf(
      await search(publication, 'Organization', '_id=practice-1&_revinclude=PractitionerRole:organization'),
    );
    expect(namesOf(practice)).toEqual(['Organization/practice-1']);
    expect(namesOf(practice, 'include').every((name) => name.startsWith('PractitionerRole/'))).toBe(true);
  });

  it('follows an include that iterates from what was included', async () => {
    const query = '_id=practitioner-1&_revinclude=PractitionerRole:practitioner';
    const once = bundleOf(await search(publication, 'Practitioner', query));
    expect(namesOf(once, 'include').map((name) => name.split('/')[0])).not.toContain('Location');
    const further = bundleOf(
      await search(publication, 'Practitioner', `${query}&_include:iterate=PractitionerRole:location`),
    );
    expect(namesOf(further, 'include').map((name) => name.split('/')[0])).toContain('Location');
  });

  it('sends parts of resources, and their number alone', async () => {
    const parts = bundleOf(await search(publication, 'Location', '_elements=name&_count=1'));
    expect(Object.keys(parts.entry?.[0]?.resource ?? {}).sort()).toEqual([
      'id',
      'meta',
      'name',
      'resourceType',
      'status',
    ]);
    const number = bundleOf(await search(publication, 'Location', '_summary=count'));
    expect(number.total).toBe(38);
    expect(number.entry).toBeUndefined();
  });

  it('leaves inactive resources out, unless they are asked for', async () => {
    const [role = '{}'] = texts.get('PractitionerRole') ?? [];
    const closed = { ...JSON.parse(role), id: 'closed', active: false };
    const withClosed = await published(withResource('PractitionerRole', closed), { id: 'with-closed' });
    const total = async (query: string) =>
      bundleOf(await search(withClosed, 'PractitionerRole', `${query}&_summary=count`)).total;
    expect(await total('')).toBe(300);
    expect(await total('active=false')).toBe(1);
    expect(await total('active=true,false')).toBe(301);
    withClosed.close();
  });

  it('hints at codes where a word for a specialty finds nothing, and at nothing else', async () => {
    const hints = async (query: string) => {
      const { entry = [] } = bundleOf(await search(publication, 'PractitionerRole', query));
      return entry.flatMap(({ resource, search: how }) =>
        how?.mode === 'outcome' && resource?.resourceType === 'OperationOutcome' ? resource.issue : [],
      );
    };
    expect(await hints('specialty=cardiology')).toEqual([
      expect.objectContaining({
        severity: 'warning',
        diagnostics: expect.stringMatching(/specialty takes codes .*‘cardiology’ is none.*specialty:text/),
      }),
    ]);
    for (const query of [
      'specialty=999X99999X',
      'specialty=urn:x|cardiology',
      'specialty:text=nothing',
      '_id=nobody',
    ])
      expect(await hints(query), query).toEqual([]);
  });

  it('warns of a parameter the type does not have, and refuses it where nothing may be ignored', async () => {
    const warned = bundleOf(await search(publication, 'Practitioner', 'nickname=ada&_count=1'));
    expect(JSON.stringify(warned.entry)).toContain(
      'The parameter ‘nickname’ is not supported for Practitioner',
    );
    const refused = await search(publication, 'Practitioner', 'nickname=ada', { strict: true });
    expect(refused).toMatchObject({ kind: 'invalid', issues: [{ code: 'not-supported' }] });
  });

  it.each([
    ['PractitionerRole', 'specialty.name=x', 'is no reference'],
    [
      'PractitionerRole',
      'organization.nickname=x',
      'The parameter ‘nickname’ is not supported for Organization. Supported: _id',
    ],
    ['PractitionerRole', 'organization.partof.partof.name=x', 'chained more than 2 times'],
    ['PractitionerRole', 'organization:Location.name=x', 'leads to Organization, not to ‘Location’'],
    ['Practitioner', '_has:Claim:provider:use=claim', 'a resource type that the directory does not have'],
    ['Practitioner', '_has=x', 'It has Organization, Location'],
    ['Practitioner', '_has:PractitionerRole:location:role=ph', 'must continue with one of practitioner'],
    ['Practitioner', '_has:Location:organization:name=x', 'No parameter of Location leads to Practitioner'],
    ['Location', 'near=91|0|1|km', 'near must be latitude|longitude|distance|units'],
    ['Location', 'near=38.9|-77|10|furlong', 'near must be'],
    ['Location', 'near=38.9|-77|-1|km', 'near must be'],
    ['Location', 'near=NaN|0|1', 'near must be'],
    [
      'Location',
      'name:ends=x',
      'The modifier ‘ends’ is not supported for the parameter name. It has missing, exact, contains',
    ],
    ['PractitionerRole', 'specialty=a|b|c', 'specialty must be code'],
    ['PractitionerRole', 'period=soon', 'period must be a date'],
    ['PractitionerRole', 'active:missing=perhaps', 'must be true or false'],
    ['PractitionerRole', '_include=Practitioner:organization', '_include of PractitionerRole must be one of'],
    ['Endpoint', '_revinclude=Endpoint:organization', '_revinclude of Endpoint must be one of'],
    ['PractitionerRole', '_sort=name', '_sort must have names among _id, _lastUpdated, each'],
    ['PractitionerRole', '_count=many', '_count must be a whole number'],
    ['PractitionerRole', '_count:exact=5', 'The modifier ‘exact’ is not supported for _count'],
    ['Location', '_sort=near', '_sort=near needs the parameter near'],
    ['Location', '_summary=text&_include=*', '_include can’t be used with _summary=text'],
    ['PractitionerRole', '_cursor=forged', '_cursor does not belong to this search'],
    ['PractitionerRole', `specialty=${'x'.repeat(6000)}`, 'at most 5000 characters'],
  ] as const)('of %s refuses %s and says what is supported', async (type, query, words) => {
    const answer = await search(publication, type, query);
    expect(answer.kind).toBe('invalid');
    expect(JSON.stringify(answer)).toContain(words);
  });

  it.each([
    `'";-- DROP TABLE resource`,
    '"meadow" OR "clinic"',
    'NEAR(meadow clinic)',
    'a*',
    '%',
    '(.*)+$',
    '\u0301',
    'me"ad',
    '\\',
  ])('takes %s as text', async (text) => {
    for (const modifier of ['', ':contains', ':exact']) {
      const answer = await search(publication, 'Organization', `name${modifier}=${encodeURIComponent(text)}`);
      expect(namesOf(bundleOf(answer))).toEqual([]);
    }
  });

  it('stays with the publication of its first page, and says when that is gone', async () => {
    const fewer: DirectoryTexts = new Map([
      ...texts,
      ['PractitionerRole', (texts.get('PractitionerRole') ?? []).slice(0, 250)],
    ]);
    const next = await published(fewer, { id: 'next' });
    const first = bundleOf(await search(publication, 'PractitionerRole', '_count=100'));
    const link = first.link?.find(({ relation }) => relation === 'next')?.url?.split('?')[1] ?? '';
    const second = bundleOf(await search(next, 'PractitionerRole', link, { kept: [next, publication] }));
    expect(namesOf(second)).toHaveLength(100);
    expect(namesOf(second)[0]).toBe('PractitionerRole/role-100');
    expect(await search(next, 'PractitionerRole', link, { kept: [next] })).toEqual({
      kind: 'publication_gone',
    });
    next.close();
  });

  it('does not take a cursor of another type or with another search', async () => {
    const first = bundleOf(await search(publication, 'PractitionerRole', '_count=10'));
    const link = first.link?.find(({ relation }) => relation === 'next')?.url?.split('?')[1] ?? '';
    expect(await search(publication, 'Practitioner', link)).toMatchObject({ kind: 'invalid' });
    expect(await search(publication, 'PractitionerRole', `${link}&specialty=207R00000X`)).toMatchObject({
      kind: 'invalid',
    });
    expect(namesOf(bundleOf(await search(publication, 'PractitionerRole', `${link}&_count=3`)))).toHaveLength(
      3,
    );
    expect(first.link?.[0]?.url).toBe(`${base}/PractitionerRole?_count=10`);
  });
});

describe('a read of the directory', () => {
  it('finds a resource, and its version in the publications that are kept', async () => {
    const [role = '{}'] = texts.get('PractitionerRole') ?? [];
    const changed = { ...JSON.parse(role), meta: { ...JSON.parse(role).meta, versionId: '3' } };
    const newer = await published(
      new Map([
        ...texts,
        ['PractitionerRole', [JSON.stringify(changed), ...(texts.get('PractitionerRole') ?? []).slice(1)]],
      ]),
      { id: 'newer', previous: { id: publication.id, resources: {} } },
    );
    const publications = {
      current: async () => newer,
      kept: async (id: string) => [newer, publication].find((each) => each.id === id),
    };
    const read = (id: string, version?: string) =>
      readDirectoryResource({ publications }, 'PractitionerRole', id, version);
    expect(await read('role-0')).toMatchObject({ kind: 'resource', versionId: '3' });
    expect(await read('role-0', '3')).toMatchObject({ kind: 'resource', versionId: '3' });
    expect(await read('role-0', '2')).toEqual({
      kind: 'resource',
      json: role,
      versionId: '2',
      updated: Date.parse(JSON.parse(role).meta.lastUpdated),
    });
    expect(await read('role-0', '4')).toEqual({ kind: 'not_found' });
    expect(await read('nobody')).toEqual({ kind: 'not_found' });
    newer.close();
  });
});

describe('a build', () => {
  it.each([
    ['dangling', 'PractitionerRole', { practitioner: { reference: 'Practitioner/nobody' } }],
    [
      'network_lost',
      'PractitionerRole',
      {
        extension: [
          {
            url: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/StructureDefinition/network-reference',
            valueReference: { reference: 'Organization/network-99' },
          },
        ],
      },
    ],
    ['duplicate', 'Practitioner', { id: 'practitioner-1' }],
    ['malformed', 'Practitioner', { meta: {} }],
    ['malformed', 'Practitioner', { resourceType: 'Patient' }],
  ] as const)('is refused as %s', async (code, type, change) => {
    const resource = {
      resourceType: type,
      id: 'odd',
      meta: { lastUpdated: '2026-11-01T00:00:00Z' },
      ...change,
    };
    const id = `refused-${code}-${JSON.stringify(change).length}`;
    const { result } = await built(withResource(type, resource), { id });
    expect(result).toMatchObject({ kind: 'refusal', reasons: [{ code }] });
  });

  it('is refused where more resources are gone than may be, and where there are none', async () => {
    const previous = { id: 'before', resources: { PractitionerRole: 400, Location: 38 } };
    const { result } = await built(texts, { id: 'loss', previous });
    expect(result).toMatchObject({
      kind: 'refusal',
      reasons: [
        {
          code: 'loss',
          message: 'PractitionerRole: 300 resources instead of 400. At most 20 % may be fewer than before.',
        },
      ],
    });
    const empty = await built(new Map(), { id: 'empty' });
    expect(empty.result).toMatchObject({ kind: 'refusal', reasons: [{ code: 'empty' }] });
  });

  it('leaves a file that is told from a damaged one', async () => {
    const damaged = fileAt('damaged.sqlite');
    writeFileSync(damaged, 'no database');
    expect(() => openPublicationFile(damaged)).toThrow(PublicationDamaged);
    expect(() => openPublicationFile(fileAt('none.sqlite'))).toThrow(PublicationDamaged);
  });
});
