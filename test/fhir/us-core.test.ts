import { describe, expect, it } from 'vitest';
import {
  isPatientAccessType,
  type PatientAccessType,
  recordSearchParameters,
  servedResource,
} from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { servedInterface } from '../../lambdas/catalog/fhir/interfaces.ts';
import { memberSearch } from '../../lambdas/fhir/query/member-searches.ts';
import { parseQuery } from '../../lambdas/fhir/query/query.ts';
import { base, nowSeconds } from './search/world.ts';
import usCore from './us-core-6.1.0-server.json' with { type: 'json' };

/**
 * Types of US Core 6.1.0 that are not part of a member's record: the directory serves some, the others are not served. For all other types
 * this file tests the SHALL parts of the guide's CapabilityStatement, and its includes and combinations.
 */
const elsewhere = ['Endpoint', 'HealthcareService', 'Media', 'Questionnaire', 'ValueSet'];

/**
 * Parameters whose combinations are not served: a Questionnaire is referred to by a canonical URL, for which there is no reference search.
 */
const leftOut = ['questionnaire'];

const rows = Object.entries(usCore.resources).filter(([type]) => !elsewhere.includes(type));
const sampleOf = { date: '2026', reference: 'p1', string: 'a', token: 'a', uri: 'a' } as const;

describe.each(rows)('US Core 6.1.0 of %s', (type, demanded) => {
  const row = isPatientAccessType(type) ? servedResource(type) : undefined;
  const parameters = [...recordSearchParameters, ...(row?.searchParameters ?? [])];
  const names = parameters.map(({ name }) => name);

  it('is served: interactions, parameters, what is sent along, operations', () => {
    expect(row?.interactions).toEqual(expect.arrayContaining(demanded.interactions));
    for (const name of demanded.parameters) expect(names).toContain(name);
    for (const each of demanded.revIncludes) expect(row?.revIncludes).toContain(each);
    const operations = servedInterface('patient-access').operations.filter((each) => each.type === type);
    for (const each of demanded.operations) expect(operations.map(({ name }) => name)).toContain(each);
  });

  it('has a definition of US Core for no parameter but its own', () => {
    const own = [demanded, demanded.should].flatMap((level) => [
      ...level.parameters,
      ...level.combinations.flat(),
    ]);
    const named = parameters.filter(({ definition }) => definition?.includes('/us/core/'));
    expect(named.map(({ name }) => name).filter((name) => !own.includes(name))).toEqual([]);
  });

  it('has each combination that is named, SHALL and SHOULD', () => {
    for (const combination of [...demanded.combinations, ...demanded.should.combinations]) {
      if (combination.some((name) => leftOut.includes(name))) continue;
      const query = combination.map((name) => {
        const kind = parameters.find((parameter) => parameter.name === name)?.type ?? 'token';
        return [name, sampleOf[kind]] as const;
      });
      const parsed = parseQuery(memberSearch(type as PatientAccessType), query, {
        base,
        now: nowSeconds * 1000,
        strict: true,
      });
      expect([combination, parsed.kind]).toEqual([combination, 'query']);
    }
  });

  it('declares the profiles that it names', () => {
    for (const profile of demanded.profiles) {
      const plain = profile.split('|', 1)[0] ?? '';
      expect(row?.supportedProfiles.map((each) => each.split('|', 1)[0])).toContain(plain);
    }
  });
});

it('is compared with as many SHALL searches as US Core names', () => {
  const count = rows.reduce(
    (sum, [, { parameters, combinations }]) => sum + parameters.length + combinations.length,
    0,
  );
  expect(count).toBeGreaterThan(50);
});
