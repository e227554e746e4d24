import { describe, expect, it } from 'vitest';
import { sensitiveCategories, sensitiveScope } from '../../lambdas/catalog/fhir/sensitive-categories.ts';
import { isResourceShared, isWithheldContent } from '../../lambdas/fhir/disclosure-rules.ts';
import { sensitiveMark } from '../../lambdas/fhir/sensitive-data.ts';
import fc from '../support/property.ts';
import {
  bundleOf,
  context,
  createWorld,
  entryOf,
  household,
  livingGrant,
  type Resource,
} from './search/world.ts';

const actCode = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
const confidentiality = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality';
const icd10 = 'http://hl7.org/fhir/sid/icd-10-cm';

const condition = (id: string, elements: Readonly<Record<string, unknown>> = {}): Resource => ({
  resourceType: 'Condition',
  id,
  subject: { reference: 'Patient/p1' },
  ...elements,
});
const coded = (system: string, code: string) => condition('c', { code: { coding: [{ system, code }] } });
const labeled = (code: string, system = actCode) =>
  condition('c', { meta: { security: [{ system, code }] } });
const categoriesOf = (resource: unknown) => sensitiveMark(resource)?.categories ?? [];

describe('the categories of a resource', () => {
  it.each([
    [icd10, 'F32.9', ['mental-health']],
    [icd10, 'F20', ['mental-health']],
    [icd10, 'F17.210', []],
    [icd10, 'F10.20', ['substance-use']],
    [icd10, 'B20', ['sexual-health']],
    [icd10, 'O24.410', ['reproductive-health']],
    [icd10, 'O9A.311', ['reproductive-health', 'violence']],
    [icd10, 'Q90.9', ['genetics']],
    [icd10, 'T74.11XA', ['violence']],
    [icd10, 'E11.9', []],
    [icd10, 'I10', []],
    ['http://hl7.org/fhir/sid/icd-9-cm', '305.1', []],
    ['http://hl7.org/fhir/sid/icd-9-cm', '305.00', ['substance-use']],
    ['http://www.cms.gov/Medicare/Coding/ICD10', 'GZB0ZZZ', ['mental-health']],
    ['http://www.ama-assn.org/go/cpt', '90837', ['mental-health']],
    ['http://www.ama-assn.org/go/cpt', '99213', []],
    ['http://www.ama-assn.org/go/cpt', '81162', ['genetics']],
    ['https://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets', 'G2067', ['substance-use']],
    ['http://loinc.org', '82810-3', ['reproductive-health']],
    ['http://loinc.org', '4548-4', []],
    ['http://snomed.info/sct', '86406008', ['sexual-health']],
    ['http://nucc.org/provider-taxonomy', '2084P0800X', ['mental-health']],
    ['http://nucc.org/provider-taxonomy', '2084P0802X', ['mental-health', 'substance-use']],
    ['http://nucc.org/provider-taxonomy', '207R00000X', []],
    ['http://example.com/codes', 'F32.9', []],
  ])('with the code %s|%s are %j', (system, code, categories) => {
    expect(categoriesOf(coded(system, code))).toEqual(categories);
  });

  it.each([
    ['MH', actCode, ['mental-health']],
    ['BH', actCode, ['mental-health', 'substance-use']],
    ['SEX', actCode, ['sexual-health', 'reproductive-health']],
    ['R', confidentiality, ['restricted']],
    ['N', confidentiality, []],
    // A label in no value set.
    ['CELEBRITY', actCode, ['restricted']],
    ['42CFRPart2', actCode, []],
  ])('with the label %s are those of its value sets', (code, system, categories) => {
    expect(categoriesOf(labeled(code, system))).toEqual(categories);
  });

  it('come from every code in a claim, and from what it contains', () => {
    const diagnosis = [{ diagnosisCodeableConcept: { coding: [{ system: icd10, code: 'F41.1' }] } }];
    expect(categoriesOf({ resourceType: 'ExplanationOfBenefit', id: 'e', diagnosis })).toEqual([
      'mental-health',
    ]);
    expect(categoriesOf({ resourceType: 'MedicationRequest', contained: [labeled('HIV')] })).toEqual([
      'sexual-health',
    ]);
    const deep = (depth: number) => `${'{"extension":['.repeat(depth)}${']}'.repeat(depth)}`;
    expect(sensitiveMark({ resourceType: 'Condition', x: JSON.parse(deep(2_000)) })).toBeUndefined();
  });

  it('are none where a system is shared: the class of an encounter is no label', () => {
    const encounter = { resourceType: 'Encounter', id: 'e', class: { system: actCode, code: 'AMB' } };
    expect(sensitiveMark(encounter)).toBeUndefined();
  });

  it('are none of a Patient and a Coverage, which tell whose data it is', () => {
    for (const resourceType of ['Patient', 'Coverage', 'RelatedPerson']) {
      expect(sensitiveMark({ ...labeled('R', confidentiality), resourceType })).toBeUndefined();
    }
  });
});

