import { describe, expect, it } from 'vitest';
import { priorAuthorizationServedUntil } from '../../../lambdas/fhir/values/prior-authorization-period.ts';

const reviewed = (code: string) => ({
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
const authorization = (changed: string, elements: object) => ({
  resourceType: 'ExplanationOfBenefit',
  use: 'preauthorization',
  status: 'active',
  meta: { lastUpdated: changed },
  ...elements,
});
const instant = (time: number | undefined) => (time === undefined ? 'always' : new Date(time).toISOString());
const itemPeriod = (valuePeriod: object) => ({
  item: [
    {
      extension: [
        {
          url: 'http://hl7.org/fhir/us/davinci-pas/StructureDefinition/extension-itemPreAuthPeriod',
          valuePeriod,
        },
      ],
    },
  ],
});

describe('a prior authorization is served', () => {
  const changed = '2026-02-10T23:00:00-05:00';
  const year = '2027-02-13T00:00:00.000Z';
  it.each([
    ['a year after a denial', { ...reviewed('A3') }, year],
    [
      'a year after it was canceled, whatever its period',
      { status: 'cancelled', preAuthRefPeriod: [{ end: '2030-01-01' }] },
      year,
    ],
    ['while it is pending', reviewed('A4'), 'always'],
    [
      'while it is approved without an end',
      { ...reviewed('A1'), preAuthRefPeriod: [{ start: '2026-02-10' }] },
      'always',
    ],
    [
      'a year after a change, where its period ended before',
      { ...reviewed('A1'), preAuthRefPeriod: [{ end: '2026-05-01' }] },
      year,
    ],
    [
      'until its period ends, where that is later',
      { ...reviewed('A1'), preAuthRefPeriod: [{ end: '2028-05-01' }] },
      '2028-05-03T00:00:00.000Z',
    ],
    [
      'until the last period of a line ends',
      { preAuthRefPeriod: [{ end: '2026-05-01' }], ...itemPeriod({ end: '2029' }) },
      '2030-01-02T00:00:00.000Z',
    ],
    ['always, where a period can’t be read', { preAuthRefPeriod: [{ end: 'soon' }] }, 'always'],
    [
      'a year after a denial of one line and the end of the other',
      { ...reviewed('A3'), ...itemPeriod({ end: '2029-01-01' }) },
      year,
    ],
  ])('%s', (_, elements, expected) => {
    expect(instant(priorAuthorizationServedUntil(authorization(changed, elements)))).toBe(expected);
  });

  it('a year after a leap day', () => {
    expect(
      instant(priorAuthorizationServedUntil(authorization('2028-02-29T00:00:00Z', reviewed('A3')))),
    ).toBe('2029-03-03T00:00:00.000Z');
  });

  it('and a claim has no end', () => {
    expect(
      priorAuthorizationServedUntil({ ...authorization(changed, reviewed('A3')), use: 'claim' }),
    ).toBeUndefined();
  });
});
