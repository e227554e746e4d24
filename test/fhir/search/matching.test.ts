import { describe, expect, it } from 'vitest';
import type { PatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { memberSearch } from '../../../lambdas/fhir/query/member-searches.ts';
import { parseQuery } from '../../../lambdas/fhir/query/query.ts';
import { candidateOf, matchesCriteria } from '../../../lambdas/fhir/search/matching.ts';
import { base, claim, entryOf, nowSeconds, parametersOf, patient, type Resource } from './world.ts';

function found(resource: Resource, query: string): boolean {
  const options = { base, now: nowSeconds * 1000, strict: true };
  const parsed = parseQuery(
    memberSearch(resource.resourceType as PatientAccessType),
    parametersOf(query),
    options,
  );
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.issues));
  return matchesCriteria(candidateOf(entryOf(resource)), parsed.query.criteria);
}

const type = 'http://terminology.hl7.org/CodeSystem/claim-type';
const inpatient = claim('Inpatient-1', {
  type: { coding: [{ system: type, code: 'institutional' }, { code: 'local' }] },
  identifier: [{ system: 'https://plan.example.com/claim', value: 'C,1|x' }],
  billablePeriod: { start: '2026-01-05', end: '2026-01-09' },
  item: [{ servicedDate: '2026-01-06' }, { servicedPeriod: { start: '2026-02-01' } }],
  careTeam: [{ provider: { reference: 'https://elsewhere.example.com/r4/Practitioner/d1/_history/4' } }],
});
const bare = claim('bare', { type: undefined, identifier: undefined });

describe('a token', () => {
  it.each([
    ['type=institutional', true],
    ['type=INSTITUTIONAL', true],
    [`type=${type}%7Cinstitutional`, true],
    [`type=${type.toUpperCase()}%7Cinstitutional`, false],
    [`type=${type}%7Clocal`, false],
    [`type=${type}%7C`, true],
    ['type=http://example.com%7C', false],
    ['type=%7Clocal', true],
    ['type=%7Cinstitutional', false],
    ['type=institution', false],
    ['type=oral,institutional', true],
    ['type=oral&type=institutional', false],
    ['type=local&type=institutional', true],
    ['type:not=oral', true],
    ['type:not=institutional', false],
    ['type:not=oral,institutional', false],
    ['type:missing=true', false],
    ['type:missing=false', true],
    ['identifier=C\\,1\\%7Cx', true],
    ['identifier=https://plan.example.com/claim%7CC\\,1\\%7Cx', true],
    ['identifier=C', false],
    ['_id=Inpatient-1', true],
    ['_id=inpatient-1', false],
    ['_id=a,Inpatient-1', true],
    ['_id=%7CInpatient-1', true],
    ['_id=x%7CInpatient-1', false],
    ['_id:not=Inpatient-1', false],
    ['_id:missing=false', true],
    ['_id:missing=true', false],
  ])('%s: is it found? %s', (query, expected) => {
    expect(found(inpatient, query)).toBe(expected);
  });

  it.each([
    ['type=institutional', false],
    ['type:not=institutional', true],
    ['type:missing=true', true],
    ['identifier:missing=true', true],
    ['identifier=,', true],
  ])('of what has none, %s: is it found? %s', (query, expected) => {
    expect(found(bare, query)).toBe(expected);
  });

  it.each([
    ['gender=female', true],
    ['gender=http://hl7.org/fhir/administrative-gender%7Cfemale', true],
    ['gender=%7Cfemale', true],
    ['gender=male', false],
    ['gender:not=male', true],
  ])('of a code, %s: is it found? %s', (query, expected) => {
    expect(found(patient, query)).toBe(expected);
  });
});

