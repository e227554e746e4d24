import { describe, expect, it } from 'vitest';
import { isPart2Record } from '../../../lambdas/fhir/labels/part-2-records.ts';
import { claim, createWorld, entriesOf, household } from '../search/world.ts';

const security = [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: '42CFRPart2' }];
const meta = { lastUpdated: '2026-11-20T10:00:00.000Z', security };

describe('a record that 42 CFR Part 2 protects', () => {
  const labeled = claim('protected', { meta });
  const containing = claim('containing', {
    contained: [{ resourceType: 'Organization', id: 'o', meta: { security } }],
  });
  const condition = {
    resourceType: 'Condition',
    id: 'protected-condition',
    meta,
    subject: { reference: 'Patient/p1' },
    code: { text: 'a' },
  };
  const world = createWorld([...household, labeled, containing, condition, claim('c1')]);

  it('is in no search, count or $everything', async () => {
    expect(entriesOf(await world.search('ExplanationOfBenefit', ''))).toEqual([
      'match ExplanationOfBenefit/c1',
    ]);
    expect(entriesOf(await world.search('ExplanationOfBenefit', '_id=protected,containing'))).toEqual([]);
    expect(entriesOf(await world.search('Condition', ''))).toEqual([]);
    const count = await world.search('ExplanationOfBenefit', '_summary=count');
    expect(count.kind === 'bundle' && JSON.parse(count.body).total).toBe(1);
    const all = await world.everything();
    expect(all.kind === 'bundle' && all.body).toContain('"c1"');
    expect(all.kind === 'bundle' && all.body).not.toMatch(/"protected|"containing/);
  });

  it.each([
    ['Condition', 'protected-condition'],
    ['ExplanationOfBenefit', 'protected'],
    ['ExplanationOfBenefit', 'containing'],
  ] as const)('is not read: %s/%s', async (type, id) => {
    expect(await world.read(type, id)).toEqual({ kind: 'refusal', refusal: 'not-found' });
    expect((await world.read('ExplanationOfBenefit', 'c1')).kind).toBe('resource');
  });

  it('is told by its label alone', () => {
    const restricted = { meta: { security: [{ code: 'R' }] }, text: { div: '42CFRPart2' } };
    expect(isPart2Record(restricted)).toBe(false);
    expect(isPart2Record({ meta: { security: [{ code: ' 42cfrpart2' }] } })).toBe(true);
  });
});
