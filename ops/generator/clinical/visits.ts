/** Generates visits with their findings and services: encounters, conditions, procedures, vaccines. */

import type { Claim } from '../claims/claim.ts';
import type { Diagnosis } from '../claims/model.ts';
import { concept } from '../record/codes.ts';
import { daysAfter } from '../record/dates.ts';
import type { Parties, Party } from '../record/parties.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import { type Draft, identifier } from '../record/resource.ts';
import {
  type ClinicalRecord,
  clinical,
  coded,
  codingOf,
  memberOf,
  refer,
  type Visit,
} from './clinical-record.ts';

/** The provider of a visit; undefined for a claim that accompanies another claim's visit. */
export function visitProvider({ service, parties, handling }: Claim) {
  if (handling === 'denied' || handling === 'canceled') return undefined;
  if (service.kind === 'inpatient' || service.kind === 'outpatient') return parties.providers.hospital;
  if (service.kind !== 'professional') return undefined;
  const isVisit = service.by === 'primary care' || service.by === 'urgent care';
  return isVisit ? parties.providers[service.by] : undefined;
}

export function visitOf(
  random: PseudoRandom,
  claim: Claim,
  { organization, practitioner }: Parties['providers']['hospital'],
  location: Draft,
  problem: Draft | undefined,
  onsets: Visit['onsets'],
): Visit {
  const { service, person, start, end, decided, account } = claim;
  const kind = kindOf(claim);
  const doctor: Party | undefined = practitioner && {
    reference: practitioner.reference,
    display: practitioner.display,
  };
  const encounter = clinical(
    random,
    'Encounter',
    ['us-core-encounter'],
    {
      identifier: [identifier('visit', account)],
      status: 'finished',
      class: codingOf('actCode', kind.class),
      type: [coded('snomed', kind.type, kind.text)],
      subject: memberOf(person),
      ...(doctor !== undefined && {
        participant: [{ type: [coded('participation', 'PPRF')], period: { start, end }, individual: doctor }],
      }),
      period: { start, end },
      reasonCode: service.diagnoses.slice(0, 1).map(({ code, text }) => concept('icd10cm', code, text)),
      ...(problem !== undefined && { reasonReference: [refer(problem)] }),
      ...(service.kind === 'inpatient' && {
        hospitalization: { dischargeDisposition: coded('dischargeDisposition', 'home', 'Home') },
      }),
      location: [{ location: refer(location) }],
      serviceProvider: organization,
    },
    decided,
  );
  return { claim, encounter, organization, practitioner: doctor, onsets };
}

function kindOf({ service }: Claim): {
  readonly class: string;
  readonly type: string;
  readonly text: string;
} {
  if (service.kind === 'inpatient') return { class: 'IMP', type: '32485007', text: 'Hospital stay' };
  const isEmergency = service.kind === 'outpatient' && service.emergency === true;
  return isEmergency
    ? { class: 'EMER', type: '4525004', text: 'Emergency department visit' }
    : { class: 'AMB', type: '308335008', text: 'Visit' };
}

/** Chronic diseases (ICD-10-CM), and a disease that lasts until the operation that ends it (ICD-10-PCS). */
const chronic: readonly string[] = ['E78.5', 'I10', 'E11.9'];
const untilOperated: Readonly<Record<string, string>> = { 'M17.11': '0SRC0J9' };
/** Days for which a worn joint has hurt before it is replaced, and days until it is healed. */
const [hurtsBefore, healsWithin] = [730, 90];
/** Whether a code of ICD-10-CM is a disease; codes that begin with Z are reasons for care. */
const isDisease = ({ code }: Diagnosis) => !code.startsWith('Z');

/** The first day on which a claim has each diagnosis. */
export function onsetsOf(visits: readonly Pick<Visit, 'claim'>[]): ReadonlyMap<string, string> {
  const onsets = new Map<string, string>();
  for (const { claim } of visits) {
    for (const { code } of claim.service.diagnoses) if (!onsets.has(code)) onsets.set(code, claim.start);
  }
  return onsets;
}

/** The diagnoses of a visit; acute ones end two weeks later. */
export function visitDiagnoses(random: PseudoRandom, visit: Visit): readonly ClinicalRecord[] {
  const { claim, encounter, organization } = visit;
  return claim.service.diagnoses.filter(isDisease).map(({ code, text }) => {
    const over = !chronic.includes(code);
    const healed = daysAfter(claim.start, code in untilOperated ? healsWithin : 14);
    const draft = clinical(
      random,
      'Condition',
      ['us-core-condition-encounter-diagnosis'],
      {
        extension: [asserted(claim.start)],
        clinicalStatus: coded('conditionStatus', over ? 'resolved' : 'active'),
        verificationStatus: coded('conditionVerification', 'confirmed'),
        category: [coded('conditionCategory', 'encounter-diagnosis', 'Diagnosis of a visit')],
        code: concept('icd10cm', code, text),
        subject: memberOf(claim.person),
        encounter: refer(encounter),
        onsetDateTime: claim.start,
        ...(over && { abatementDateTime: healed }),
        recordedDate: claim.start,
      },
      claim.decided,
    );
    return { draft, from: organization };
  });
}

