/** Synthetic laboratory results, as diagnoses and laboratory claims call for them. */

import type { Claim } from '../claims/claim.ts';
import { concept } from '../claims/codes.ts';
import { daysAfter } from '../claims/dates.ts';
import type { PseudoRandom } from '../pseudo-random.ts';
import {
  type ClinicalRecord,
  clinical,
  coded,
  decimal,
  memberOf,
  quantity,
  refer,
  type Visit,
} from './clinical-record.ts';
import { absent, observation } from './observation.ts';

/** The results that a diagnosis asks for. */
export function checksOf(random: PseudoRandom, visit: Visit): readonly ClinicalRecord[] {
  const checked = {
    'E11.9': ['4548-4', 'Hemoglobin A1c', quantity(decimal(random, 6.8, 7.9), '%')],
    'E78.5': ['13457-7', 'LDL cholesterol', quantity(random.integer(138, 172), 'mg/dL')],
  } as const;
  return visit.claim.service.diagnoses.flatMap(({ code }) => {
    if (visit.claim.service.kind !== 'professional' || !Object.hasOwn(checked, code)) return [];
    const [loinc, text, valueQuantity] = checked[code as keyof typeof checked];
    return [
      observation(random, visit, {
        profiles: ['us-core-observation-lab'],
        categories: ['laboratory'],
        code: coded('loinc', loinc, text),
        rest: { valueQuantity },
      }),
    ];
  });
}

/** A laboratory's claim for a blood count: the order of a visit, the sample, the results and the report. */
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
  // Of one blood count in four, a sample has clotted: one of its results can't be told.
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
