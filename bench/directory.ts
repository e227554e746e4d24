/**
 * `npm run bench:directory [-- <roles>]`: builds a publication of a synthetic provider directory on this machine and searches it. Prints
 * the resources and roles that the build processes in a second of CPU, the file's size, the median and the 99th percentile of each kind of
 * search in the search function, CPU, memory, and the time from the start of a process to its first answer.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { type DirectoryType, directoryTypes } from '../lambdas/catalog/fhir/directory-types.ts';
import { buildPublication } from '../lambdas/provider-directory/build/build-publication.ts';
import { searchDirectory } from '../lambdas/provider-directory/search/directory-search.ts';
import {
  createPublicationFile,
  openPublicationFile,
} from '../lambdas/provider-directory/sqlite/publication-file.ts';
import { directoryCounts, directoryOf } from '../ops/generator/directory/directory.ts';

const roles = Number(process.argv[2] ?? 100_000);
const size = { seed: 1, roles };
const folder = mkdtempSync(join(tmpdir(), 'member-data-directory-'));
const path = join(folder, 'publication.sqlite');

const cpuSeconds = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

/**
 * CPU seconds of the generator. Resources are generated and serialized in batches, so that this time can be subtracted from the build's.
 */
let generating = 0;
function* serialized(type: DirectoryType): Generator<string> {
  const resources = directoryOf(type, size);
  for (;;) {
    const before = cpuSeconds();
    const batch: string[] = [];
    for (let count = 0; count < 10_000; count += 1) {
      const next = resources.next();
      if (next.done === true) break;
      batch.push(JSON.stringify(next.value));
    }
    generating += cpuSeconds() - before;
    if (batch.length === 0) return;
    yield* batch;
  }
}

const specialties = ['207RC0000X', '207Q00000X', '207RN0300X', '2084N0400X', '1223G0001X'];
const cities = ['Washington', 'Baltimore', 'Rockville', 'Annapolis', 'Cumberland'];
const families = ['sampleton', 'mock', 'trialb', 'synth', 'ersatz'];
const at = <Value>(values: readonly Value[], index: number) => values[index % values.length] as Value;
const place = (index: number) => `${38.9 + (index % 7) / 10}|${-77 + (index % 5) / 10}|10|mi`;

/** Kinds of search by name: the resource type, and the query of the search with this number. */
const kinds: Readonly<Record<string, readonly [type: DirectoryType, query: (turn: number) => string]>> = {
  'specialty + network + city': [
    'PractitionerRole',
    (turn) =>
      `specialty=${at(specialties, turn)}&network=Organization/network-${turn % 5}&location.address-city=${at(cities, turn >> 2)}`,
  ],
  'name prefix + state': [
    'Practitioner',
    (turn) =>
      `family=${at(families, turn)}&_has:PractitionerRole:practitioner:location.address-state=${turn % 3 === 0 ? 'VA' : 'MD'}`,
  ],
  '_has specialty + name prefix': [
    'Practitioner',
    (turn) =>
      `_has:PractitionerRole:practitioner:specialty=${at(specialties, turn)}&family=${at(families, turn >> 1)}`,
  ],
  'near 10 miles + specialty': [
    'PractitionerRole',
    (turn) => `location.near=${place(turn)}&specialty=${at(specialties, turn)}`,
  ],
  'near 10 miles, by distance': ['Location', (turn) => `near=${place(turn)}`],
  'exact count': [
    'PractitionerRole',
    (turn) => `specialty=${at(specialties, turn)}&network=Organization/network-${turn % 5}&_summary=count`,
  ],
  'page of 50': ['PractitionerRole', (turn) => `specialty=${at(specialties, turn)}&_count=50`],
  'page of 50 with includes': [
    'PractitionerRole',
    (turn) =>
      `specialty=${at(specialties, turn)}&_count=50&_include=PractitionerRole:practitioner&_include=PractitionerRole:location&_include=PractitionerRole:organization`,
  ],
  'name contains': [
    'Organization',
    (turn) => `name:contains=${at(['meadow', 'group 7', 'clinic 12'], turn)}`,
  ],
};

try {
  const start = process.cpuUsage();
  const begun = performance.now();
  const file = createPublicationFile(path);
  const result = await buildPublication(file, serialized, { id: 'bench', builtAt: 0, mostLoss: 1 });
  file.close();
  if (result.kind !== 'built') throw new Error(JSON.stringify(result.reasons));
  const cpu = cpuSeconds(start) - generating;
  const resources = Object.values(directoryCounts(size)).reduce((sum, each) => sum + each, 0);
  console.log(`${roles} roles, ${resources} resources, ${directoryTypes.length} types`);
  console.log(
    `build: ${((performance.now() - begun) / 1000).toFixed(1)} s with the generator's ${generating.toFixed(1)} s of CPU; ` +
      `${cpu.toFixed(1)} s of CPU of its own, ${Math.round(roles / cpu)} roles and ${Math.round(resources / cpu)} resources a second of it; ` +
      `${(statSync(path).size / 1e6).toFixed(0)} MB, peak memory ${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB`,
  );
  const publication = openPublicationFile(path);
  const services = {
    publications: { current: async () => publication, kept: async () => publication },
    sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
    now: Date.now,
  };
  for (const [name, [type, query]] of Object.entries(kinds)) {
    const times: number[] = [];
    let entries = 0;
    const before = process.cpuUsage();
    const turns = 100;
    for (let turn = 0; turn < turns; turn += 1) {
      const parameters = [...new URLSearchParams(query(turn))];
      const from = performance.now();
      const answer = await searchDirectory(services, {
        type,
        parameters,
        strict: true,
        base: 'https://bench.example',
      });
      times.push(performance.now() - from);
      if (answer.kind !== 'bundle') throw new Error(JSON.stringify(answer));
      entries += answer.body.split('"search":{"mode"').length - 1;
    }
    const used = (cpuSeconds(before) / turns) * 1000;
    times.sort((a, b) => a - b);
    console.log(
      `${name.padEnd(30)} p50 ${times[turns / 2]?.toFixed(2)} ms, p99 ${times[turns - 2]?.toFixed(1)} ms, CPU ${used.toFixed(2)} ms, ${(entries / turns).toFixed(0)} entries`,
    );
  }
  console.log(`memory after searching ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`);
  publication.close();
  const starts = firstAnswers(5);
  console.log(
    `process start to first answer, the file fetched: median ${starts[2]} ms, ${starts[0]} to ${starts[4]} ms`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Returns the milliseconds from the start of a process to its first answer, in ascending order. The program is bundled, as the function is.
 */
function firstAnswers(starts: number): readonly number[] {
  const program = join(folder, 'directory-start.mjs');
  buildSync({
    entryPoints: [join(import.meta.dirname, 'directory-start.ts')],
    outfile: program,
    ...{ bundle: true, minify: true, platform: 'node', format: 'esm' },
  });
  const bytes = statSync(path).size;
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  const pointer = { id: 'bench', key: path, bytes, sha256, builtAt: 0, resources: {} };
  return Array.from({ length: starts }, () =>
    Math.round(
      Number(execFileSync(process.execPath, [program, path, JSON.stringify(pointer)], { encoding: 'utf8' })),
    ),
  ).sort((a, b) => a - b);
}
