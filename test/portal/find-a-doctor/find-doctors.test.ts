import type { Bundle, FhirResource } from 'fhir/r4.js';
import { describe, expect, it } from 'vitest';
import { linesOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { doctorPage } from '../../../lambdas/portal/find-a-doctor/doctor-page.ts';
import { doctorPageTitle } from '../../../lambdas/portal/find-a-doctor/doctor-words.ts';
import {
  type DirectoryAnswer,
  type DirectoryApi,
  findDoctors,
} from '../../../lambdas/portal/find-a-doctor/find-doctors.ts';

const base = 'https://dsnp.api.example.org/extfhirproviderdir/v1';

const newPatients = (code: string) => ({
  url: 'http://hl7.org/fhir/us/davinci-pdex-plan-net/StructureDefinition/newpatients',
  extension: [{ url: 'acceptingPatients', valueCodeableConcept: { coding: [{ code }] } }],
});

const role = (id: string, code: string): FhirResource => ({
  resourceType: 'PractitionerRole',
  id,
  extension: [newPatients(code)],
  practitioner: { reference: 'Practitioner/p1' },
  location: [{ reference: 'Location/l1' }],
  specialty: [{ coding: [{ system: 'http://nucc.org/provider-taxonomy', code: '207RC0000X' }] }],
});

const included: readonly FhirResource[] = [
  {
    resourceType: 'Practitioner',
    id: 'p1',
    name: [{ given: ['Ada'], family: '<Sampleton>' }],
    communication: [{ coding: [{ code: 'es' }] }],
  },
  {
    resourceType: 'Location',
    id: 'l1',
    name: 'Office',
    position: { latitude: 45.5, longitude: -122.6 },
    address: { line: ['1 Main Street'], city: 'Portland', state: 'OR', postalCode: '97201' },
    telecom: [{ system: 'phone', value: '+1-503-555-0100' }],
  },
];

function bundle(matches: readonly FhirResource[], cursor?: string): FhirResource {
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    total: 7,
    ...(cursor !== undefined && {
      link: [{ relation: 'next', url: `${base}/PractitionerRole?_cursor=${cursor}` }],
    }),
    entry: [
      ...matches.map((resource) => ({ resource, search: { mode: 'match' as const } })),
      ...included.map((resource) => ({ resource, search: { mode: 'include' as const } })),
    ],
  };
}

/** Numbers of practitioners of the API who state a language, by its tag. */
const speakers: Readonly<Record<string, number>> = { en: 90, vi: 40, es: 60 };

/** A FHIR API with these answers to searches for roles. It records the requests, except those whose answers are kept. */
function apiOf(...roles: readonly DirectoryAnswer[]) {
  const asked: URL[] = [];
  const answers = [...roles];
  const api: DirectoryApi = {
    environment: 'production',
    base: () => base,
    getKept: async (_environment, text) => {
      const { pathname, searchParams } = new URL(text);
      if (pathname.endsWith('/Organization')) return { status: 200, body: bundle([]) };
      const total = speakers[searchParams.get('communication') ?? ''] ?? 0;
      return { status: 200, body: { resourceType: 'Bundle', type: 'searchset', total } };
    },
    get: async (_environment, text) => {
      const url = new URL(text);
      asked.push(url);
      if (url.pathname.endsWith('/Location'))
        return {
          status: 200,
          body: {
            resourceType: 'Bundle',
            type: 'searchset',
            entry: [{ resource: included[1] as FhirResource }],
          },
        };
      return answers.shift();
    },
  };
  return { api, asked };
}

const search = (query: string) =>
  new Map([...new URLSearchParams(query)].map(([name, value]) => [name, [value]] as const));

