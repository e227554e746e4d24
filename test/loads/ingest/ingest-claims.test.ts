import { describe, expect, it } from 'vitest';
import { patientAccessTypes } from '../../../lambdas/catalog/fhir/fhir-resources.ts';
import type { IngestAnswer, MemberLoad } from '../../../lambdas/loads/ingest/ingest-contract.ts';
import { ingestDouble, load, patient, patientId } from './ingest-double.ts';

type Resource = MemberLoad['resources'][number];

const lastUpdated = '2026-02-01T10:00:00.000-05:00';

function resource(resourceType: string, id: string, content: object = {}, versionId = '1'): Resource {
  const json = JSON.stringify({ resourceType, id, meta: { versionId, lastUpdated }, ...content });
  return { resourceType, id, versionId, lastUpdated, json };
}

const to = (reference: string) => ({ reference });
const payor = resource('Organization', 'payor');
const doctor = resource('Practitioner', 'doctor');
const coverage = resource('Coverage', 'c1', {
  status: 'active',
  beneficiary: to(`Patient/${patientId}`),
  payor: [to('Organization/payor')],
});
const claim = (changed: object = {}, id = 'e1', versionId = '1') =>
  resource(
    'ExplanationOfBenefit',
    id,
    {
      ...{
        status: 'active',
        type: { text: 'pharmacy' },
        use: 'claim',
        outcome: 'complete',
        created: '2026-01-31',
      },
      patient: to(`Patient/${patientId}`),
      insurer: to('Organization/payor'),
      provider: { display: 'A doctor' },
      careTeam: [{ sequence: 1, provider: to('Practitioner/doctor') }],
      insurance: [{ focal: true, coverage: to('Coverage/c1') }],
      ...changed,
    },
    versionId,
  );
const everything = [patient(), payor, doctor, coverage, claim()];

function paths(answer: IngestAnswer): readonly string[] {
  return answer.kind === 'loaded' ? [] : answer.issues.map(({ path }) => path);
}

describe('a load with claims', () => {
  it('stores each resource with what a search can ask of it', async () => {
    const { send, stored } = ingestDouble();
    expect(await send(load({ resources: everything }))).toMatchObject({ kind: 'loaded', resources: 5 });
    expect([...stored.keys()]).toEqual(everything.map(({ resourceType, id }) => `${resourceType}/${id}`));
    expect(stored.get('ExplanationOfBenefit/e1')?.values).toBe(`values of ${claim().json.length}`);
  });

  it.each([
    'Basic',
    'Appointment',
    'patient',
    'Claim',
    '__proto__',
    'toString',
  ])('is refused with a %s, which is not served', async (resourceType) => {
    const { send, stored } = ingestDouble();
    const answer = await send(load({ resources: [patient(), resource(resourceType, 'x1')] }));
    expect(answer).toMatchObject({
      issues: [
        {
          path: 'resources.1.resourceType',
          message: `a served type: ${patientAccessTypes.join(', ')}`,
        },
      ],
    });
    expect(stored.size).toBe(0);
  });

  const other = '26d1e61a-8fc3-42dd-925e-7e67b70e957c';
  it.each<[string, Resource, string]>([
    ['another patient’s claim', claim({ patient: to(`Patient/${other}`) }), 'patient.reference'],
    ['a claim that says nobody’s', claim({ patient: { display: 'Ada' } }), 'patient.reference'],
    ['a claim without a patient', claim({ patient: undefined }), 'patient.reference'],
    [
      'a patient of another server',
      claim({ patient: to(`https://elsewhere.example/Patient/${patientId}`) }),
      'patient.reference',
    ],
    [
      'a patient in capitals',
      claim({ patient: to(`Patient/${patientId.toUpperCase()}`) }),
      'patient.reference',
    ],
    ['a claim of a text', claim({ patient: `Patient/${patientId}` }), 'patient.reference'],
    [
      'another’s coverage',
      resource('Coverage', 'c1', { beneficiary: to(`Patient/${other}`) }),
      'beneficiary.reference',
    ],
    [
      'another’s relative',
      resource('RelatedPerson', 'r1', { patient: to(`Patient/${other}`) }),
      'patient.reference',
    ],
    [
      'another patient anywhere',
      resource('Coverage', 'c1', {
        beneficiary: to(`Patient/${patientId}`),
        subscriber: to(`Patient/${other}`),
      }),
      'subscriber.reference',
    ],
  ])('is refused with %s', async (_what, wrong, path) => {
    const { send, stored } = ingestDouble();
    const answer = await send(
      load({ resources: [patient(), payor, doctor, coverage, wrong].filter(unique) }),
    );
    expect(paths(answer)).toEqual([`resources.${wrong.resourceType === 'Coverage' ? 3 : 4}.json.${path}`]);
    expect(JSON.stringify(answer)).not.toContain(other);
    expect(stored.size).toBe(0);
  });

  it('is refused where only the FHIR rendition is another’s', async () => {
    const { send } = ingestDouble();
    const fhirJson = claim({ patient: to(`Patient/${other}`) }).json;
    const answer = await send(load({ resources: [...everything.slice(0, 4), { ...claim(), fhirJson }] }));
    expect(paths(answer)).toContain('resources.4.fhirJson.patient.reference');
  });

  it.each([
    ['a provider nobody knows', { provider: to('Practitioner/other') }, 'provider.reference'],
    [
      'one of a team nobody knows',
      { careTeam: [{ sequence: 1, provider: to('Organization/x') }] },
      'careTeam.0.provider.reference',
    ],
    ['a type that isn’t served', { facility: to('Location/l1') }, 'facility.reference'],
    ['a version', { insurer: to('Organization/payor/_history/1') }, 'insurer.reference'],
    ['a URN', { insurer: to('urn:uuid:26d1e61a-8fc3-42dd-925e-7e67b70e957c') }, 'insurer.reference'],
    ['no text at all', { insurer: to('') }, 'insurer.reference'],
  ])('is refused with a reference to %s, by its path', async (_what, changed, path) => {
    const { send, stored } = ingestDouble();
    const answer = await send(load({ resources: [...everything.slice(0, 4), claim(changed)] }));
    expect(paths(answer)).toEqual([`resources.4.json.${path}`]);
    expect(stored.size).toBe(0);
  });

  it('may name by identifier, contain, or point elsewhere', async () => {
    const { send } = ingestDouble();
    const changed = {
      contained: [{ resourceType: 'Location', id: 'l1', managingOrganization: to('Organization/payor') }],
      facility: to('#l1'),
      provider: { identifier: { value: '1234567893' } },
      payee: { party: to('https://elsewhere.example/fhir/Organization/9') },
    };
    expect(await send(load({ resources: [...everything.slice(0, 4), claim(changed)] }))).toMatchObject({
      kind: 'loaded',
    });
  });
});

