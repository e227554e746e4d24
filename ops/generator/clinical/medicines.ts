/** Generates prescriptions and dispenses from pharmacy claims. */

import type { Claim } from '../claims/claim.ts';
import type { Line } from '../claims/model.ts';
import { concept } from '../record/codes.ts';
import { daysAfter, lastMonth, monthAfter } from '../record/dates.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import type { Draft } from '../record/resource.ts';
import {
  type ClinicalRecord,
  clinical,
  coded,
  memberOf,
  quantity,
  refer,
  type Visit,
} from './clinical-record.ts';

/** RxNorm codes, by NDC, of the drugs in claims. */
const rxNorm: Readonly<Record<string, string>> = {
  '67877-512-90': '617310',
  '68180-980-01': '314076',
  '65841-028-01': '861007',
  '0088-2219-05': '847232',
  '0173-0682-20': '745679',
  '70882-114-20': '308191',
};

/** Returns the LOB's shared Medication of an NDC, and makes it with these elements if there is none yet. */
type SharedMedication = (ndc: string, elements: Readonly<Record<string, unknown>>) => Draft;

/** Text and UCUM unit of a dose, by drug form. */
const doses: Readonly<Record<string, readonly [string, string, string]>> = {
  tablets: ['Take one tablet', 'tablet', '{tbl}'],
  capsules: ['Take one capsule', 'capsule', '{capsule}'],
  inhaler: ['Breathe in one puff', 'puff', '{puff}'],
  pen: ['Inject ten units', 'unit', '[iU]'],
};

/** Dosage of a drug: once a day, for insulin ten units. */
function dosageOf(line: Line | undefined) {
  const form = Object.keys(doses).find((name) => line?.text.endsWith(name)) ?? '';
  const [words, unit, code] = doses[form] ?? ['Use one spoon', 'spoon', '{spoon}'];
  return {
    text: `${words} once a day`,
    timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd' } },
    doseAndRate: [{ doseQuantity: quantity(form === 'pen' ? 10 : 1, unit, code) }],
  };
}

/** The prescribed drug: a shared Medication if it has an RxNorm code, else the NDC. */
function medicationOf({ service }: Claim, medication: SharedMedication) {
  const [line] = service.lines;
  const ndc = line?.code ?? '';
  const known = rxNorm[ndc];
  if (known === undefined) return { medicationCodeableConcept: concept('ndc', ndc, line?.text) };
  const coding = [...coded('rxnorm', known).coding, ...concept('ndc', ndc).coding];
  return {
    medicationReference: refer(medication(ndc, { code: { coding, text: line?.text }, status: 'active' })),
  };
}

/** Whether the fills of a prescription last beyond the last month of the records. */
function isTakenStill(first: Claim, claims: readonly Claim[]): boolean {
  const drug = ({ service }: Claim) => service.lines[0]?.code;
  const later = claims.slice(claims.indexOf(first)).filter((claim) => drug(claim) === drug(first));
  const next = later.findIndex(
    ({ service }, at) => at > 0 && service.kind === 'pharmacy' && service.refill === 0,
  );
  const last = later.slice(0, next === -1 ? undefined : next).at(-1);
  if (last?.service.kind !== 'pharmacy') return false;
  return daysAfter(last.start, last.service.daysSupply) > daysAfter(`${monthAfter(lastMonth, 1)}-01`, -1);
}

export function medicinesOf(
  random: PseudoRandom,
  claims: readonly Claim[],
  visits: readonly Visit[],
  medication: SharedMedication,
): readonly ClinicalRecord[] {
  const orders = new Map<string, Draft>();
  return claims.flatMap((claim): ClinicalRecord[] => {
    const { service, handling, parties, person, start, decided } = claim;
    if (service.kind !== 'pharmacy' || handling === 'denied' || handling === 'canceled') return [];
    const medicine = medicationOf(claim, medication);
    const { practitioner, organization: practice } = parties.providers['primary care'];
    const [line] = service.lines;
    const amount = { value: line?.quantity ?? 1 };
    const fill = (order: Draft): ClinicalRecord => ({
      from: parties.providers.pharmacy.organization,
      draft: clinical(
        random,
        'MedicationDispense',
        ['us-core-medicationdispense'],
        {
          status: 'completed',
          ...medicine,
          subject: memberOf(person),
          performer: [{ actor: parties.providers.pharmacy.organization }],
          authorizingPrescription: [refer(order)],
          type: coded('actCode', service.refill === 0 ? 'FF' : 'RF'),
          quantity: amount,
          daysSupply: quantity(service.daysSupply, 'd'),
          whenHandedOver: start,
          dosageInstruction: [dosageOf(line)],
        },
        decided,
      ),
    });
    const known = service.refill > 0 ? orders.get(line?.code ?? '') : undefined;
    if (known !== undefined) return [fill(known)];
    const visit = visits.findLast(
      (each) => each.claim.start <= start && start <= daysAfter(each.claim.start, 31),
    );
    const order = clinical(
      random,
      'MedicationRequest',
      ['us-core-medicationrequest'],
      {
        status: isTakenStill(claim, claims) ? 'active' : 'completed',
        intent: 'order',
        category: [coded('prescriptionCategory', 'community', 'To be taken at home')],
        reportedBoolean: false,
        ...medicine,
        subject: memberOf(person),
        ...(visit !== undefined && { encounter: refer(visit.encounter) }),
        authoredOn: start,
        ...(practitioner !== undefined && {
          requester: { reference: practitioner.reference, display: practitioner.display },
        }),
        reasonCode: service.diagnoses.map(({ code, text }) => concept('icd10cm', code, text)),
        dosageInstruction: [dosageOf(line)],
        dispenseRequest: { numberOfRepeatsAllowed: service.refillsAuthorized, quantity: amount },
      },
      decided,
    );
    orders.set(line?.code ?? '', order);
    return [{ draft: order, from: practice }, fill(order)];
  });
}
