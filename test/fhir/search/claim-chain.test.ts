import { describe, expect, it } from 'vitest';
import { createWorld, entriesOf, type Resource } from './world.ts';

const system = 'https://plan.example/claim';
const number = (value: string) => ({ system, value });
const claim = (id: string, related: readonly string[] = []): Resource => ({
  resourceType: 'ExplanationOfBenefit',
  id,
  meta: { versionId: '1', lastUpdated: '2026-11-01T02:00:00Z' },
  identifier: [number(`N-${id}`)],
  patient: { reference: 'Patient/p1' },
  related: related.map((each) => ({ reference: number(`N-${each}`) })),
});

/** Two chains. `b` replaces `a`, which does not refer back; `c` replaces `b`, and they refer to each other. `e` replaces `d`. */
const claims = [
  claim('a'),
  claim('b', ['a', 'c']),
  claim('c', ['b']),
  claim('d'),
  claim('e', ['d']),
  claim('f'),
];

describe('a search by related-claim', () => {
  const find = async (query: string) => {
    const world = createWorld(claims);
    return entriesOf(await world.searchAs({ patientId: 'p1' }, 'ExplanationOfBenefit', query)).sort();
  };
  const match = (ids: string) => [...ids].map((id) => `match ExplanationOfBenefit/${id}`);

  it.each(['a', 'b', 'c'])('finds the whole chain from %s', async (id) => {
    expect(await find(`related-claim=N-${id}`)).toEqual(match('abc'));
    expect(await find(`related-claim=${system}|N-${id}`)).toEqual(match('abc'));
  });

  it('finds a claim without relations alone, and none of another system', async () => {
    expect(await find('related-claim=N-f')).toEqual(match('f'));
    expect(await find('related-claim=https://other.example|N-a')).toEqual([]);
    expect(await find('related-claim=N-nothing')).toEqual([]);
  });

  it('joins with other parameters, alternatives and :not', async () => {
    expect(await find('related-claim=N-a,N-d')).toEqual(match('abcde'));
    expect(await find('related-claim=N-a&identifier=N-c')).toEqual(match('c'));
    expect(await find('related-claim:not=N-a')).toEqual(match('def'));
  });
});
