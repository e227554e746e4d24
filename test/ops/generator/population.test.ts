import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readManifest } from '../../../lambdas/loads/ledger/manifest.ts';
import { populationMember } from '../../../ops/generator/population.ts';
import { writePopulationDrop } from '../../../ops/generator/population-drop.ts';

const folder = mkdtempSync(join(tmpdir(), 'population-'));
afterAll(() => rmSync(folder, { recursive: true }));

const population = { lob: 'MHBE', seed: 'test', month: '2026-03-01' } as const;
type Json = Record<string, unknown>;
const parsed = (number: number) =>
  populationMember(population, number).resources.map(
    ({ json, fhirJson }) => JSON.parse(fhirJson ?? json) as Json,
  );
const ofType = (resources: readonly Json[], type: string) =>
  resources.filter(({ resourceType }) => resourceType === type);

describe('a population', () => {
  it('is written as a drop whose bytes depend on the seed alone', () => {
    const write = (name: string, seed: string) =>
      writePopulationDrop({ ...population, folder: join(folder, name), seed, members: 4 });
    const manifest = write('one', 'a');
    expect(write('same', 'a')).toEqual(manifest);
    expect(write('other', 'b')).not.toEqual(manifest);
    const place = { lob: 'MHBE', source: 'population', folder: 'MHBE/population/one/' } as never;
    expect(readManifest(readFileSync(join(folder, 'one', 'manifest.json'), 'utf8'), place)).toMatchObject({
      kind: 'manifest',
    });
    for (const { name, rows, sha256 } of manifest.files) {
      const bytes = readFileSync(join(folder, 'one', name));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
      const ids = bytes
        .toString()
        .trimEnd()
        .split('\n')
        .map((row) => (JSON.parse(row) as Json).id);
      expect([ids.length, new Set(ids).size]).toEqual([rows, rows]);
    }
    expect(readdirSync(join(folder, 'one'))).toHaveLength(manifest.files.length + 1);
  });

  it('has households with one name and one address', () => {
    const [one, two, three, next] = [0, 1, 2, 3].map((number) => ofType(parsed(number), 'Patient')[0]);
    const family = (patient: Json | undefined) => [
      (patient?.name as readonly Json[])[0]?.family,
      (patient?.address as readonly Json[]).at(-1)?.line,
    ];
    expect([family(two), family(three)]).toEqual([family(one), family(one)]);
    expect(family(next)).not.toEqual(family(one));
    expect(new Set([one, two, three].map((patient) => patient?.id)).size).toBe(3);
  });

  it('describes members by what they have: hundreds of claims, gaps and unknown dates of birth', () => {
    const members = Array.from({ length: 40 }, (_, number) => populationMember(population, number));
    const told = members.map(({ about }) => about);
    expect(told.some((about) => /diabetes since 20(19|20|21), .*[2-9]\d\d claims/.test(about))).toBe(true);
    expect(told.some((about) => about.includes('two plans with a gap'))).toBe(true);
    const ofUnknownMonth = members.filter(({ about }) => about.includes('unknown birth month'));
    expect(ofUnknownMonth.length).toBeGreaterThan(0);
    for (const { resources } of ofUnknownMonth) {
      const [patient] = resources.filter(({ resourceType }) => resourceType === 'Patient');
      expect(JSON.parse(patient?.json ?? '{}').birthDate).toMatch(/^\d{4}-00-00$/);
      expect(JSON.parse(patient?.fhirJson ?? '{}').birthDate).toMatch(/^\d{4}$/);
    }
  });

  it('refers to nothing that a member does not have', () => {
    for (const number of [0, 1, 2, 5, 20]) {
      const { resources } = populationMember(population, number);
      const names = new Set(resources.map(({ resourceType, id }) => `${resourceType}/${id}`));
      const referred = resources.flatMap(({ json }) =>
        [...json.matchAll(/"reference":"([A-Z][A-Za-z]+\/[^"]+)"/g)].map(([, name]) => name ?? ''),
      );
      expect(referred.filter((name) => !names.has(name))).toEqual([]);
      expect(names.size).toBe(resources.length);
    }
  });
});
