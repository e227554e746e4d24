import { describe, expect, it } from 'vitest';
import { isResourceServed } from '../../lambdas/fhir/disclosure-rules.ts';
import { isPart2Record } from '../../lambdas/fhir/part-2-records.ts';
import { claim, createWorld, entriesOf, household } from './search/world.ts';

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
    ['Binary', { resourceType: 'Binary', id: 'b', meta }],
    ['Condition', condition],
    ['ExplanationOfBenefit', labeled],
    ['ExplanationOfBenefit', containing],
  ])('is not read: %s', (type, resource) => {
    expect(isResourceServed(type, JSON.stringify(resource), world.state.now)).toBe(false);
  });

  it('is not read however its label is written', () => {
    const json = JSON.stringify(condition).replace('42CFRPart2', '42CFRPart\\u0032');
    expect(isResourceServed('Condition', json, world.state.now)).toBe(false);
  });

  it('is told by its label alone', () => {
    const restricted = { meta: { security: [{ code: 'R' }] }, text: { div: '42CFRPart2' } };
    expect(isPart2Record(restricted)).toBe(false);
    expect(isResourceServed('Condition', JSON.stringify(restricted), world.state.now)).toBe(true);
  });
});