describe('a resource nested very deep', () => {
  it('is refused, by its first element that is too much', async () => {
    const { send } = ingestDouble();
    const deep = (inner: string) => {
      const json = claim().json.replace(/}$/, `,"x":${'['.repeat(50_000)}${inner}${']'.repeat(50_000)}}`);
      return { ...claim(), json };
    };
    const resources = (json: string) => [...everything.slice(0, 4), deep(json)];
    expect(paths(await send(load({ resources: resources('{}') })))).toEqual(['resources.4.json.x']);
  });
});

describe('a member in several loads', () => {
  it('refers to what was loaded before', async () => {
    const { send, stored } = ingestDouble();
    expect(await send(load({ resources: [patient(), payor, doctor, coverage] }))).toMatchObject({
      kind: 'loaded',
    });
    expect(await send(load({ resources: [patient(), claim()] }))).toMatchObject({ kind: 'loaded' });
    expect(await send(load({ resources: [patient(), claim({}, 'e2')] }))).toMatchObject({ kind: 'loaded' });
    expect(stored.size).toBe(6);
  });

  it('is refused where the part it refers to has not come yet', async () => {
    const { send, stored } = ingestDouble();
    expect(paths(await send(load({ resources: [patient(), claim()] })))).toEqual([
      'resources.1.json.insurer.reference',
      'resources.1.json.careTeam.0.provider.reference',
      'resources.1.json.insurance.0.coverage.reference',
    ]);
    expect(stored.size).toBe(0);
  });
});

describe('values of a search', () => {
  it('come to a resource that an earlier version of this service loaded, and are renewed with what they are made by', async () => {
    const double = ingestDouble();
    await double.send(load({ resources: everything }));
    const old = double.stored.get('Coverage/c1');
    double.stored.set('Coverage/c1', { ...old, values: undefined } as never);
    double.stored.set('Organization/payor', { ...payor, values: 'of before' });
    expect(await double.send(load({ resources: everything }))).toMatchObject({ kind: 'loaded' });
    expect(double.writes[1]?.changes).toMatchObject([
      { kind: 'values', resource: { resourceType: 'Organization' } },
      { kind: 'values', resource: { resourceType: 'Coverage' } },
    ]);
    await double.send(load({ resources: everything }));
    expect(double.writes[2]?.changes).toEqual([]);
  });
});

describe('what a load takes back', () => {
  const removed = [{ resourceType: 'ExplanationOfBenefit', id: 'e1' }];

  it('is removed, and a repeat is no mistake', async () => {
    const double = ingestDouble();
    await double.send(load({ resources: everything }));
    expect(await double.send(load({ removed }))).toMatchObject({ kind: 'loaded' });
    expect(double.stored.has('ExplanationOfBenefit/e1')).toBe(false);
    expect(double.stored.size).toBe(4);
    expect(await double.send(load({ removed }))).toMatchObject({ kind: 'loaded' });
    expect(double.writes[2]?.changes).toEqual([]);
  });

  it('may be loaded again', async () => {
    const { send, stored } = ingestDouble();
    await send(load({ resources: everything }));
    await send(load({ removed }));
    expect(await send(load({ resources: everything }))).toMatchObject({ kind: 'loaded' });
    expect(stored.size).toBe(5);
  });

  it.each([
    ['the Patient', { removed: [{ resourceType: 'Patient', id: patientId }] }, 'removed.0.resourceType'],
    ['another type', { removed: [{ resourceType: 'Basic', id: 'b1' }] }, 'removed.0.resourceType'],
    ['what has no id', { removed: [{ resourceType: 'Coverage', id: 'ENTRY#1' }] }, 'removed.0.id'],
    ['what the load brings', { resources: everything, removed }, 'removed.0'],
    [
      'what the load refers to',
      { resources: [patient(), claim()], removed: [{ resourceType: 'Practitioner', id: 'doctor' }] },
      'resources.1.json.careTeam.0.provider.reference',
    ],
  ])('is never %s', async (_what, changed, path) => {
    const double = ingestDouble();
    await double.send(load({ resources: everything }));
    expect(paths(await double.send(load(changed)))).toContain(path);
    expect(double.stored.size).toBe(5);
  });
});

/** Whether a resource is the last one with its type and ID in the list. */
function unique(one: Resource, index: number, all: readonly Resource[]): boolean {
  return (
    all.findLastIndex(({ resourceType, id }) => resourceType === one.resourceType && id === one.id) === index
  );
}
