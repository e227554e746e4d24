/** Generates prior authorizations: one approved, one denied, one pending, and one whose period has ended. */

import { priorAuthorizationProfile } from '../../../lambdas/platform/kernel/prior-authorizations.ts';
import { money } from '../claims/adjudication.ts';
import type { Claim } from '../claims/claim.ts';
import type { Enrolment } from '../claims/coverage.ts';
import { concept } from '../record/codes.ts';
import { daysAfter, monthsSince } from '../record/dates.ts';
import { internalPrefix } from '../record/internal-prefix.ts';
import type { Parties, ProviderKind } from '../record/parties.ts';
import type { SyntheticPerson } from '../record/patient.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import { type Draft, draft, identifier } from '../record/resource.ts';
import { clinical, codingOf, memberOf, refer } from './clinical-record.ts';

const pdex = 'http://hl7.org/fhir/us/davinci-pdex/StructureDefinition';
const pas = 'http://hl7.org/fhir/us/davinci-pas/StructureDefinition';

/** A request for a service, with the plan's decision. */
interface Request {
  /** Code of X12 306: A1 certified, A3 not certified, A4 pended. */
  readonly decision: 'A1' | 'A3' | 'A4';
  readonly by: ProviderKind;
  /** HCPCS Level II, and X12's service type. */
  readonly service: { readonly code: string; readonly text: string; readonly kind: string };
  readonly diagnosis: { readonly code: string; readonly text: string };
  readonly units: number;
  readonly cents: number;
  /** Days between the request and the month of the seeding. */
  readonly askedBefore: number;
  /** Days from the request to the plan's decision; `days` is the length of the authorized period. */
  readonly decidedAfter: number;
  readonly days: number;
  /** Reason of a denial: X12's code, and a text worded by this project. */
  readonly reason?: { readonly code: string; readonly text: string };
}

/** Diagnosis of all requests. The member has diabetes, and the record contains the authorized care. */
const diagnosis = { code: 'E11.9', text: 'Type 2 diabetes' };

const requests: readonly Request[] = [
  {
    ...{ decision: 'A1', by: 'supplier', diagnosis },
    service: { code: 'E2103', text: 'A blood sugar monitor that is worn', kind: '12' },
    ...{ units: 1, cents: 84_000, askedBefore: 20, decidedAfter: 4, days: 365 },
  },
  {
    ...{ decision: 'A3', by: 'supplier', diagnosis },
    service: { code: 'E0784', text: 'An insulin pump that is worn', kind: '12' },
    ...{ units: 1, cents: 425_000, askedBefore: 13, decidedAfter: 6, days: 90 },
    reason: {
      code: '50',
      text: 'Not medically needed: the request does not show blood sugar values of the last two months.',
    },
  },
  {
    ...{ decision: 'A4', by: 'hospital', diagnosis },
    service: { code: 'G0270', text: 'Lessons in eating with diabetes', kind: '42' },
    ...{ units: 4, cents: 14_400, askedBefore: 1, decidedAfter: 0, days: 60 },
  },
  {
    ...{ decision: 'A1', by: 'primary care', diagnosis },
    service: { code: 'G0108', text: 'Lessons in living with diabetes', kind: '42' },
    ...{ units: 6, cents: 36_000, askedBefore: 215, decidedAfter: 2, days: 180 },
  },
];

interface Context {
  readonly person: SyntheticPerson;
  readonly parties: Parties;
  readonly enrolments: readonly Enrolment[];
  readonly claims: readonly Claim[];
  /** First day of the month of the seeding. All dates are relative to it, so that no authorization is too old to be served. */
  readonly month: string;
}

/** A request with its dates, and the units that were used in the authorized period. */
type DatedRequest = Request & { readonly asked: string; readonly decided: string; readonly used: number };

/** Generates a member's prior authorizations, each with the document that was sent with its request. */
export function priorAuthorizationsOf(random: PseudoRandom, context: Context): readonly Draft[] {
  return requests.flatMap((planned) => {
    const asked = daysAfter(context.month, -planned.askedBefore);
    const decided = daysAfter(asked, planned.decidedAfter);
    const period = { start: decided, end: daysAfter(decided, planned.days) };
    const used = unitsIn(context.claims, planned.service.code, period);
    const request = { ...planned, asked, decided, used: Math.min(used, planned.units) };
    const documents = requestDocument(random, context, request);
    return [authorization(random, context, request, documents[0]), ...documents];
  });
}