const labels = ['MH', 'SUD', 'STD', 'SEX', 'GDIS', 'SDV', 'CELEBRITY', 'N'] as const;
const types = [
  'Condition',
  'Procedure',
  'DocumentReference',
  'DiagnosticReport',
  'ExplanationOfBenefit',
] as const;

/** A member's record in which each resource has labels by chance, and documents hold a Binary each. */
const records = fc
  .array(fc.tuple(fc.constantFrom(...types), fc.subarray([...labels], { maxLength: 2 })), { maxLength: 12 })
  .map((drawn) =>
    drawn.flatMap(([resourceType, codes], at): Resource[] => {
      const id = `r${at}`;
      const own = {
        ...{ resourceType, id, subject: { reference: 'Patient/p1' }, patient: { reference: 'Patient/p1' } },
        ...{ meta: { security: codes.map((code) => ({ system: actCode, code })) }, status: 'current' },
      };
      if (resourceType === 'DocumentReference') {
        const held = { ...own, content: [{ attachment: { url: `Binary/b${at}` } }] };
        return [held, { resourceType: 'Binary', id: `b${at}`, contentType: 'text/plain' }];
      }
      if (resourceType !== 'DiagnosticReport') return [own];
      const held = {
        ...own,
        presentedForm: [{ url: `${'https://host.example/fhir'}/Binary/b${at}/_history/1` }],
      };
      return [held, { resourceType: 'Binary', id: `b${at}`, contentType: 'text/plain' }];
    }),
  );

describe('a member who ticks some categories', () => {
  it('shares no resource of another, by no search, total, read or document', async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.subarray([...sensitiveCategories]), async (record, ticked) => {
        const world = createWorld([...household, ...record]);
        const scope = ['patient/*.read', ...ticked.map(sensitiveScope)].join(' ');
        const isOwn = ({ resourceType, meta }: Resource) =>
          resourceType === 'Binary' ||
          categoriesOf({ resourceType, meta }).every((category) => ticked.includes(category));
        const holderOf = ({ id }: Resource) => record.find((each) => each.id === id.replace('b', 'r'));
        const isShared = (each: Resource) =>
          each.resourceType === 'Binary' ? isOwn(holderOf(each) ?? each) : isOwn(each);
        const shared = record.filter(isShared).map(({ resourceType, id }) => `${resourceType}/${id}`);
        const names = (all: readonly Resource[]) =>
          all.filter(({ id }) => /^[rb]\d/.test(id)).map(({ resourceType, id }) => `${resourceType}/${id}`);

        const change = { context: { ...context, scope } };
        const everything = bundleOf(await world.everything('_count=100', change));
        expect(names((everything.entry ?? []).map(({ resource }) => resource)).sort()).toEqual(shared.sort());
        expect(everything.total).toBe(household.length + shared.length);
        for (const type of types) {
          const found = bundleOf(await world.search(type, 'patient=p1&_count=100', change));
          const own = shared.filter((name) => name.startsWith(`${type}/`));
          expect(found.total).toBe(own.length);
          expect(names((found.entry ?? []).map(({ resource }) => resource)).sort()).toEqual(own);
        }
        const compartment = {
          entries: async (
            _patientId: string,
            _grantId: string,
            asked: { readonly resourceType: string | undefined },
          ) => ({
            grant: livingGrant,
            entries: record
              .filter(({ resourceType }) => resourceType === asked.resourceType)
              .map((each) => entryOf(each)),
          }),
        };
        for (const resource of record) {
          const { resourceType, id } = resource;
          const isRead =
            isResourceShared(resourceType, JSON.stringify(resource), scope) &&
            !(resourceType === 'Binary' && (await isWithheldContent(compartment, { ...context, scope }, id)));
          expect(isRead).toBe(shared.includes(`${resourceType}/${id}`));
        }
      }),
    );
  });
});
