import { describe, expect, it } from 'vitest';
import {
  isReleased,
  type JudgedResource,
  payerContentRules,
  withoutAmounts,
} from '../../../lambdas/fhir/payer/payer-content-rules.ts';
import { now } from './match-samples.ts';

const day = 86_400_000;
const on = (date: string): JudgedResource['careDates'] => [[Date.parse(date), Date.parse(date) + day]];
const judged = (resource: object, careDates: JudgedResource['careDates'] = []) => ({ resource, careDates });

function authorization(code: string, more: object = {}) {
  const reviewAction = {
    extension: [
      {
        url: 'http://hl7.org/fhir/us/davinci-pdex/StructureDefinition/extension-reviewActionCode',
        valueCodeableConcept: { coding: [{ code }] },
      },
    ],
  };
  return {
    ...{ resourceType: 'ExplanationOfBenefit', use: 'preauthorization' },
    item: [{ adjudication: [{ extension: [reviewAction] }] }],
    ...more,
  };
}
const drug = {
  item: [{ productOrService: { coding: [{ system: 'http://hl7.org/fhir/sid/ndc', code: '1' }] } }],
};
const labeled = (system: string, code: string) => ({
  resourceType: 'Condition',
  meta: { security: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }] },
});

describe('the content rules', () => {
  const cases: Readonly<Record<string, readonly [kept: JudgedResource, leftOut: JudgedResource]>> = {
    'five years of service dates': [
      judged({ resourceType: 'Encounter' }, on('2021-11-24')),
      judged({ resourceType: 'Encounter' }, on('2021-11-20')),
    ],
    'no denied prior authorization': [judged(authorization('A1')), judged(authorization('A3'))],
    'no prior authorization of a drug': [judged(authorization('A1')), judged(authorization('A1', drug))],
    'sensitive data by the policy of the consent': [
      judged(labeled('v3-Confidentiality', 'N')),
      judged(labeled('v3-ActCode', 'PSY')),
    ],
  };

  it('are each tried, and each leaves out what it is named for', () => {
    expect(Object.keys(cases)).toEqual(payerContentRules.map(({ name }) => name));
    for (const [name, [kept, leftOut]] of Object.entries(cases)) {
      expect(isReleased(kept, { policy: 'regular', now }), name).toBe(true);
      expect(isReleased(leftOut, { policy: 'regular', now }), name).toBe(false);
    }
  });

  it('release sensitive data to a consent that allows it, and no service of the future', () => {
    const restricted = judged(labeled('v3-Confidentiality', 'R'));
    expect(isReleased(restricted, { policy: 'regular', now })).toBe(false);
    expect(isReleased(restricted, { policy: 'sensitive', now })).toBe(true);
    expect(isReleased(judged({}, on('2027-01-01')), { policy: 'regular', now })).toBe(false);
  });
});

describe('a claim for another payer', () => {
  it('has no amounts at any depth, and keeps what has none', () => {
    const claim = {
      resourceType: 'ExplanationOfBenefit',
      meta: { versionId: '1', profile: ['http://example.org/with-amounts'] },
      use: 'claim',
      item: [{ sequence: 1, net: { value: 5 }, adjudication: [{ amount: { value: 1 } }, { reason: {} }] }],
      adjudication: [{ amount: { value: 2 } }],
      total: [{ amount: { value: 7 } }],
      payment: { amount: { value: 7 } },
    };
    expect(JSON.parse(withoutAmounts('ExplanationOfBenefit', JSON.stringify(claim)))).toEqual({
      resourceType: 'ExplanationOfBenefit',
      meta: { versionId: '1' },
      use: 'claim',
      item: [{ sequence: 1, adjudication: [{ reason: {} }] }],
    });
    const other = JSON.stringify({ resourceType: 'Coverage', total: 1 });
    expect(withoutAmounts('Coverage', other)).toBe(other);
  });
});