function unitsIn(
  claims: readonly Claim[],
  code: string,
  { start, end }: { readonly start: string; readonly end: string },
): number {
  return claims
    .filter((claim) => claim.handling !== 'denied' && claim.handling !== 'canceled')
    .filter((claim) => start <= claim.start && claim.start <= end)
    .flatMap(({ service }) => service.lines)
    .reduce((sum, line) => (line.code === code ? sum + (line.quantity ?? 1) : sum), 0);
}

function authorization(
  random: PseudoRandom,
  { person, parties, enrolments, month }: Context,
  request: DatedRequest,
  document: Draft | undefined,
): Draft {
  const { decision, service, diagnosis, units, cents, asked, decided, days } = request;
  const period = { start: decided, end: daysAfter(decided, days) };
  const { organization, practitioner } = parties.providers[request.by];
  const coverage = enrolments.at(-1)?.coverage;
  const number = `PA${random.digits(9)}`;
  const isPended = decision === 'A4';
  return draft(
    random,
    'ExplanationOfBenefit',
    [priorAuthorizationProfile, `${priorAuthorizationProfile}|2.2.0`],
    {
      extension: [
        {
          url: `${pdex}/extension-levelOfServiceCode`,
          valueCodeableConcept: concept('levelOfService', 'E', 'Planned care'),
        },
      ],
      identifier: [identifier('prior-authorization', number)],
      status: 'active',
      type: concept('claimType', request.by === 'hospital' ? 'institutional' : 'professional'),
      use: 'preauthorization',
      patient: memberOf(person),
      billablePeriod: { start: asked, end: period.end },
      created: decided,
      ...(practitioner !== undefined && { enterer: practitionerOrOrganization(practitioner, organization) }),
      insurer: parties.insurer,
      provider: organization,
      facility: { display: organization.display },
      priority: concept('processPriority', 'normal'),
      outcome: isPended ? 'queued' : 'complete',
      ...(decision === 'A1' && { preAuthRef: [number], preAuthRefPeriod: [period] }),
      careTeam: [
        { sequence: 1, provider: practitionerOrOrganization(practitioner, organization), responsible: true },
      ],
      ...(document !== undefined && {
        supportingInfo: [
          {
            sequence: 1,
            category: concept('priorAuthorizationInfo', 'additionalInformation', 'Sent with the request'),
            valueReference: refer(document),
          },
        ],
      }),
      diagnosis: [
        {
          sequence: 1,
          diagnosisCodeableConcept: concept('icd10cm', diagnosis.code, diagnosis.text),
          type: [concept('diagnosisType', 'principal')],
        },
      ],
      insurance: [{ focal: true, coverage: { reference: `Coverage/${coverage?.id}` } }],
      item: [
        {
          extension: [
            { url: `${pas}/extension-itemTraceNumber`, valueIdentifier: identifier('trace', `T${number}`) },
            { url: `${pas}/extension-administrationReferenceNumber`, valueString: `R${number}` },
            ...(isPended ? [] : [{ url: `${pas}/extension-itemPreAuthIssueDate`, valueDate: decided }]),
            ...(decision === 'A1' ? authorized(request, number, period, organization) : []),
          ],
          sequence: 1,
          category: concept('serviceType', service.kind),
          productOrService: concept('hcpcs', service.code, service.text),
          quantity: { value: units },
          adjudication: lineDecision(request, number, decided),
        },
      ],
      adjudication: [
        {
          extension: review(request, number, decided),
          category: concept('adjudication', 'submitted', 'Requested'),
          amount: money(cents),
        },
        ...denial(request, number, decided),
      ],
      total: totals(request),
    },
    { known: decided, changes: monthsSince(month) },
  );
}

function practitionerOrOrganization(
  practitioner: Parties['providers'][ProviderKind]['practitioner'],
  organization: Parties['insurer'],
) {
  return practitioner === undefined
    ? organization
    : { reference: practitioner.reference, display: practitioner.display };
}