describe('a search for doctors', () => {
  it('asks the API for all that the form has', async () => {
    const { api, asked } = apiOf({ status: 200, body: bundle([role('r1', 'newpt')]) });
    const page = await findDoctors(
      api,
      search('lob=DSNP&name=o%7Cneil%2C+ada&specialty=heart&network=n1&zip=97201&miles=25&language=es'),
    );
    const query = asked.at(-1)?.searchParams;
    expect(query?.getAll('practitioner.name')).toEqual(['o\\|neil', 'ada']);
    expect(query?.get('specialty')).toBe(
      'http://nucc.org/provider-taxonomy|207RC0000X,http://nucc.org/provider-taxonomy|207RI0011X',
    );
    expect(query?.get('network')).toBe('Organization/n1');
    expect(query?.get('practitioner.communication')).toBe('es');
    expect(query?.get('location.near')).toBe('45.5|-122.6|25|mi');
    expect(page.results).toMatchObject({
      total: 1,
      doctors: [
        {
          name: 'Ada <Sampleton>',
          specialties: ['Heart (cardiology)'],
          languages: ['Spanish'],
          accepting: 'yes',
          places: [{ miles: 0, phone: '+1-503-555-0100', lines: ['1 Main Street', 'Portland, OR 97201'] }],
        },
      ],
    });
  });

  it('reads further pages where only doctors who accept new patients are wanted', async () => {
    const { api, asked } = apiOf(
      { status: 200, body: bundle([role('r1', 'nopt')], 'two') },
      { status: 200, body: bundle([role('r2', 'newpt')]) },
    );
    const { results } = await findDoctors(api, search('lob=DSNP&accepting=yes'));
    expect(results?.doctors.map(({ reference }) => reference)).toEqual(['PractitionerRole/r2']);
    expect(asked.at(-1)?.searchParams.get('_cursor')).toBe('two');
  });

  it.each([
    [{ status: 410, body: undefined }, { kind: 'expired' }],
    [{ status: 503, body: undefined }, { kind: 'unavailable' }],
    [
      {
        status: 400,
        body: {
          resourceType: 'OperationOutcome' as const,
          issue: [{ severity: 'error' as const, code: 'value' as const, diagnostics: 'near is too far' }],
        },
      },
      { kind: 'refused', words: 'near is too far' },
    ],
  ])('tells what %j of the API means', async (answer, problem) => {
    expect((await findDoctors(apiOf(answer).api, search('lob=DSNP'))).problem).toEqual(problem);
  });

  it('offers the sandbox where the plan’s own directory is not available', async () => {
    const unavailable = { status: 503, body: undefined };
    const shown = async (query: string) =>
      doctorPage(await findDoctors(apiOf(unavailable).api, search(query)), base);
    expect(await shown('lob=DSNP&name=ada&network=n1')).toContain(
      'href="/find-a-doctor?lob=DSNP&amp;name=ada&amp;environment=sandbox">Search the sandbox',
    );
    expect(await shown('lob=DSNP&environment=sandbox')).not.toContain('Search the sandbox');
  });

  it('searches the configured environment where the address names none', async () => {
    const { api } = apiOf({ status: 200, body: bundle([]) });
    const { query } = await findDoctors({ ...api, environment: 'sandbox' }, search('lob=DSNP'));
    expect(query.environment).toBe('sandbox');
    expect((await findDoctors(api, search(''))).query.environment).toBe('production');
  });

  it('takes the point of a ZIP code in which the directory has no address, and knows which is none', async () => {
    const { api, asked } = apiOf({ status: 200, body: bundle([]) });
    const nowhere: DirectoryApi = {
      ...api,
      get: async (environment, url) =>
        url.includes('/Location')
          ? { status: 200, body: { resourceType: 'Bundle', type: 'searchset' } }
          : await api.get(environment, url),
    };
    await findDoctors(nowhere, search('lob=DSNP&zip=97201'));
    expect(asked.at(-1)?.searchParams.get('location.near')).toBe('45.51|-122.69|10|mi');
    const unknown = await findDoctors(nowhere, search('lob=DSNP&zip=00000'));
    expect(unknown.problem).toEqual({ kind: 'zip' });
  });

  it('shows the nearest first, on whichever page of the API they are, and counts what it shows', async () => {
    const at = (id: string, latitude: number) => [
      { ...role(id, 'newpt'), location: [{ reference: `Location/${id}` }] } as FhirResource,
      { resourceType: 'Location', id, position: { latitude, longitude: -122.6 } } as FhirResource,
    ];
    const page = (cursor: string | undefined, ...places: readonly FhirResource[][]): FhirResource => {
      const whole = bundle(
        places.map(([one]) => one as FhirResource),
        cursor,
      );
      return {
        ...whole,
        total: 3,
        entry: [
          ...((whole as Bundle).entry ?? []),
          ...places.map(([, resource]) => ({ resource, search: { mode: 'include' } })),
        ],
      } as FhirResource;
    };
    const { api } = apiOf(
      { status: 200, body: page('two', at('far', 45.6), at('near', 45.51)) },
      { status: 200, body: page(undefined, at('nearest', 45.5)) },
    );
    const found = await findDoctors(api, search('lob=DSNP&zip=97201'));
    expect(found.results?.doctors.map(({ reference }) => reference.split('/')[1])).toEqual([
      'nearest',
      'near',
      'far',
    ]);
    expect(doctorPage(found, base)).toContain('>3 results<');
  });

  it('tries a smaller circle where more are near than are read, and says so', async () => {
    const crowded = { ...bundle([role('r1', 'newpt')]), total: 12_000 } as FhirResource;
    const few = { ...bundle([role('r2', 'newpt')]), total: 1 } as FhirResource;
    const { api, asked } = apiOf({ status: 200, body: crowded }, { status: 200, body: few });
    const page = await findDoctors(api, search('lob=DSNP&zip=97201&miles=10'));
    expect(asked.at(-1)?.searchParams.get('location.near')).toContain('|5|mi');
    expect(page.results?.limit).toEqual({ kind: 'nearest', of: 12_000, read: 1 });
    expect(doctorPage(page, base)).toContain('12,000 doctors match. The results are from the nearest 1.');
  });

  it('says which results of how many a page has', async () => {
    const twenty = bundle(
      Array.from({ length: 20 }, (_, index) => role(`r${index}`, 'newpt')),
      'two',
    );
    const { api } = apiOf({ status: 200, body: { ...twenty, total: 392 } as FhirResource });
    const page = await findDoctors(api, search('lob=DSNP&from=20&cursor=one'));
    const text = doctorPage(page, base);
    expect(text).toContain('Results 21 to 40 of 392');
    expect(doctorPageTitle(page)).toBe('Results 21 to 40 of 392: Find a doctor');
    expect(text).toContain('from=40&amp;cursor=two');
    expect(text).toContain('start="21"');
  });

  it('leads back by a page where it sorted the results itself, and else to the first', async () => {
    const many = bundle(Array.from({ length: 45 }, (_, index) => role(`r${index}`, 'newpt')));
    const shown = async (query: string) =>
      doctorPage(
        await findDoctors(
          apiOf({ status: 200, body: { ...many, total: 45 } as FhirResource }).api,
          search(query),
        ),
        base,
      );
    expect(await shown('lob=DSNP&zip=97201&from=40')).toMatch(/from=20#results">Previous results</);
    expect(await shown('lob=DSNP&zip=97201')).not.toMatch(/Previous results|First results/);
    expect(await shown('lob=DSNP&from=40&cursor=three')).toMatch(
      /href="[^"]*environment=production#results">First results</,
    );
  });

  it('offers what each criterion would widen to where nothing is found', async () => {
    const shown = async (query: string) =>
      doctorPage(
        await findDoctors(
          apiOf({ status: 200, body: { resourceType: 'Bundle', type: 'searchset', total: 0 } }).api,
          search(query),
        ),
        base,
      );
    const all = await shown('lob=DSNP&specialty=skin&zip=97201&miles=10&language=es');
    const links = [...all.matchAll(/<li><a href="([^"]*)">([^<]*)/g)].map(([, href, words]) => [words, href]);
    const at = '/find-a-doctor?lob=DSNP';
    expect(links).toEqual([
      [
        'Within 25 miles of 97201',
        `${at}&amp;specialty=skin&amp;zip=97201&amp;miles=25&amp;language=es&amp;environment=production#results`,
      ],
      ['Any distance', `${at}&amp;specialty=skin&amp;language=es&amp;environment=production#results`],
      [
        'Any specialty',
        `${at}&amp;zip=97201&amp;miles=10&amp;language=es&amp;environment=production#results`,
      ],
      [
        'Any language',
        `${at}&amp;specialty=skin&amp;zip=97201&amp;miles=10&amp;environment=production#results`,
      ],
    ]);
    expect(await shown('lob=DSNP&name=Cardiologist')).toContain(
      'Search for the specialty Heart (cardiology) instead of the name “Cardiologist”',
    );
    expect(await shown('lob=DSNP')).toContain('lists no doctors');
  });

  it('lists the languages of the plan, the most frequent first, and all before a plan is chosen', async () => {
    const { api } = apiOf({ status: 200, body: bundle([]) });
    expect((await findDoctors(api, search('lob=DSNP&language=ru'))).languages).toEqual([
      'en',
      'es',
      'vi',
      'ru',
    ]);
    expect((await findDoctors(api, search(''))).languages).toHaveLength(9);
    const silent = { ...api, getKept: async () => undefined };
    const unavailable = await findDoctors(silent, search('lob=DSNP'));
    expect([unavailable.problem, unavailable.languages.length]).toEqual([{ kind: 'unavailable' }, 9]);
  });

  it('says above the results what was searched, and takes a ZIP+4 code by its first digits', async () => {
    const { api } = apiOf({ status: 200, body: bundle([role('r1', 'newpt')]) });
    const page = await findDoctors(api, search('lob=DSNP&zip=97201-1234&specialty=heart&accepting=yes'));
    expect(doctorPage(page, base)).toContain(
      `${linesOfBusiness.DSNP.name} · Heart (cardiology) · within 10 miles of 97201, nearest first · accepts new patients`,
    );
  });

  it('asks nothing before a plan is chosen, nor with a wrong ZIP code', async () => {
    const { api, asked } = apiOf();
    expect((await findDoctors(api, search('lob=&name=a'))).errors).toEqual({ lob: 'Select a plan.' });
    expect(asked).toEqual([]);
    for (const unknown of ['specialty=cardiology', 'language=xx', 'specialty=constructor']) {
      const { errors, results } = await findDoctors(api, search(`lob=DSNP&${unknown}`));
      expect([Object.values(errors), results]).toEqual([
        [expect.stringContaining('from the list')],
        undefined,
      ]);
    }
    const { errors } = await findDoctors(api, search('lob=DSNP&zip=1'));
    expect(errors.zip).toContain('5-digit');
    expect(asked).toEqual([]);
  });
});

describe('the page', () => {
  it('escapes what the directory and the form say', async () => {
    const { api } = apiOf({ status: 200, body: bundle([role('r1', 'newpt')], 'c"<') });
    const text = doctorPage(await findDoctors(api, search('lob=DSNP&name=%22%3E%3Cscript%3E')), base);
    expect(text).toContain('Ada &lt;Sampleton&gt;');
    expect(text).not.toMatch(/<script|<Sampleton/);
    expect(text).toContain('cursor=c%22%3C');
  });
});