describe('a date', () => {
  it.each([
    ['service-date=2026-01', true],
    ['service-date=2026-01-06', true],
    ['service-date=2026-01-05', false],
    ['service-date=ge2026-02-20', true],
    ['service-date=sa2026-01-31', true],
    ['service-date=lt2026-01-05', false],
    ['service-date=eb2026-01-06', false],
    ['service-date=eb2026-01-07', true],
    ['service-date=ge2026-01-01&service-date=le2026-01-31', true],
    ['service-date=2025,2026', true],
    ['service-start-date=2026-02-01', true],
    ['service-start-date=2026-01-05', true],
    ['service-start-date=2026-01-09', false],
    ['billable-period-start=2026-01-05', true],
    ['billable-period-start=2026-01-06', false],
    ['billable-period-start:missing=false', true],
    ['_lastUpdated=2026-11-20', true],
    ['_lastUpdated=ge2026-11-20T10:00:00.000Z', true],
    ['_lastUpdated=gt2026-11-20T10:00:00.000Z', false],
    ['_lastUpdated=lt2026-11-20T10:00:00.001Z', true],
    ['_lastUpdated:missing=true', false],
  ])('%s: is it found? %s', (query, expected) => {
    expect(found(inpatient, query)).toBe(expected);
  });

  it.each([
    'eq',
    'ne',
    'gt',
    'lt',
    'ge',
    'le',
    'sa',
    'eb',
    'ap',
  ])('that is missing satisfies no prefix: %s', (prefix) => {
    expect(found(bare, `service-date=${prefix}2026`)).toBe(false);
  });
});

describe('a string', () => {
  it.each([
    ['name=Müller', true],
    ['name=muller', true],
    ['name=MU', true],
    ['name=ller', false],
    ['name=ana', true],
    ['name=maría', false],
    ['name=jose', true],
    ['name=josefa', false],
    ['name=ana%20maria', true],
    ['name=%20ana%20%20maria%20', true],
    ['name:contains=maria', true],
    ['name:contains=LLER', true],
    ['name:contains=xx', false],
    ['name:exact=Müller', true],
    ['name:exact=Mu\u0308ller', false],
    ['name:exact=müller', false],
    ['name:exact=Mül', false],
    ['name=x,jos', true],
    ['name=ana&name=jos', true],
    ['name=ana&name=x', false],
    ['name=\u0301', false],
    ['name:missing=false', true],
  ])('%s: is it found? %s', (query, expected) => {
    expect(found(patient, query)).toBe(expected);
  });
});

describe('a reference', () => {
  it.each([
    ['patient=p1', true],
    ['patient=Patient/p1', true],
    [`patient=${base}/Patient/p1`, true],
    ['patient=1', false],
    ['patient=P1', false],
    ['patient=Practitioner/p1', false],
    ['patient=atient/p1', false],
    ['patient=p2,p1', true],
    ['patient=p1&patient=p2', false],
    ['patient=https://elsewhere.example.com/Patient/p1', false],
    ['patient=a/b/p1', false],
    ['patient:missing=false', true],
    ['patient:missing=true', false],
  ])('%s: is it found? %s', (query, expected) => {
    expect(found(inpatient, query)).toBe(expected);
  });
});

describe('several values', () => {
  it('are alternatives', () => {
    const { values: own } = candidateOf(entryOf(bare));
    const values = { ...own, references: { patient: ['Patient/p1', 'Patient/p2'] } };
    const parsed = parseQuery(memberSearch('ExplanationOfBenefit'), [['patient', 'p2']], {
      base,
      now: 0,
      strict: true,
    });
    const { criteria } = parsed.kind === 'query' ? parsed.query : { criteria: [] };
    expect(criteria).toHaveLength(1);
    expect(matchesCriteria(candidateOf({ ...entryOf(bare), values }), criteria)).toBe(true);
  });
});

describe('a last change that is no date', () => {
  it.each([
    ['_lastUpdated=ge2000', false],
    ['_lastUpdated:missing=true', true],
  ])('is missing: %s', (query, expected) => {
    expect(found(claim('odd', { meta: { lastUpdated: 'lately' } }), query)).toBe(expected);
  });
});
