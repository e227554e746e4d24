import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentVersion } from '../../portal-static/build/documents/openapi.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { contractOf } from './contract.ts';
import { announcedBreakages, breakagesOf } from './contract-breakages.ts';
import { type Document, howToUpdate, member, portal } from './documents.ts';

const changelog = readFileSync(join(repositoryRoot, 'portal-static/docs/changelog.md'), 'utf8');
const howToBreak =
  'this breaks clients. If it has to be, the newest release in portal-static/docs/changelog.md needs an entry that starts with "Breaking:" ' +
  'and has the operation or the schema in backticks; portal-static/docs/versioning.md says what else was promised';

const contracts = [
  ['member-data-api.txt', contractOf(member)],
  ['portal-api.txt', contractOf(portal)],
] as const;

describe.each(contracts)('docs/contract/%s', (name, contract) => {
  // Breakages are checked first, so that an update of the file (`-u`) does not hide an unannounced one.
  it('is that of the OpenAPI document, and breaks no client of the contract before unless the changelog says so', async () => {
    const file = join(repositoryRoot, 'docs/contract', name);
    const before = readFileSync(file, 'utf8');
    const announced = announcedBreakages(changelog);
    const unannounced = breakagesOf(before, contract).filter(
      ({ section }) => !announced.includes(section.replace('schema ', '')),
    );
    expect(unannounced, howToBreak).toEqual([]);
    await expect(contract, howToUpdate).toMatchFileSnapshot(file);
  });

  it('breaks clients without any of its operations and schemas, and without any of its lines', () => {
    const sections = [...contract.matchAll(/^(?!common)(\S.*?):/gm)].map(([, section]) => section);
    expect(breakagesOf(contract, '')).toEqual(sections.map((section) => ({ section, problem: 'removed' })));
    const lines = contract.match(/^ {2}(?!servers|errors).*$/gm) ?? [];
    const headsOnly = contract.replace(/^ .*\n/gm, '');
    const removed = breakagesOf(contract, headsOnly).filter(({ problem }) => problem.endsWith(' removed'));
    expect(removed.length).toBeGreaterThan(lines.length);
  });
});

const thing: Document = {
  openapi: '3.1.1',
  servers: [{ url: 'https://{lob}.example', variables: { lob: { enum: ['a', 'b'], default: 'a' } } }],
  tags: [],
  paths: {
    '/things': {
      put: {
        operationId: 'putThing',
        security: [{ key: [], token: [] }, { session: [] }],
        parameters: [{ in: 'query', name: 'view', schema: { enum: ['short', 'full'] } }],
        requestBody: {
          content: {
            json: {
              schema: {
                type: 'object',
                properties: {
                  name: { type: 'string', minLength: 2, maxLength: 10 },
                  note: { type: 'string' },
                  kinds: { type: 'array', items: { enum: ['one', 'two'] } },
                },
                required: ['name'],
              },
            },
          },
        },
        responses: {
          200: { headers: { ETag: { required: true } }, content: { json: { schema: ref('Thing') } } },
          400: { headers: { Allow: {} }, content: { json: { schema: ref('Problem') } } },
          404: { headers: { Allow: {} }, content: { json: { schema: ref('Problem') } } },
        },
      },
    },
  },
  components: {
    securitySchemes: {},
    schemas: {
      Thing: {
        type: 'object',
        properties: { state: { enum: ['new', 'old'] }, size: { type: 'integer', maximum: 9 } },
        required: ['state'],
      },
      Problem: { type: 'object', properties: {} },
    },
  },
};

function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the document with one value set; undefined removes it. */
function changed(path: string, value: unknown): Document {
  const document = structuredClone(thing);
  const names = path
    .replace('PUT', 'paths /things put')
    .replace('BODY', 'paths /things put requestBody content json schema')
    .replace('THING', 'components schemas Thing')
    .split(' ');
  const last = names.pop() ?? '';
  const at = names.reduce((each, name) => each[name] as Record<string, unknown>, { ...document } as Record<
    string,
    unknown
  >);
  if (value === undefined) delete at[last];
  else at[last] = value;
  return document;
}

const problemsOf = (path: string, value: unknown) =>
  breakagesOf(contractOf(thing), contractOf(changed(path, value))).map(
    ({ section, problem }) => `${section}: ${problem}`,
  );