function asserted(valueDateTime: string) {
  return { url: 'http://hl7.org/fhir/StructureDefinition/condition-assertedDate', valueDateTime };
}

/** Chronic diseases, each as one Condition that begins with the first visit for it. */
export function problemsOf(
  random: PseudoRandom,
  visits: readonly Pick<Visit, 'claim' | 'organization'>[],
): readonly ClinicalRecord[] {
  const seen = new Set<string>();
  return visits.flatMap(({ claim, organization }) =>
    claim.service.diagnoses.flatMap(({ code, text }): ClinicalRecord[] => {
      const operation = untilOperated[code];
      if ((!chronic.includes(code) && operation === undefined) || seen.has(code)) return [];
      seen.add(code);
      const operated = visits.find((each) => procedureOf(each.claim) === operation)?.claim.start;
      const over = operation === undefined ? undefined : operated;
      const draft = clinical(
        random,
        'Condition',
        ['us-core-condition-problems-health-concerns'],
        {
          extension: [asserted(claim.start)],
          clinicalStatus: coded('conditionStatus', over === undefined ? 'active' : 'resolved'),
          verificationStatus: coded('conditionVerification', 'confirmed'),
          category: [coded('conditionCategory', 'problem-list-item', 'Problem list item')],
          code: concept('icd10cm', code, text),
          subject: memberOf(claim.person),
          onsetDateTime: over === undefined ? claim.start : daysAfter(claim.start, -hurtsBefore),
          ...(over !== undefined && { abatementDateTime: daysAfter(over, healsWithin) }),
          recordedDate: claim.start,
        },
        claim.decided,
      );
      return [{ draft, from: organization }];
    }),
  );
}

function procedureOf({ service }: Claim): string | undefined {
  return service.kind === 'inpatient' ? service.procedure?.code : undefined;
}

/** HCPCS codes of procedures: a colonoscopy, and a diabetic's yearly examinations of eyes and feet. */
const doneAs: readonly string[] = ['G0121', 'S3000', 'S0390'];

/** The operations and examinations that were billed, and implanted devices. */
export function proceduresOf(random: PseudoRandom, visit: Visit): readonly ClinicalRecord[] {
  const { claim, encounter, organization, practitioner } = visit;
  const { service, person, start, decided } = claim;
  const done = [
    ...(service.kind === 'inpatient' && service.procedure !== undefined
      ? [concept('icd10pcs', service.procedure.code, service.procedure.text)]
      : []),
    ...service.lines.flatMap(({ code = '', text }) =>
      doneAs.includes(code) ? [concept('hcpcs', code, text)] : [],
    ),
  ];
  const implant = service.lines.find(({ code }) => code === 'C1776');
  const drafts = [
    ...done.map((code) =>
      clinical(
        random,
        'Procedure',
        ['us-core-procedure'],
        {
          status: 'completed',
          code,
          subject: memberOf(person),
          encounter: refer(encounter),
          performedDateTime: start,
          ...(practitioner !== undefined && { performer: [{ actor: practitioner }] }),
        },
        decided,
      ),
    ),
    ...(implant === undefined
      ? []
      : [
          clinical(
            random,
            'Device',
            ['us-core-implantable-device'],
            {
              ...implanted(random, start),
              type: concept('hcpcs', implant.code ?? '', implant.text),
              patient: memberOf(person),
            },
            decided,
          ),
        ]),
  ];
  return drafts.map((draft) => ({ draft, from: organization }));
}

/** Label of an implanted device: made two years earlier, valid for eight more. Its identifier belongs to no company. */
function implanted(random: PseudoRandom, day: string) {
  const [deviceIdentifier, lot, serial] = ['00000000000017', `LOT${random.digits(6)}`, random.digits(10)];
  const [made, expires] = [daysAfter(day, -730), daysAfter(day, 2_920)];
  const short = (date: string) => date.slice(2).replaceAll('-', '');
  return {
    udiCarrier: [
      {
        deviceIdentifier,
        carrierHRF: `(01)${deviceIdentifier}(11)${short(made)}(17)${short(expires)}(10)${lot}(21)${serial}`,
      },
    ],
    status: 'active',
    distinctIdentifier: `${lot}-${serial}`,
    manufactureDate: made,
    expirationDate: expires,
    lotNumber: lot,
    serialNumber: serial,
  };
}

/** The flu vaccines given at yearly visits. */
export function vaccinesOf(random: PseudoRandom, visit: Visit, location: Draft): readonly ClinicalRecord[] {
  const { claim, encounter, organization } = visit;
  if (!claim.service.lines.some(({ code }) => code === 'G0008')) return [];
  const draft = clinical(
    random,
    'Immunization',
    ['us-core-immunization'],
    {
      status: 'completed',
      vaccineCode: coded('cvx', '88', 'Flu vaccine'),
      patient: memberOf(claim.person),
      encounter: refer(encounter),
      occurrenceDateTime: claim.start,
      primarySource: true,
      location: refer(location),
    },
    claim.decided,
  );
  return [{ draft, from: organization }];
}
