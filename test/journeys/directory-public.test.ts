/** A public Provider Directory: a crawler that knows only the Plan-Net guide reads all of it, also while publications change. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bundle, CapabilityStatement, FhirResource, Location } from 'fhir/r4.js';
import { Client } from 'fhir-kit-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';
import { type RunningSystem, startRunningSystem } from '../support/running-system.ts';
import { localFetch } from './journey.ts';
import { runAgainst } from './system-file.ts';

interface Located {
  readonly resourceType: string;
  readonly id: string;
  readonly meta: { readonly versionId: string };
}
interface BulkManifest {
  readonly output: readonly { readonly type: string; readonly url: string; readonly count: number }[];
}

let system: RunningSystem;
let base: string;

const run = promisify(execFile);
async function ops(...words: readonly string[]): Promise<string> {
  const file = join(system.stateDirectory, 'system.json');
  const args = ['ops/main.ts', ...words, '--lob', 'MAPD', '--system', file];
  return (await run(process.execPath, args, { cwd: repositoryRoot })).stdout;
}

async function get<Content>(url: string): Promise<Content> {
  const response = await localFetch(url, { headers: { accept: 'application/fhir+json' } });
  if (response.status !== 200) throw new Error(`${response.status} ${url} ${await response.text()}`);
  return (await response.json()) as Content;
}

beforeAll(async () => {
  system = await startRunningSystem({ context: { 'sandbox.directoryAccess': 'public' } });
  runAgainst(system.stateDirectory);
  base = `http://mapd.api.sandbox.localhost:${system.system.port}/extfhirproviderdir/v1`;
  const deadline = Date.now() + 120_000;
  while ((await localFetch(`${base}/Organization`)).status !== 200 && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 500));
});
afterAll(async () => {
  await system.stop();
});

/** The names of all resources that a search finds, on all pages. */
async function crawl(type: string, query: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (let url: string | undefined = `${base}/${type}?${query}`; url !== undefined; ) {
    const bundle: Bundle<FhirResource> = await get(url);
    names.push(...(bundle.entry ?? []).map(({ resource }) => `${resource?.resourceType}/${resource?.id}`));
    url = bundle.link?.find(({ relation }) => relation === 'next')?.url;
  }
  return names;
}

/** The types of the directory, each with a search for all its resources, from the CapabilityStatement alone. */
async function searches(): Promise<readonly (readonly [type: string, query: string])[]> {
  const statement: CapabilityStatement = await get(`${base}/metadata`);
  return (statement.rest?.[0]?.resource ?? [])
    .filter(({ interaction = [] }) => interaction.some(({ code }) => code === 'search-type'))
    .map(({ type, searchParam = [] }) => {
      const isActive = searchParam.some(({ name }) => name === 'active');
      return [type, `${isActive ? 'active=true,false' : '_lastUpdated=ge1900'}&_count=100`] as const;
    });
}