describe('a change that breaks clients', () => {
  it.each([
    ['PUT', undefined, 'PUT /things: removed'],
    ['PUT operationId', 'set', 'PUT /things: operation putThing renamed'],
    ['PUT security', [{ session: [] }], 'PUT /things: credentials key+token|session no longer accepted'],
    ['servers 0 variables lob enum', ['a'], 'PUT /things: servers https://b.example removed'],
    ['PUT parameters', [], 'PUT /things: query view removed'],
    ['PUT parameters 0 required', true, 'PUT /things: query view required'],
    ['PUT parameters 0 schema enum', ['short'], 'PUT /things: query view no longer accepts "full"'],
    ['PUT requestBody required', true, 'PUT /things: body json required'],
    ['BODY properties note', undefined, 'PUT /things: body json.note removed'],
    ['BODY required', ['name', 'note'], 'PUT /things: body json.note required'],
    ['BODY properties name type', 'integer', 'PUT /things: body json.name no longer accepts string'],
    ['BODY properties name maxLength', 9, 'PUT /things: body json.name no longer accepts length<=9'],
    ['BODY properties name minLength', 3, 'PUT /things: body json.name no longer accepts length>=3'],
    [
      'BODY properties note pattern',
      'a b|c',
      'PUT /things: body json.note no longer accepts /a\\x20b\\x7cc/',
    ],
    ['BODY properties kinds items enum', ['one'], 'PUT /things: body json.kinds no longer accepts "two"[]'],
    ['BODY additionalProperties', false, 'PUT /things: body json no longer accepts closed'],
    ['PUT responses 200', undefined, 'PUT /things: 200 removed'],
    ['PUT responses 200 headers ETag', {}, 'PUT /things: 200 ETag removed'],
    ['PUT responses 200 content json schema', ref('Problem'), 'PUT /things: 200 json=Thing removed'],
    ['PUT responses 404 headers', {}, 'PUT /things: errors 404 Allow? removed'],
    ['THING properties size', undefined, 'schema Thing: .size removed'],
    ['THING properties size type', 'number', 'schema Thing: .size can be other than number'],
    ['THING properties size maximum', 10, 'schema Thing: .size can be other than value<=9'],
    ['THING required', [], 'schema Thing: .state no longer always sent'],
  ])('%s %j', (path, value, problem) => {
    expect(problemsOf(path, value)).toEqual([problem]);
  });

  it('is a new property that a body requires', () => {
    const { properties, required } = {
      properties: { name: { type: 'string' }, age: {} },
      required: ['name', 'age'],
    };
    expect(problemsOf('BODY', { type: 'object', properties, required })).toContain(
      'PUT /things: body json.age required',
    );
  });
});

describe('a change that breaks no client', () => {
  it.each([
    ['paths /others', { get: { operationId: 'others', responses: {} } }],
    ['PUT security', []],
    ['PUT parameters 1', { in: 'header', name: 'Prefer', schema: {} }],
    ['PUT parameters 0 schema', { type: 'string' }],
    ['BODY properties name maxLength', 11],
    ['BODY properties name minLength', undefined],
    ['BODY properties kinds items enum', ['one', 'two', 'three']],
    ['BODY properties more', { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }],
    ['BODY required', []],
    ['PUT responses 404', undefined],
    ['PUT responses 409', { content: { json: { schema: ref('Problem') } } }],
    ['PUT responses 200 headers Link', {}],
    ['THING properties more', { type: 'string' }],
    ['THING properties state enum', ['new', 'old', 'gone']],
    ['THING properties size maximum', 8],
    ['THING required', ['state', 'size']],
  ])('%s %j', (path, value) => {
    expect(contractOf(changed(path, value))).not.toBe(contractOf(thing));
    expect(problemsOf(path, value)).toEqual([]);
  });
});

it('has the version of the newest release in the changelog', () => {
  expect(documentVersion).toBe(/^## ([\d.]+),/m.exec(changelog)?.[1]);
});

it('takes announced breakages from the newest release of the changelog', () => {
  const text =
    '# Changes\n\n## 2\n\n- **API · Changed** Breaking: `PUT /things` requires `note`.\n- `Thing` grows.\n\n## 1\n\n- Breaking: `GET /all`.\n';
  expect(announcedBreakages(text)).toEqual(['PUT /things', 'note']);
});
