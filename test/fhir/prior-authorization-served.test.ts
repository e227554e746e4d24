import { describe, expect, it } from 'vitest';
import { isResourceServed } from '../../lambdas/fhir/disclosure/disclosure-rules.ts';
import { claim, createWorld, entriesOf, household } from './search/world.ts';

/** A prior authorization with this decision, by X12's code. */
const authorization = (id: string, lastUpdated: string, code: string) =>
  claim(id, {
    meta: {
      lastUpdated,
      profile: ['http://hl7.org/fhir/us/davinci-pdex/StructureDefinition/pdex-priorauthorization|2.2.0'],
    },
    use: 'preauthorization',
    adjudication: [
      {
        extension: [
          {
            url: 'http://hl7.org/fhir/us/davinci-pdex/StructureDefinition/extension-reviewAction',
            extension: [
              {
                url: 'http://hl7.org/fhir/us/davinci-pdex/StructureDefinition/extension-reviewActionCode',
                valueCodeableConcept: { coding: [{ code }] },
              },
            ],
          },
        ],
      },
    ],
  });

describe('a prior authorization whose time is over', () => {
  const old = authorization('old', '2024-01-01T00:00:00Z', 'A3');
  const pending = authorization('pending', '2024-01-01T00:00:00Z', 'A4');
  const recent = authorization('recent', '2026-11-01T00:00:00Z', 'A3');
  const world = createWorld([...household, old, pending, recent, claim('c1')]);
  const found = async (query: string) => entriesOf(await world.search('ExplanationOfBenefit', query)).sort();

  it('is in no search, whatever it asks', async () => {
    const all = ['c1', 'pending', 'recent'].map((id) => `match ExplanationOfBenefit/${id}`);
    expect(await found('')).toEqual(all);
    expect(await found('_id=old')).toEqual([]);
    expect(await found('use=preauthorization&status=active')).toEqual(all.slice(1));
    expect(await found('_lastUpdated=lt2025')).toEqual([all[1]]);
  });

  it('is not counted', async () => {
    const answer = await world.search('ExplanationOfBenefit', '_summary=count&use=preauthorization');
    expect(answer.kind === 'bundle' && JSON.parse(answer.body).total).toBe(2);
  });

  it('is not in $everything', async () => {
    const answer = await world.everything();
    expect(answer.kind === 'bundle' && answer.body.includes('"pending"')).toBe(true);
    expect(answer.kind === 'bundle' && answer.body.includes('"old"')).toBe(false);
  });

  it('is not read', () => {
    const now = world.state.now;
    const served = (resource: { readonly resourceType: string }) =>
      isResourceServed(resource.resourceType, JSON.stringify(resource), now);
    expect([old, pending, recent].map(served)).toEqual([false, true, true]);
  });

  it.each([
    ['the URL', 2, ''],
    ['the URL with its version', 2, '|2.2.0'],
    ['another version', 0, '|9'],
  ])('leaves the others to be found by their profile: %s', async (_, count, version) => {
    const url = `http://hl7.org/fhir/us/davinci-pdex/StructureDefinition/pdex-priorauthorization${version}`;
    expect(await found(`_profile=${encodeURIComponent(url)}`)).toHaveLength(count);
  });
});
