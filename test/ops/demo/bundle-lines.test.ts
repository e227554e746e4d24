import { describe, expect, it } from 'vitest';
import { bundleLines } from '../../../ops/demo/bundle-lines.ts';

const total = (code: string, value: number) => ({
  category: { coding: [{ code }] },
  amount: { value, currency: 'USD' },
});
const claim = {
  resourceType: 'ExplanationOfBenefit',
  type: { text: 'Institutional' },
  subType: { text: 'Inpatient' },
  status: 'cancelled',
  billablePeriod: { start: '2024-10-06', end: '2024-10-08' },
  provider: { display: 'Exemplar Memorial Hospital' },
  total: [total('submitted', 17_216.4), total('paidtoprovider', 11_101.04), total('memberliability', 32.5)],
};

function linesOf(...resources: readonly object[]): string[] | undefined {
  const link = [{ relation: 'self', url: 'http://x.localhost/ExplanationOfBenefit?patient=1' }];
  return bundleLines({
    resourceType: 'Bundle',
    total: 30,
    link,
    entry: resources.map((resource) => ({ resource })),
  });
}

describe('a Bundle in the transcript', () => {
  it('is a line for each claim: date, kind, provider, billed, paid, member owes', () => {
    expect(linesOf(claim)).toEqual([
      '[Bundle] 1 of 30',
      '  self: http://x.localhost/ExplanationOfBenefit?patient=1',
      '  2024-10-06  Institutional, Inpatient   Exemplar Memorial Hospital    billed  17216.40  paid  11101.04  member owes     32.50  (canceled)',
    ]);
  });

  it('says what was paid, whoever got it', () => {
    const paid = {
      ...claim,
      status: 'active',
      total: [total('paidtopatient', 0.1), total('paidtoprovider', 0.2)],
    };
    expect(linesOf(paid)?.at(-1)).toMatch(/billed {6}0\.00 {2}paid {6}0\.30 {2}member owes {6}0\.00$/);
  });

  it('shows since when and where somebody is insured', () => {
    const coverage = {
      resourceType: 'Coverage',
      period: { start: '2018-01-01', end: '2022-12-31' },
      payor: [{ display: 'Example Plan' }],
      class: [
        { type: { coding: [{ code: 'group' }] }, value: 'G1' },
        { type: { coding: [{ code: 'plan' }] }, value: 'DSNP-233' },
      ],
      relationship: { coding: [{ code: 'self' }] },
    };
    expect(linesOf(coverage)?.at(-1)).toBe('  2018-01-01 to 2022-12-31   Example Plan  plan DSNP-233  self');
    expect(linesOf({ ...coverage, period: { start: '2018-01-01' } })?.at(-1)).toMatch(
      /^ {2}2018-01-01 to now /,
    );
  });

  it('names a resource it knows nothing else of, and breaks at none', () => {
    expect(linesOf({ resourceType: 'Organization', id: 'o1' })?.at(-1)).toBe('  Organization/o1');
    expect(linesOf({ resourceType: 'ExplanationOfBenefit' }, { resourceType: 'Coverage' }, {})).toHaveLength(
      5,
    );
    expect(bundleLines({ resourceType: 'Bundle' })).toEqual(['[Bundle] 0 of ']);
  });

  it('is nothing of other JSON', () => {
    for (const json of [claim, [], null, 'Bundle', 1]) expect(bundleLines(json)).toBeUndefined();
  });
});
