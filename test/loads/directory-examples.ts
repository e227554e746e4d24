import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import { directoryResource } from '../../lambdas/catalog/fhir/directory-resources.ts';
import { isDirectoryType } from '../../lambdas/catalog/fhir/directory-types.ts';
import type { LoadSummary } from '../../lambdas/loads/course/load-operations-contract.ts';
import { type IndexValue, indexValues } from '../../lambdas/provider-directory/build/index-values.ts';
import { parameterElements } from '../../lambdas/provider-directory/publication/publication-schema.ts';
import { localOrigins } from '../../ops/command-line/system.ts';
import { table } from '../../ops/command-line/table.ts';
import { createHttp } from '../../ops/http/client.ts';
import { runOps } from '../../ops/program.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { startRunningSystem } from '../support/running-system.ts';

/**
 * `npm run examples:directory -- --folder FOLDER [--out FILE]`: loads Plan-Net's official examples as a drop of the directory through a
 * running system, publishes them, and requests each by a read and by every search parameter for which it has a value.
 *
 * FOLDER has the file `<package>#<version>.ndjson.gz` with one resource a line. A version and a time are added to each example, since rows
 * of a drop must have them; nothing else is changed. FILE receives the resources that were read, one a line, for a validator.
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: join(repositoryRoot, '..', 'shared', 'conformance', 'examples') },
    out: { type: 'string' },
  },
});
const lob = 'MAPD';
type Example = { resourceType: string; id: string; meta?: object };

const file = existsSync(values.folder)
  ? readdirSync(values.folder).find((name) => name.endsWith('.davinci-pdex-plan-net#1.1.0.ndjson.gz'))
  : undefined;
if (file === undefined) {
  console.error(`there is no folder ${values.folder} with the examples of Plan-Net 1.1.0`);
  process.exit(2);
}
const examples = gunzipSync(readFileSync(join(values.folder, file)))
  .toString('utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Example)
  .map((example) => ({
    ...example,
    meta: { ...example.meta, versionId: 'example-1', lastUpdated: '2026-11-22T12:00:00Z' },
  }));
const served = examples.filter(({ resourceType }) => isDirectoryType(resourceType));
const drop = mkdtempSync(join(tmpdir(), 'member-data-examples-'));
const system = await startRunningSystem({ context: { 'sandbox.directoryAccess': 'public' } });
try {
  for (const [type, rows] of Map.groupBy(served, ({ resourceType }) => resourceType)) {
    writeFileSync(join(drop, `${type}.ndjson`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
  process.exitCode = (await loadAndSearch()) ? 0 : 1;
} finally {
  rmSync(drop, { recursive: true, force: true });
  await system.stop();
}

async function loadAndSearch(): Promise<boolean> {
  const started = ['loads', 'start', drop, '--lob', lob, '--product', 'directory', '--source', 'examples'];
  const load = JSON.parse((await ops(...started, '--kind', 'delta', '--json')).join('\n')) as LoadSummary;
  const rejects = (await ops('loads', 'rejects', load.jobId, '--lob', lob)).filter((line) => line !== '');
  console.log(
    `${load.counts.loaded} of ${load.controlTotal} loaded (${load.state}), ${rejects.length} refused`,
  );
  for (const line of rejects) console.log(line);
  console.log(
    `of types that Plan-Net does not serve: ${examples
      .filter((each) => !served.includes(each))
      .map(({ resourceType, id }) => `${resourceType}/${id}`)
      .join(', ')}`,
  );
  for (const line of await ops('directory', 'publish', '--lob', lob, '--accept-loss')) console.log(line);
  const loaded = served.filter(
    ({ resourceType, id }) => !rejects.some((line) => line.includes(`"${resourceType}/${id}"`)),
  );
  return await areFound(loaded);
}

async function areFound(loaded: readonly Example[]): Promise<boolean> {
  const http = createHttp();
  const base = fhirBase(localOrigins(system.system, 'sandbox'), lob, 'provider-directory');
  const get = async (path: string): Promise<{ readonly status: number; readonly body: string }> => {
    const answer = await http({ method: 'GET', url: `${base}/${path}`, headers: {} });
    if (answer.status !== 429) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return await get(path);
  };
  const asked = new Map<string, number>();
  const missed: string[] = [];
  const read: string[] = [];
  for (const example of loaded) {
    const { resourceType, id } = example;
    const { status, body } = await get(`${resourceType}/${id}`);
    if (status !== 200) missed.push(`${resourceType}/${id}: read answers ${status}`);
    else read.push(body);
    for (const [parameter, value] of searchesFor(example)) {
      asked.set(`${resourceType}.${parameter}`, (asked.get(`${resourceType}.${parameter}`) ?? 0) + 1);
      const query = new URLSearchParams([
        [parameter, value],
        ['_id', id],
      ]);
      const found = await get(`${resourceType}?${query}`);
      const isFound = found.status === 200 && found.body.includes(`/${resourceType}/${id}"`);
      if (!isFound) missed.push(`${resourceType}?${query}: ${found.status}, not found`);
    }
  }
  if (values.out !== undefined) writeFileSync(values.out, read.map((line) => `${line}\n`).join(''));
  const rows = [...Map.groupBy(loaded, ({ resourceType }) => resourceType)].map(([type, ofType]) => {
    const names = isDirectoryType(type) ? directoryResource(type).parameters.map(({ name }) => name) : [];
    const used = names.filter((name) => asked.has(`${type}.${name}`));
    const unused = names.filter((name) => !used.includes(name));
    const searches = used.reduce((sum, name) => sum + (asked.get(`${type}.${name}`) ?? 0), 0);
    return [
      type,
      String(ofType.length),
      `${used.length} of ${names.length}`,
      String(searches),
      unused.join(', '),
    ];
  });
  console.log(table(['type', 'examples', 'parameters', 'searches', 'no example has a value for'], rows));
  for (const line of missed) console.log(`missed: ${line}`);
  return missed.length === 0;
}

/** Searches that must find an example: for each parameter the first value that the example has. */
function searchesFor(example: Example): readonly (readonly [parameter: string, value: string])[] {
  const { resourceType } = example;
  if (!isDirectoryType(resourceType)) return [];
  const found = indexValues(resourceType, example as never).values;
  const isActive = directoryResource(resourceType).parameters.some(({ name }) => name === 'active');
  return directoryResource(resourceType)
    .parameters.flatMap(({ name }) => {
      const { numbers } = parameterElements(resourceType, name);
      return found
        .filter(([element]) => numbers.includes(element.number))
        .flatMap(([, value]) => searchValue(value) ?? [])
        .map((value) => [name, value] as const);
    })
    .concat(isActive ? [] : [['_lastUpdated', 'eq2026-11-22T12:00:00Z'] as const]);
}

function searchValue(value: IndexValue): string | undefined {
  switch (value.kind) {
    case 'token':
      if (value.code === '') return undefined;
      return (value.system === '' ? value.code : `${value.system}|${value.code}`).replaceAll(',', '\\,');
    case 'string':
      return value.text.replace(/[\\,|$]/g, '\\$&');
    case 'reference':
      return value.target;
    case 'date':
      return new Date(value.range[0] ?? 0).toISOString();
    case 'position':
      return `${value.latitude}|${value.longitude}|1|mi`;
  }
}

async function ops(...args: string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  const err = (line: string) => void console.error(line);
  const words = [...args, '--system', join(system.stateDirectory, 'system.json')];
  await runOps(words, {}, { out: (line) => lines.push(line), err });
  return lines.flatMap((line) => line.split('\n'));
}
