import { describe, expect, it } from 'vitest';
import { filteredResources, readTypeFilters } from '../../../lambdas/payer-access/export/type-filters.ts';
import { now } from '../match-samples.ts';

const context = { base: 'https://dsnp.example.org/extfhirpayeraccess/v1', now };
const versions = { versionId: '1', lastUpdated: '2026-11-20T10:00:00Z' };
const resource = (resourceType: string, id: string, elements: object) => ({
  ...{ resourceType, id, ...versions },
  json: JSON.stringify({ resourceType, id, ...elements }),
});
const visit = (id: string, start: string, status = 'finished') =>
  resource('Encounter', id, { status, period: { start, end: start } });

const member = [
  resource('Coverage', 'c1', { status: 'active' }),
  visit('old', '2023-05-01'),
  visit('planned', '2026-05-01', 'planned'),
  visit('recent', '2026-04-01'),
];

async function chosen(...values: readonly string[]): Promise<readonly string[]> {
  const reading = readTypeFilters(values, context);
  if (reading.kind === 'invalid') throw new Error(JSON.stringify(reading.issues));
  async function* released() {
    yield* member;
  }
  const ids: string[] = [];
  for await (const { id } of filteredResources(released(), reading.filters)) ids.push(id);
  return ids;
}

describe('_typeFilter', () => {
  it('limits its type to what the search finds, and leaves other types as they are', async () => {
    expect(await chosen()).toEqual(['c1', 'old', 'planned', 'recent']);
    expect(await chosen('Encounter?date=ge2026-01-01')).toEqual(['c1', 'planned', 'recent']);
    expect(await chosen('Encounter?date=ge2026-01-01&_id=recent')).toEqual(['c1', 'recent']);
  });

  it('may be repeated, in one value too: a resource matches one of its type', async () => {
    expect(await chosen('Encounter?_id=old', 'Encounter?_id=recent,planned')).toEqual([
      ...['c1', 'old', 'planned', 'recent'],
    ]);
    expect(await chosen('Coverage?_id=other,Encounter?_id=old')).toEqual(['old']);
  });

  it('is refused where a part of it would be ignored', () => {
    const refused = [
      ...['', 'Encounter', 'Encounter?', 'Practitioner', 'Nothing?_id=1', '_id=1', 'encounter?_id=1'],
      ...['Encounter?nothing=1', 'Encounter?date=', 'Encounter?date=yesterday', 'Encounter?_count=5'],
      ...['Encounter?_id=1&_sort=date', 'Encounter?_include=*', 'Encounter?_id=1&_format=json'],
      ...['Encounter?date:above=2026', 'Encounter?patient.name=x'],
    ];
    for (const value of refused) {
      const reading = readTypeFilters([value], context);
      expect(reading.kind, value).toBe('invalid');
      expect(JSON.stringify(reading), value).toContain('_typeFilter');
    }
  });
});
