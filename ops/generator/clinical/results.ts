/** Generates laboratory results for diagnoses and laboratory claims. */

import type { Claim } from '../claims/claim.ts';
import { concept } from '../record/codes.ts';
import { daysAfter } from '../record/dates.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import {
  type ClinicalRecord,
  clinical,
  coded,
  decimal,
  isSettled,
  memberOf,
  quantity,
  refer,
  type Visit,
} from './clinical-record.ts';
import { absent, observation } from './observation.ts';

/** A result that a diagnosis requires: the value when the disease is found, and the value after treatment. */
interface Check {
  readonly code: string;
  readonly loinc: string;
  readonly text: string;
  readonly unit: string;
  readonly found: readonly [number, number];
  readonly settled: readonly [number, number];
  /**
   * HCPCS code of the claim line that the result belongs to.
   *
   * @default any visit
   */
  readonly line?: string;
}

const checks: readonly Check[] = [
  {
    ...{ code: 'E11.9', loinc: '4548-4', text: 'Hemoglobin A1c', unit: '%' },
    ...{ found: [7.6, 8.8], settled: [6.2, 6.9] },
  },
  {
    ...{ code: 'E78.5', loinc: '13457-7', text: 'LDL cholesterol', unit: 'mg/dL' },
    ...{ found: [142, 172], settled: [68, 98] },
  },
  {
    ...{ code: 'E11.9', loinc: '9318-7', text: 'Albumin in urine, by creatinine', unit: 'mg/g' },
    ...{ found: [8, 24], settled: [6, 22], line: 'S3000' },
  },
];

/** The results that a visit's diagnoses require; values improve with treatment. */
export function checksOf(random: PseudoRandom, visit: Visit): readonly ClinicalRecord[] {
  const { service } = visit.claim;
  if (service.kind !== 'professional' || service.by !== 'primary care') return [];
  return checks.flatMap(({ code, loinc, text, unit, found, settled, line }) => {
    const isAsked = service.diagnoses.some((diagnosis) => diagnosis.code === code);
    if (!isAsked || (line !== undefined && service.lines.every((each) => each.code !== line))) return [];
    const [least, most] = isSettled(visit, code) ? settled : found;
    const value = Number.isInteger(least) ? random.integer(least, most) : decimal(random, least, most);
    const result = (of: object, rest: Readonly<Record<string, unknown>>) =>
      observation(random, visit, {
        ...{ profiles: ['us-core-observation-lab'], categories: ['laboratory'], code: of, rest },
      });
    const measured = result(coded('loinc', loinc, text), { valueQuantity: quantity(value, unit) });
    return line === undefined ? [measured] : [measured, result(...noKetones)];
  });
}

/** A coded result: ketones of a urine strip, at the yearly examination. */
const noKetones = [
  coded('loinc', '2514-8', 'Ketones in urine, by test strip'),
  { valueCodeableConcept: coded('snomed', '260385009', 'Negative') },
] as const;

/** The records of a laboratory claim for a blood count: order, specimen, results and report. */
export function bloodCountOf(
  random: PseudoRandom,
  claim: Claim,
  visits: readonly Visit[],
): readonly ClinicalRecord[] {
  const { service, parties, person, start, decided } = claim;
  const [line] = service.lines;
  if (service.kind !== 'professional' || service.by !== 'laboratory' || line === undefined) return [];
  const { organization } = parties.providers.laboratory;
  const { practitioner: doctor, organization: practice } = parties.providers['primary care'];
  const requester = doctor && { reference: doctor.reference, display: doctor.display };
  const code = concept('hcpcs', line.code ?? '', line.text);
  const visit = visits.findLast(
    (each) => each.claim.start <= start && start <= daysAfter(each.claim.start, 3),
  );
  const encounter = visit && { encounter: refer(visit.encounter) };
  const order = clinical(
    random,
    'ServiceRequest',
    ['us-core-servicerequest'],
    {
      status: 'completed',
      intent: 'order',
      category: [coded('snomed', '108252007', 'Laboratory')],
      code,
      subject: memberOf(person),
      ...encounter,
      occurrenceDateTime: start,
      authoredOn: start,
      ...(requester !== undefined && { requester }),
    },
    decided,
  );
  const specimen = clinical(
    random,
    'Specimen',
    ['us-core-specimen'],
    {
      type: coded('snomed', '119297000', 'Blood'),
      subject: memberOf(person),
      collection: { collectedDateTime: start },
    },
    decided,
  );
  // One blood count in four has a clotted specimen, so that one result is missing.
  const unusable = random.integer(0, 3) + 2;
  const results = (
    [
      ['718-7', 'Hemoglobin', quantity(decimal(random, 12.4, 15.8), 'g/dL')],
      ['6690-2', 'White blood cells', quantity(decimal(random, 4.6, 9.8), '10*3/uL')],
      ['777-3', 'Platelets', quantity(random.integer(172, 340), '10*3/uL')],
    ] as const
  ).map(([loinc, text, valueQuantity], at) =>
    observation(
      random,
      { claim, organization },
      {
        profiles: ['us-core-observation-lab'],
        categories: ['laboratory'],
        code: coded('loinc', loinc, text),
        rest: { ...(at === unusable ? absent('error') : { valueQuantity }), specimen: refer(specimen) },
      },
    ),
  );
  const report = clinical(
    random,
    'DiagnosticReport',
    ['us-core-diagnosticreport-lab'],
    {
      basedOn: [refer(order)],
      status: 'final',
      category: [coded('diagnosticService', 'LAB', 'Laboratory')],
      code: coded('loinc', '58410-2', 'Blood count'),
      subject: memberOf(person),
      ...encounter,
      effectiveDateTime: start,
      issued: `${start}T20:15:00-05:00`,
      performer: [organization],
      specimen: [refer(specimen)],
      result: results.map(({ draft }) => refer(draft)),
    },
    decided,
  );
  return [
    { draft: order, from: practice },
    ...[specimen, report].map((draft) => ({ draft, from: organization })),
    ...results,
  ];
}