/** Extensions of an approved line: period, units, price and provider. */
function authorized(
  { units, cents, service }: Request,
  number: string,
  period: { readonly start: string; readonly end: string },
  provider: Parties['insurer'],
): readonly object[] {
  const { reference, display } = provider;
  return [
    { url: `${pas}/extension-itemPreAuthPeriod`, valuePeriod: period },
    { url: `${pas}/extension-authorizationNumber`, valueString: `P${number}` },
    {
      url: `${pas}/extension-itemAuthorizedDetail`,
      extension: [
        {
          url: 'productOrServiceCode',
          valueCodeableConcept: concept('hcpcsOfRequests', service.code, service.text),
        },
        { url: 'unitPrice', valueMoney: money(Math.round(cents / units)) },
        { url: 'quantity', valueQuantity: { value: units } },
      ],
    },
    {
      url: `${pas}/extension-itemAuthorizedProvider`,
      extension: [{ url: 'provider', valueReference: { reference, display } }],
    },
  ];
}

function lineDecision(request: DatedRequest, number: string, decided: string): readonly object[] {
  const { decision, units, used } = request;
  const extension = review(request, number, decided);
  const submitted = {
    extension,
    category: concept('adjudication', 'submitted', 'Requested'),
    amount: money(request.cents),
  };
  if (decision !== 'A1') return [submitted, ...denial(request, number, decided)];
  const count = (code: 'allowedunits' | 'consumedunits', value: number) => ({
    extension,
    category: concept('priorAuthorizationDiscriminator', code),
    value,
  });
  return [submitted, count('allowedunits', units), count('consumedunits', used)];
}

function denial(request: Request, number: string, decided: string): readonly object[] {
  const { reason } = request;
  if (reason === undefined) return [];
  return [
    {
      extension: review(request, number, decided),
      category: concept('priorAuthorizationDiscriminator', 'denialreason', 'Reason'),
      reason: concept('adjustmentReason', reason.code, reason.text),
    },
  ];
}

const decisionTexts = { A1: 'Approved', A3: 'Denied', A4: 'Pending' } as const;

/** The plan's decision, with its number and date. */
function review({ decision }: Request, number: string, decided: string): readonly object[] {
  const code = concept('reviewDecision', decision, decisionTexts[decision]);
  return [
    {
      url: `${pdex}/extension-reviewAction`,
      extension: [
        ...(decision === 'A1' ? [{ url: 'number', valueString: number }] : []),
        { url: `${pdex}/extension-reviewActionCode`, valueCodeableConcept: code },
      ],
    },
    { url: `${pdex}/base-ext-when-adjudicated`, valueDateTime: `${decided}T10:00:00-05:00` },
  ];
}

function totals({ decision, units, cents, used }: DatedRequest): readonly object[] {
  const total = (code: string, amount: number, value?: number) => ({
    ...(value !== undefined && {
      extension: [{ url: `${pdex}/PriorAuthorizationUtilization`, valueQuantity: { value } }],
    }),
    category: concept('priorAuthorizationValue', code),
    amount: money(amount),
  });
  if (decision !== 'A1') return [total('submitted', cents)];
  const usedCents = Math.round((cents * used) / units);
  return [total('submitted', cents), total('eligible', cents), total('utilized', usedCents, used)];
}

/** The DocumentReference and Binary of the provider's letter for a request. */
function requestDocument(
  random: PseudoRandom,
  { person, parties, month }: Context,
  { asked, by, service, diagnosis }: DatedRequest,
): readonly [Draft, Draft] {
  const { organization } = parties.providers[by];
  const title = `Request for ${service.text.toLowerCase()}`;
  const text = `${title}\n${organization.display}, ${asked}\n\n${diagnosis.text}.\n`;
  const binary = clinical(
    random,
    'Binary',
    [],
    {
      contentType: 'text/plain',
      securityContext: memberOf(person),
      data: Buffer.from(text).toString('base64'),
    },
    asked,
    monthsSince(month),
  );
  const document = clinical(
    random,
    'DocumentReference',
    ['us-core-documentreference'],
    {
      identifier: [{ system: `${internalPrefix}/identifier/document`, value: `D${random.digits(9)}` }],
      status: 'current',
      type: { coding: [{ system: 'http://loinc.org', code: '52033-8' }], text: title },
      category: [
        {
          coding: [
            {
              system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category',
              code: 'clinical-note',
            },
          ],
        },
      ],
      subject: memberOf(person),
      date: `${asked}T09:00:00-05:00`,
      author: [organization],
      content: [
        {
          attachment: { contentType: 'text/plain', url: `Binary/${binary.id}`, title },
          format: codingOf('documentFormat', 'urn:ihe:iti:xds:2017:mimeTypeSufficient'),
        },
      ],
      context: { period: { start: asked, end: asked } },
    },
    asked,
    monthsSince(month),
  );
  return [document, binary];
}
