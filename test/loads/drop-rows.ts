import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';

/** Rows of drops for tests, with no more than the rules of drops require. */
interface RowOptions {
  readonly version?: number;
  readonly lob?: LineOfBusiness;
  readonly says?: string;
  /** Reference from a claim to its coverage. */
  readonly coverage?: string;
  readonly insurer?: string;
  /** Reference from a claim to any resource as its evidence. */
  readonly evidence?: string;
  /** Phone number of a Patient. */
  readonly phone?: string;
  readonly birthDate?: string;
}

const carin = 'http://hl7.org/fhir/us/carin-bb/StructureDefinition';

function meta(profile: string, { version = 1 }: RowOptions) {
  return {
    versionId: String(version),
    lastUpdated: new Date(1_790_000_000_000 + version * 1_000).toISOString(),
    profile: [`${carin}/${profile}|2.0.0`],
  };
}

export function patient(id: string, memberId: string, options: RowOptions = {}) {
  const { lob = 'DSNP', says = 'Sampleton', phone } = options;
  const type = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MB' }] };
  return {
    resourceType: 'Patient',
    id,
    meta: meta('C4BB-Patient', options),
    identifier: [
      { type, system: 'https://plan.example/MEMBER_LIFE_ID', value: memberId },
      { system: 'https://plan.example/lob', value: lob },
    ],
    name: [{ family: says, given: ['Ada'] }],
    gender: 'female',
    ...(phone !== undefined && { telecom: [{ system: 'phone', value: phone }] }),
    ...(options.birthDate !== undefined && { birthDate: options.birthDate }),
  };
}

export function coverage(patientId: string, id: string, options: RowOptions = {}) {
  return {
    resourceType: 'Coverage',
    id,
    meta: meta('C4BB-Coverage', options),
    status: 'active',
    subscriberId: 'S1',
    relationship: code('subscriber-relationship', 'self'),
    beneficiary: { reference: `Patient/${patientId}` },
    payor: [{ display: options.says ?? 'The plan' }],
  };
}

/** A pharmacy claim with the elements that its profile requires. */
export function claim(patientId: string, id: string, options: RowOptions = {}) {
  const { says = 'paid', insurer, evidence } = options;
  return {
    resourceType: 'ExplanationOfBenefit',
    id,
    meta: meta('C4BB-ExplanationOfBenefit-Pharmacy', options),
    identifier: [
      { type: carinCode('C4BBIdentifierType', 'uc'), system: 'https://plan.example/claim', value: id },
    ],
    status: 'active',
    type: { ...code('claim-type', 'pharmacy'), text: says },
    use: 'claim',
    patient: { reference: `Patient/${patientId}` },
    billablePeriod: { start: '2026-10-30' },
    created: '2026-11-01',
    insurer: insurer === undefined ? { display: 'The plan' } : { reference: insurer },
    provider: { display: 'A pharmacy' },
    payee: { type: code('payeetype', 'provider') },
    outcome: 'complete',
    supportingInfo: [
      { ...information(1, 'dayssupply'), valueQuantity: { value: 30 } },
      { ...information(2, 'dawcode'), code: code('NCPDPDispensedAsWrittenOrProductSelectionCode', '0') },
      { ...information(3, 'refillnum'), valueQuantity: { value: 0 } },
      { ...information(4, 'refillsauthorized'), valueQuantity: { value: 1 } },
      ...(evidence === undefined
        ? []
        : [
            {
              sequence: 5,
              category: code('claiminformationcategory', 'attachment'),
              valueReference: { reference: evidence },
            },
          ]),
    ],
    insurance: [
      {
        focal: true,
        coverage: options.coverage === undefined ? { display: 'C' } : { reference: options.coverage },
      },
    ],
    item: [
      {
        sequence: 1,
        productOrService: { coding: [{ system: 'http://hl7.org/fhir/sid/ndc', code: '65841-028-01' }] },
        servicedDate: '2026-10-30',
        adjudication: [amount],
      },
    ],
    adjudication: ['billingnetworkstatus', 'benefitpaymentstatus'].map((status) => ({
      category: carinCode('C4BBAdjudicationDiscriminator', status),
      reason: carinCode('C4BBPayerAdjudicationStatus', 'innetwork'),
    })),
    total: [amount],
    payment: { type: carinCode('C4BBPayerAdjudicationStatus', 'paid') },
  };
}

const amount = {
  category: code('adjudication', 'submitted'),
  amount: { value: 24, currency: 'USD' },
};

function code(system: string, of: string) {
  return { coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code: of }] };
}

function carinCode(system: string, of: string) {
  return { coding: [{ system: `http://hl7.org/fhir/us/carin-bb/CodeSystem/${system}`, code: of }] };
}

function information(sequence: number, category: string) {
  return { sequence, category: carinCode('C4BBSupportingInfoType', category) };
}

export function organization(id: string, options: RowOptions = {}) {
  return {
    resourceType: 'Organization',
    id,
    meta: meta('C4BB-Organization', options),
    active: true,
    name: options.says ?? 'The plan',
  };
}

/** A Parameters row of a drop, which states a change: a parameter for each reference, and optionally the line of business. */
export function changeParameters(
  references: Readonly<Record<string, string>>,
  lineOfBusiness?: LineOfBusiness,
  version = 100,
) {
  const parameter: object[] = Object.entries(references).map(([name, reference]) => ({
    name,
    valueReference: { reference },
  }));
  if (lineOfBusiness !== undefined) parameter.push({ name: 'lineOfBusiness', valueCode: lineOfBusiness });
  const { lastUpdated } = meta('', { version });
  return { resourceType: 'Parameters', meta: { lastUpdated }, parameter };
}

/** A row of a personal representative of a member. */
export function representative(
  patientId: string,
  representativeId: string,
  options: {
    readonly version?: number;
    readonly role?: string;
    readonly birthDate?: string;
    readonly period?: { readonly start?: string; readonly end?: string };
    readonly email?: string;
  } = {},
) {
  const { version = 1, role = 'MTH', birthDate = '1985-04-02', period } = options;
  const system = 'http://terminology.hl7.org/CodeSystem/v3-RoleCode';
  const resource = {
    resourceType: 'RelatedPerson',
    identifier: [{ system: 'https://plan.example/person', value: representativeId }],
    patient: { reference: `Patient/${patientId}` },
    relationship: [{ coding: [{ system, code: role }] }],
    name: [{ family: 'Sampleton', given: ['Mia'] }],
    birthDate,
    ...(period !== undefined && { period }),
    ...(options.email !== undefined && {
      telecom: [{ system: 'email', value: options.email }],
      address: [{ postalCode: '20001' }],
    }),
  };
  return {
    resourceType: 'Parameters',
    meta: { lastUpdated: meta('', { version }).lastUpdated },
    parameter: [{ name: 'representative', resource }],
  };
}

export function endOfRepresentative(patientId: string, representativeId: string, version = 2) {
  return {
    resourceType: 'Parameters',
    meta: { lastUpdated: meta('', { version }).lastUpdated },
    parameter: [
      { name: 'end-representative', valueIdentifier: { value: representativeId } },
      { name: 'patient', valueReference: { reference: `Patient/${patientId}` } },
    ],
  };
}
