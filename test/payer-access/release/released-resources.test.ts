import { describe, expect, it } from 'vitest';
import type { SearchEntry } from '../../../lambdas/fhir/values/patient-compartment.ts';
import { searchValues } from '../../../lambdas/fhir/values/values.ts';
import type { ConsentPolicy } from '../../../lambdas/payer-access/permission/judge-consent.ts';
import { releasedResources } from '../../../lambdas/payer-access/release/released-resources.ts';
import { claim, household, labelsOf, patient, type Resource } from '../../fhir/search/world.ts';
import { now } from '../match-samples.ts';

const lastUpdated = '2026-11-20T10:00:00.000Z';
const label = (code: string, system = 'http://terminology.hl7.org/CodeSystem/v3-ActCode') => ({
  meta: { lastUpdated, security: [{ system, code }] },
});
const masked = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'masked' }],
};
const of = (resourceType: string, id: string, elements: object = {}): Resource => ({
  resourceType,
  id,
  meta: { lastUpdated },
  subject: { reference: 'Patient/p1' },
  ...elements,
});
const pdex = 'http://hl7.org/fhir/us/davinci-pdex/StructureDefinition';
const decided = (...codes: readonly string[]) => ({
  use: 'preauthorization',
  adjudication: codes.map((code) => ({
    category: { coding: [{ code: 'submitted' }] },
    amount: { value: 10, currency: 'USD' },
    extension: [
      {
        url: `${pdex}/extension-reviewAction`,
        extension: [
          { url: `${pdex}/extension-reviewActionCode`, valueCodeableConcept: { coding: [{ code }] } },
        ],
      },
    ],
  })),
});
const with_ = (document: string) => ({
  supportingInfo: [{ sequence: 1, valueReference: { reference: document, display: 'Private words' } }],
});
const item = (coding: object) => ({ item: [{ sequence: 1, productOrService: { coding: [coding] } }] });

/** The resources of a record that are released, by `Type/id`. */
async function released(
  resources: readonly Resource[],
  selection: {
    readonly policy?: ConsentPolicy;
    readonly scope?: string;
    readonly types?: readonly string[];
    readonly since?: number;
    readonly until?: number;
  } = {},
): Promise<ReadonlyMap<string, Resource>> {
  const entries = resources.map(
    (resource): SearchEntry => ({
      ...{ resourceType: resource.resourceType, id: resource.id, versionId: '1' },
      lastUpdated: String((resource.meta as { lastUpdated: string }).lastUpdated),
      values: searchValues(resource),
    }),
  );
  const compartment = {
    entries: async () => ({ grant: undefined, entries, labels: labelsOf(resources) }),
    resources: async (_patientId: string, names: readonly { resourceType: string; id: string }[]) =>
      names.map(({ resourceType, id }) => {
        const found = resources.find((each) => each.resourceType === resourceType && each.id === id);
        return found && { json: JSON.stringify(found), versionId: '1', lastUpdated };
      }),
  };
  const all = new Map<string, Resource>();
  const asked = { policy: 'regular' as const, scope: 'patient/*.rs', ...selection };
  for await (const { resourceType, id, json } of releasedResources(
    compartment,
    { patientId: 'p1', grantId: 'g1' },
    asked,
    now,
  )) {
    all.set(`${resourceType}/${id}`, JSON.parse(json));
  }
  return all;
}
const names = async (...asked: Parameters<typeof released>) => [...(await released(...asked)).keys()];