describe('a public directory', () => {
  it('is walked whole by search, without credentials, and holds what was published', async () => {
    const { current } = JSON.parse(await ops('directory', 'show', '--json'));
    for (const [type, query] of await searches()) {
      const names = await crawl(type, query);
      expect(new Set(names).size, type).toBe(names.length);
      if (query.startsWith('active')) expect(names.length, type).toBe(current.resources[type]);
      else expect(names.length, type).toBeGreaterThan(0);
    }
  });

  it('holds the same for fhir-kit-client as in its bulk files', async () => {
    // Node does not resolve `*.localhost`, so the library uses a `fetch` that does.
    vi.stubGlobal('fetch', localFetch);
    const client = new Client({ baseUrl: base });
    const found = new Map<string, unknown>();
    for (const [type, query] of await searches()) {
      const searchParams = Object.fromEntries(new URLSearchParams(query));
      let page: Promise<unknown> | undefined = client.search({ resourceType: type, searchParams });
      while (page !== undefined) {
        const bundle = (await page) as Bundle<FhirResource>;
        for (const { resource } of bundle.entry ?? []) {
          found.set(`${resource?.resourceType}/${resource?.id}`, resource);
        }
        page = client.nextPage({ bundle } as never);
      }
    }
    for (const [, ofType] of Map.groupBy(found, ([name]) => name.split('/')[0])) {
      const [, resource] = ofType[0] ?? [];
      const { resourceType, id, meta } = resource as Located;
      expect(await client.read({ resourceType, id })).toEqual(resource);
      expect(await client.vread({ resourceType, id, version: meta.versionId })).toEqual(resource);
    }
    vi.unstubAllGlobals();

    const manifest = await get<BulkManifest>(`${base}/$bulk-publish`);
    const published = new Map<string, unknown>();
    for (const { type, url, count } of manifest.output) {
      const { status, headers } = await localFetch(url);
      expect(status).toBe(307);
      const file = await fetch(headers.get('location') ?? '');
      const lines = (await file.text()).trimEnd().split('\n');
      expect([url, lines.length]).toEqual([url, count]);
      for (const line of lines) published.set(`${type}/${JSON.parse(line).id}`, JSON.parse(line));
    }
    expect(published.size).toBeGreaterThan(200);
    expect([...published.keys()].sort()).toEqual([...found.keys()].sort());
    for (const [name, resource] of published) expect(found.get(name), name).toEqual(resource);
  });

  it('leads HEAD to a file, too, and to no other method', async () => {
    const { output } = await get<BulkManifest>(`${base}/public/$bulk-publish`);
    const { status, headers } = await localFetch(output[0]?.url ?? '', { method: 'HEAD' });
    expect(status).toBe(307);
    const file = await fetch(headers.get('location') ?? '', {
      method: 'HEAD',
      headers: { origin: 'https://app.example.org' },
    });
    expect(file.headers.get('access-control-allow-origin')).toBe('*');
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    const again = await localFetch(output[0]?.url ?? '', { headers: known });
    expect([again.status, again.headers.get('location')]).toEqual([304, null]);
    expect([file.status, Number(file.headers.get('content-length')) > 0]).toEqual([200, true]);
    const accepted = await localFetch(`${base}/public/$export`, { headers: { prefer: 'respond-async' } });
    const deleted = await localFetch(accepted.headers.get('content-location') ?? '', { method: 'DELETE' });
    expect([accepted.status, deleted.status, await deleted.text()]).toEqual([
      202,
      405,
      expect.stringContaining('OperationOutcome'),
    ]);
  });

  it('sends parts of a resource where a read asks for them', async () => {
    const [name = ''] = await crawl('Location', '_count=1&_lastUpdated=ge1900');
    const part = await get<Location & { meta: object }>(`${base}/${name}?_elements=name`);
    expect(Object.keys(part).sort()).toEqual(['id', 'meta', 'name', 'resourceType', 'status']);
    expect(JSON.stringify(part.meta)).toContain('SUBSETTED');
  });

  it.each([
    ['Practitioner?nickname=ada&_format=json', 200, 'is not supported for Practitioner'],
    ['Practitioner/none', 404, 'not-found'],
    ['Medication', 404, 'Practitioner'],
    ['PractitionerRole?organization.partof.partof.name=x', 400, 'chained more than 2 times'],
    ['Practitioner?_has:Claim:provider:use=claim', 400, '_has'],
    ['Location?near=91%7C0%7C1%7Ckm', 400, 'near must be latitude|longitude|distance|units'],
    [
      'PractitionerRole?_include=Practitioner:organization',
      400,
      '_include of PractitionerRole must be one of',
    ],
    [`PractitionerRole?specialty=${'x'.repeat(10_000)}`, 400, 'at most 5000 characters'],
    ['PractitionerRole?_cursor=forged', 400, '_cursor does not belong to this search'],
    [`Organization?name=${encodeURIComponent(`'"; NEAR( a* OR b*`)}`, 200, 'searchset'],
    ['Location/none?_elements=na%20me', 400, '_elements must have names of elements'],
    ['$export', 400, 'Prefer: respond-async'],
    ['public/files/gone/bulk/Location-001.ndjson', 410, 'is no longer kept'],
  ])('answers %s with %i and says what is supported', async (path, status, words) => {
    const response = await localFetch(`${base}/${path}`);
    const text = await response.text();
    expect([response.status, text]).toEqual([status, expect.stringContaining(words)]);
    expect(['OperationOutcome', 'Bundle']).toContain(JSON.parse(text).resourceType);
  });

  it('shifts no page and fails no call while a publication is switched', async () => {
    const before = await crawl('PractitionerRole', 'active=true,false&_count=100');
    let isPublished = false;
    const publishing = ops('directory', 'publish').finally(() => {
      isPublished = true;
    });
    const tags = new Set<string | null>();
    while (!isPublished) {
      tags.add((await localFetch(`${base}/Location?_count=1`)).headers.get('etag'));
      expect(await crawl('PractitionerRole', 'active=true,false&_count=20')).toEqual(before);
    }
    expect(await publishing).toContain('published');
    const deadline = Date.now() + 60_000;
    while (tags.size < 2 && Date.now() < deadline) {
      tags.add((await localFetch(`${base}/Location?_count=1`)).headers.get('etag'));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    expect(tags.size).toBe(2);
  });
});
