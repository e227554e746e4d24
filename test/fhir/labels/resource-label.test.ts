import { describe, expect, it } from 'vitest';
import type { PatientAccessType } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import { sensitiveCategories, sensitiveScope } from '../../../lambdas/catalog/fhir/sensitive-categories.ts';
import { ownLabel } from '../../../lambdas/fhir/labels/resource-label.ts';
import fc from '../../support/property.ts';
import { bundleOf, context, createWorld, household, type Resource } from '../search/world.ts';

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
const categoriesOf = (resource: unknown) => ownLabel(resource).categories;

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
    // Other spellings of a code system and of a code.
    ['urn:oid:2.16.840.1.113883.6.90', 'F10.20', ['substance-use']],
    ['2.16.840.1.113883.6.90', 'F10.20', ['substance-use']],
    ['http://hl7.org/fhir/sid/icd-10', 'F10.20', ['substance-use']],
    ['https://hl7.org/fhir/sid/icd-10-cm', 'F10.20', ['substance-use']],
    ['http://hl7.org/fhir/sid/icd-10-cm/', 'F10.20', ['substance-use']],
    ['http://hl7.org/fhir/sid/icd-10-cm|2026', 'F10.20', ['substance-use']],
    [' http://hl7.org/fhir/sid/icd-10-cm', 'F10.20', ['substance-use']],
    ['HTTP://HL7.ORG/FHIR/SID/ICD-10-CM', ' f10.20 ', ['substance-use']],
    ['http://hl7.org/fhir/sid/icd%2D10%2Dcm', 'F1020', ['substance-use']],
    ['http://terminology.hl7.org/CodeSystem/icd10CM', 'F10.20', ['substance-use']],
    ['http://id.who.int/icd/release/10', 'F10.2', ['substance-use']],
    ['http://terminology.hl7.org/CodeSystem/icd9cm', '303.90', ['substance-use']],
    ['urn:oid:2.16.840.1.113883.6.12', '90837', ['mental-health']],
    ['http://terminology.hl7.org/CodeSystem/CPT', '90837', ['mental-health']],
    ['http://snomed.info/sct/731000124108', '191816009', ['substance-use']],
    ['urn:oid:2.16.840.1.113883.6.96', '284591009', ['substance-use']],
    ['https://loinc.org/', '55758-7', ['mental-health']],
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
    // A label that is in no value set.
    ['CELEBRITY', actCode, ['restricted']],
    ['42CFRPart2', actCode, ['part-2']],
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
    expect(categoriesOf({ resourceType: 'Condition', x: JSON.parse(deep(2_000)) })).toEqual([]);
  });

  it('are told by the words of a SNOMED concept that no table has', () => {
    const concept = (display: string) =>
      categoriesOf(
        condition('c', { code: { coding: [{ system: 'http://snomed.info/sct', code: '9', display }] } }),
      );
    expect(concept('Acute alcohol withdrawal (disorder)')).toEqual(['substance-use']);
    expect(concept('Recurrent depressive episode in remission')).toEqual(['mental-health']);
    expect(concept('Normal pregnancy')).toEqual(['reproductive-health']);
    expect(concept('Depressed fracture of skull')).toEqual([]);
    expect(concept('Essential hypertension')).toEqual([]);
  });

  it('are told by a code without a system', () => {
    const without = (code: string) => categoriesOf(condition('c', { code: { coding: [{ code }] } }));
    expect(without('F10.20')).toEqual(['substance-use']);
    expect(without('55758-7')).toEqual(['mental-health']);
    expect(without('active')).toEqual([]);
  });

  it('are none where a system is shared: the class of an encounter is no label', () => {
    const encounter = { resourceType: 'Encounter', id: 'e', class: { system: actCode, code: 'AMB' } };
    expect(categoriesOf(encounter)).toEqual([]);
  });

  it('are none of a Patient and a Coverage, which tell whose data it is', () => {
    for (const resourceType of ['Patient', 'Coverage', 'RelatedPerson']) {
      expect(categoriesOf({ ...labeled('R', confidentiality), resourceType })).toEqual([]);
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

/** Generates a member's record whose resources have random labels and whose documents have a Binary each. */
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
          categoriesOf({ resourceType, meta }).every((category) => ticked.some((each) => each === category));
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
        for (const resource of record) {
          const { resourceType, id } = resource;
          const answer = await world.read(resourceType as PatientAccessType, id, change);
          const isRead = answer.kind !== 'refusal';
          expect(isRead).toBe(shared.includes(`${resourceType}/${id}`));
        }
      }),
    );
  });
});