describe('what another payer gets of a member', () => {
  it('is what was given in the last five years, to the day, and what has no date of service', async () => {
    const day = (date: string) => claim(date, { billablePeriod: { start: date, end: date } });
    const record = [
      ...[day('2021-11-22'), day('2021-11-23'), day('2026-11-01')],
      of('Condition', 'old', { recordedDate: '2009-01-01' }),
      of('Procedure', 'old', { performedDateTime: '2021-11-22' }),
      of('Encounter', 'open', { period: { start: '2019-01-01' } }),
      of('MedicationDispense', 'old', { whenHandedOver: '2020-01-01' }),
      of('AllergyIntolerance', 'undated'),
    ];
    expect(await names(record)).toEqual([
      ...['AllergyIntolerance/undated', 'Condition/old', 'Encounter/open'],
      ...['ExplanationOfBenefit/2021-11-23', 'ExplanationOfBenefit/2026-11-01'],
    ]);
  });

  it('has prior authorizations that are active or changed within a year, not denied, of no drug', async () => {
    const year = { meta: { lastUpdated: '2025-01-01T00:00:00.000Z' } };
    const record = [
      claim('approved', decided('A1')),
      claim('partly', decided('A1', 'A3')),
      claim('pended', decided('A4')),
      claim('denied', decided('A3', 'A3')),
      claim('ended', { ...decided('A1'), ...year, preAuthRefPeriod: [{ end: '2025-06-30' }] }),
      claim('injected', { ...decided('A1'), ...item({ system: 'http://hl7.org/fhir/sid/ndc', code: '1' }) }),
      // A paid pharmacy claim, which is no prior authorization for a drug and is released.
      claim('drug', item({ system: 'http://hl7.org/fhir/sid/ndc', code: '1' })),
    ];
    expect(await names(record)).toEqual([
      ...['ExplanationOfBenefit/approved', 'ExplanationOfBenefit/drug'],
      ...['ExplanationOfBenefit/partly', 'ExplanationOfBenefit/pended'],
    ]);
  });

  it('has labeled data by the policy of the Consent, and never a record of 42 CFR Part 2', async () => {
    const record = [
      of('Condition', 'plain'),
      of('Condition', 'hiv', label('HIV')),
      of('Condition', 'restricted', label('R', 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality')),
      of('Condition', 'containing', {
        contained: [{ resourceType: 'Organization', id: 'o', ...label('ETH') }],
      }),
      of('Condition', 'part-2', label('42CFRPart2')),
    ];
    expect(await names(record)).toEqual(['Condition/plain']);
    expect(await names(record, { policy: 'sensitive' })).toEqual([
      ...['Condition/containing', 'Condition/hiv', 'Condition/plain', 'Condition/restricted'],
    ]);
  });

  it('has documents with what they document, and the source of what it has', async () => {
    const document = (id: string, elements: object = {}) =>
      of('DocumentReference', id, {
        date: '2020-01-01T00:00:00Z',
        content: [{ attachment: { url: `https://plan.example.org/v1/Binary/${id}` } }],
        ...elements,
      });
    const about = (encounter: string) => ({
      context: { encounter: [{ reference: `Encounter/${encounter}` }] },
    });
    const ids = ['approval', 'denial', 'note', 'secret', 'old', 'protected'];
    const record = [
      claim('approved', { ...decided('A1'), ...with_('DocumentReference/approval') }),
      claim('denied', { ...decided('A3'), ...with_('DocumentReference/denial') }),
      of('Encounter', 'visit', { period: { start: '2026-01-01', end: '2026-01-01' } }),
      of('Encounter', 'labeled', label('PSY')),
      of('Encounter', 'part-2', label('42CFRPart2')),
      of('Condition', 'named', { encounter: { reference: 'Encounter/labeled', display: 'Private words' } }),
      document('approval'),
      document('denial', { date: '2026-01-01T00:00:00Z' }),
      document('note', about('visit')),
      document('secret', { ...about('labeled'), date: '2026-01-01T00:00:00Z' }),
      document('protected', { ...about('part-2'), date: '2026-01-01T00:00:00Z' }),
      document('old'),
      ...ids.map((id) => ({ resourceType: 'Binary', id, meta: { lastUpdated }, data: 'bm8=' })),
      of('Provenance', 'of-both', {
        target: [{ reference: 'Encounter/visit' }, { reference: 'Encounter/labeled' }],
      }),
      of('Provenance', 'of-withheld', { target: [{ reference: 'DocumentReference/denial' }] }),
    ];
    const found = await released(record);
    expect([...found.keys()]).toEqual([
      ...['Binary/approval', 'Binary/note', 'Condition/named'],
      ...['DocumentReference/approval', 'DocumentReference/note'],
      ...['Encounter/visit', 'ExplanationOfBenefit/approved', 'Provenance/of-both'],
    ]);
    expect(found.get('Provenance/of-both')?.target).toEqual([{ reference: 'Encounter/visit' }]);
    // A reference to a withheld resource is replaced by the statement that it is masked.
    expect(found.get('Condition/named')?.encounter).toEqual(masked);
    const sensitive = await names(record, { policy: 'sensitive' });
    expect(sensitive).toContain('DocumentReference/secret');
    // Records under 42 CFR Part 2 are withheld under every policy.
    expect(sensitive.filter((name) => name.endsWith('/protected') || name.endsWith('/part-2'))).toEqual([]);
    // A payer can't read a Binary, so the document contains its data.
    const held = [{ attachment: { data: 'bm8=' } }];
    expect(found.get('DocumentReference/note')?.content).toEqual(held);
    const types = ['DocumentReference'];
    expect((await released(record, { types })).get('DocumentReference/note')?.content).toEqual(held);
    const narrow = await released(record, { scope: 'patient/DocumentReference.rs' });
    expect(narrow.get('DocumentReference/note')?.content).toEqual([
      { attachment: { url: 'https://plan.example.org/v1/Binary/note' } },
    ]);
  });

  it('has claims without amounts, payments and notes, in their Basis profile, and keeps other decisions', async () => {
    const money = { value: 12.5, currency: 'USD' };
    const profile = 'http://hl7.org/fhir/us/carin-bb/StructureDefinition/C4BB-ExplanationOfBenefit-Oral';
    const decision = { category: { coding: [{ code: 'benefitpaymentstatus' }] }, reason: { text: 'Paid' } };
    const financial = {
      meta: { lastUpdated, profile: [profile, `${profile}|2.0.0`] },
      text: { status: 'generated', div: '<div>12.50</div>' },
      extension: [{ url: 'http://example.org/paid', valueMoney: money }],
      payee: { type: { text: 'Provider' } },
      payment: { amount: money },
      total: [{ category: { text: 'Total' }, amount: money }],
      processNote: [{ text: 'You owe 12.50.' }],
      adjudication: [{ category: { text: 'Billed' }, amount: money }, decision],
      item: [
        {
          sequence: 1,
          noteNumber: [1],
          productOrService: { text: 'Filling' },
          unitPrice: money,
          net: money,
          adjudication: [{ category: { text: 'Billed' }, amount: money }],
          detail: [{ sequence: 1, productOrService: { text: 'Part' }, factor: 2, net: money }],
        },
      ],
    };
    const found = (await released([claim('c1', financial)])).get('ExplanationOfBenefit/c1');
    expect(found).toEqual({
      ...claim('c1'),
      meta: { lastUpdated, profile: [`${profile}-Basis`] },
      adjudication: [decision],
      item: [
        {
          sequence: 1,
          productOrService: { text: 'Filling' },
          detail: [{ sequence: 1, productOrService: { text: 'Part' } }],
        },
      ],
    });
    // The profile requires an adjudication with a decision.
    const bare = (await released([claim('c1', { ...financial, adjudication: [] })])).get(
      'ExplanationOfBenefit/c1',
    );
    expect(bare?.meta).toEqual({ lastUpdated });
  });

  it('has prior authorizations without amounts, with the decisions that their entries hold', async () => {
    const money = { value: 10, currency: 'USD' };
    const [submitted] = decided('A4').adjudication;
    const authorization = claim('pa', {
      ...decided('A4'),
      total: [{ category: { text: 'Requested' }, amount: money }],
      item: [
        {
          sequence: 1,
          unitPrice: money,
          extension: [
            {
              url: 'detail',
              extension: [
                { url: 'unitPrice', valueMoney: money },
                { url: 'units', valueInteger: 2 },
              ],
            },
          ],
          adjudication: [submitted, { category: { text: 'Units' }, value: 3 }],
        },
      ],
    });
    const found = (await released([authorization])).get('ExplanationOfBenefit/pa');
    expect(JSON.stringify(found)).not.toContain('USD');
    const kept = { ...submitted, amount: masked };
    expect(found).toEqual({
      ...claim('pa', { ...decided('A4'), adjudication: [kept] }),
      item: [
        {
          sequence: 1,
          extension: [{ url: 'detail', extension: [{ url: 'units', valueInteger: 2 }] }],
          adjudication: [kept, { category: { text: 'Units' }, value: 3 }],
        },
      ],
    });
  });

  it('has what members share by what changed until the time that is asked for', async () => {
    const at = (time: string) => ({ meta: { lastUpdated: time } });
    const record = [
      { resourceType: 'Practitioner', id: 'of-later', ...at('2024-01-01T00:00:00Z') },
      { resourceType: 'Practitioner', id: 'of-earlier', ...at('2024-01-01T00:00:00Z') },
      claim('earlier', {
        ...at('2024-02-01T00:00:00Z'),
        provider: { reference: 'Practitioner/of-earlier' },
      }),
      claim('later', { ...at('2026-01-01T00:00:00Z'), provider: { reference: 'Practitioner/of-later' } }),
    ];
    const until = Date.parse('2025-01-01T00:00:00Z');
    expect(await names(record, { until })).toEqual([
      'ExplanationOfBenefit/earlier',
      'Practitioner/of-earlier',
    ]);
    expect(await names(record)).toContain('Practitioner/of-later');
  });

  it('has practitioners and others that members share, where a released resource names them', async () => {
    const reference = (to: string) => ({ reference: to });
    const record = [
      ...['named', 'through', 'unnamed'].map((id) => ({
        resourceType: 'Practitioner',
        id,
        meta: { lastUpdated },
      })),
      of('PractitionerRole', 'role', { practitioner: reference('Practitioner/through') }),
      claim('c1', { provider: reference('Practitioner/named') }),
      of('Encounter', 'visit', { participant: [{ individual: reference('PractitionerRole/role') }] }),
      of('Encounter', 'labeled', {
        ...label('PSY'),
        participant: [{ individual: reference('Practitioner/unnamed') }],
      }),
    ];
    expect(await names(record)).toEqual([
      ...['Encounter/visit', 'ExplanationOfBenefit/c1', 'Practitioner/named', 'Practitioner/through'],
      'PractitionerRole/role',
    ]);
  });

  it('has what another payer sent, with its source, its Basis profile and its Provenance', async () => {
    const source = 'https://old.example/fhir';
    const profile = [
      'http://hl7.org/fhir/us/carin-bb/StructureDefinition/C4BB-ExplanationOfBenefit-Pharmacy-Basis',
    ];
    const target = [{ reference: 'Patient/p1' }, { reference: 'ExplanationOfBenefit/received-1' }];
    const sent = claim('received-1', {
      meta: { lastUpdated, source, profile },
      adjudication: [{ category: { text: 'network' }, reason: { text: 'in' } }],
    });
    const provenance = of('Provenance', 'received-2', { meta: { lastUpdated, source }, target });
    const found = await released([patient, sent, provenance]);
    expect(found.get('ExplanationOfBenefit/received-1')?.meta).toEqual({ lastUpdated, source, profile });
    expect(found.get('Provenance/received-2')).toMatchObject({ meta: { source }, target });
  });

  it('is limited to the scopes, types and times, and to the matched patient', async () => {
    const record = [...household, { ...patient, id: 'p2' }, claim('c1')];
    expect(await names(record)).toEqual([
      ...['Coverage/c1', 'ExplanationOfBenefit/c1'],
      ...['Organization/clinic', 'Organization/payer', 'Patient/p1'],
    ]);
    expect(await names(record, { scope: 'patient/Coverage.rs' })).toEqual(['Coverage/c1']);
    expect(await names(record, { types: ['Patient', 'Goal'] })).toEqual(['Patient/p1']);
    expect(await names(record, { since: now })).toEqual([]);
    expect(await names(record, { until: Date.parse('2026-11-20') })).toEqual([]);
  });
});
