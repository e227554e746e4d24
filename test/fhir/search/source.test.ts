import { describe, expect, it } from 'vitest';
import type { PatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { claim, createWorld, entriesOf, household, type Resource } from './world.ts';

const lastUpdated = '2026-11-20T10:00:00.000Z';
const [old, older] = ['https://old.example/fhir', 'https://old.example/fhir/archive'];
const ids = { old: `received-${'0'.repeat(40)}`, older: `received-${'1'.repeat(40)}` };
const provenance: Resource = {
  resourceType: 'Provenance',
  id: `received-${'2'.repeat(40)}`,
  meta: { lastUpdated, source: old },
  target: [{ reference: 'Patient/p1' }, { reference: `ExplanationOfBenefit/${ids.old}` }],
  recorded: lastUpdated,
  agent: [{ who: { display: 'Old Plan' } }],
};
const record = [
  ...household,
  claim('own', { created: '2026-03-01' }),
  claim(ids.old, { meta: { lastUpdated, source: old } }),
  claim(ids.older, { meta: { lastUpdated, source: older } }),
  provenance,
];

async function found(type: PatientAccessType, query: string) {
  const { search } = createWorld(record);
  return entriesOf(await search(type, query))
    .map((entry) => entry.replace(/^(match|include) /, ''))
    .sort();
}

const names = (...ofClaims: readonly string[]) => ofClaims.map((id) => `ExplanationOfBenefit/${id}`).sort();
const at = (url: string) => encodeURIComponent(url);

describe('the source of a resource', () => {
  it.each([
    [`_source=${at(old)}`, names(ids.old)],
    [`_source=${at(old)},${at(older)}`, names(ids.old, ids.older)],
    [`_source=${at('https://old.example')}`, []],
    [`_source:below=${at(old)}`, names(ids.old, ids.older)],
    [`_source:below=${at(`${old}/`)}`, names(ids.older)],
    [`_source:below=${at('https://old.example/fh')}`, []],
    [`_source:above=${at(`${older}/2025`)}`, names(ids.old, ids.older)],
    [`_source:not=${at(old)}`, names('own', ids.older)],
    ['_source:missing=true', names('own')],
    ['_source:missing=false', names(ids.old, ids.older)],
  ])('finds by %s', async (query, expected) => {
    expect(await found('ExplanationOfBenefit', query)).toEqual(expected);
  });

  it('finds what names the payer with it', async () => {
    const query = `_source=${at(old)}&_revinclude=Provenance:target`;
    expect(await found('ExplanationOfBenefit', query)).toEqual(
      [...names(ids.old), `Provenance/${provenance.id}`].sort(),
    );
    expect(await found('Provenance', `_source=${at(old)}`)).toEqual([`Provenance/${provenance.id}`]);
  });

  it('is in everything of the member', async () => {
    const entries = entriesOf(await createWorld(record).everything());
    for (const each of [...names('own', ids.old, ids.older), `Provenance/${provenance.id}`]) {
      expect(entries.some((entry) => entry.endsWith(each))).toBe(true);
    }
  });
});
