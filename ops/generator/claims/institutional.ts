/** Generates synthetic institutional claims, inpatient and outpatient. */

import { type CodeableConcept, concept } from '../record/codes.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import type { Draft } from '../record/resource.ts';
import {
  adjustmentReason,
  amounts,
  lineAdjudication,
  noteNumbers,
  statusAdjudication,
} from './adjudication.ts';
import type { Claim, SettledLine } from './claim.ts';
import { diagnosesOf, explanation, modifiers, providersNumbers } from './explanation.ts';
import type { InpatientService, OutpatientService } from './model.ts';

type HospitalClaim = Claim<InpatientService | OutpatientService>;

/** A claim for a hospital stay, paid as a whole by its MS-DRG, or by the day and line by line. */
export function inpatient(random: PseudoRandom, claim: Claim<InpatientService>): Draft {
  const { service, parties, start, end } = claim;
  return explanation(random, claim, {
    profile: 'C4BB-ExplanationOfBenefit-Inpatient-Institutional',
    type: concept('claimType', 'institutional', 'Institutional'),
    subType: concept('institutionalSubType', 'inpatient', 'Inpatient'),
    provider: parties.providers.hospital.organization,
    careTeam: careTeam(claim),
    supportingInfo: [
      { category: concept('supportingInfo', 'admissionperiod'), timingPeriod: { start, end } },
      ...bill(claim, '011'),
      coded('drg', concept('drg', service.drg)),
      ...providersNumbers(claim),
    ],
    diagnosis: diagnosesOf(service.diagnoses, 'other').map((it) => ({
      ...it,
      onAdmission: concept('presentOnAdmission', 'Y'),
    })),
    ...procedures(claim),
    item: claim.lines.map((settled) => ({
      diagnosisSequence: [1],
      revenue: concept('revenue', settled.line.revenue ?? '', settled.line.text),
      productOrService:
        settled.line.code === undefined
          ? concept('absent', 'not-applicable', 'Billed by its revenue code')
          : concept('hcpcs', settled.line.code, settled.line.text),
      ...modifiers(settled.line),
      servicedPeriod: { start, end },
      quantity: { value: settled.line.quantity ?? 1 },
      ...noteNumbers(claim),
      ...byLine(claim, settled),
    })),
    adjudication: header(claim),
  });
}

/** A claim for outpatient services of a hospital. */
export function outpatient(random: PseudoRandom, claim: Claim<OutpatientService>): Draft {
  const { service, parties } = claim;
  return explanation(random, claim, {
    profile: 'C4BB-ExplanationOfBenefit-Outpatient-Institutional',
    type: concept('claimType', 'institutional', 'Institutional'),
    subType: concept('institutionalSubType', 'outpatient', 'Outpatient'),
    provider: parties.providers.hospital.organization,
    careTeam: careTeam(claim),
    supportingInfo: [...bill(claim, '013'), ...providersNumbers(claim)],
    diagnosis: diagnosesOf(service.diagnoses, 'other'),
    item: claim.lines.map((settled) => outpatientItem(claim, settled)),
    adjudication: header(claim),
  });
}

function outpatientItem(claim: Claim<OutpatientService>, settled: SettledLine) {
  const { line } = settled;
  return {
    diagnosisSequence: [1],
    revenue: concept('revenue', line.revenue ?? ''),
    productOrService: concept('hcpcs', line.code ?? '', line.text),
    ...modifiers(line),
    servicedDate: claim.start,
    quantity: { value: line.quantity ?? 1 },
    ...noteNumbers(claim),
    ...byLine(claim, settled),
  };
}

/**
 * The adjudication of a line, if the claim is paid by line. Amounts are on the claim or on its lines, never on both, so that a sum counts
 * them once.
 */
function byLine(claim: HospitalClaim, settled: SettledLine) {
  return claim.service.paidAsWhole === true ? {} : { adjudication: lineAdjudication(claim, settled) };
}

function header(claim: HospitalClaim): readonly object[] {
  const statuses = [
    statusAdjudication(claim, 'billingnetworkstatus'),
    statusAdjudication(claim, 'benefitpaymentstatus'),
  ];
  if (claim.service.paidAsWhole !== true) return statuses;
  const reasons = claim.lines.slice(0, 1).flatMap((settled) => adjustmentReason(claim, settled));
  return [...amounts(claim, claim.lines), ...reasons, ...statuses];
}

/**
 * Codes of NUBC's lists: type of bill, point of origin 1 (from home), type of admission, discharged home. The last digit of a bill's type,
 * its frequency, is 1 (from admission to discharge), or 7 if it replaces another bill.
 */
function bill({ service, related }: HospitalClaim, facility: '011' | '013') {
  return [
    coded('typeofbill', concept('typeOfBill', `${facility}${related?.as === 'prior' ? '7' : '1'}`)),
    coded('pointoforigin', concept('pointOfOrigin', '1')),
    coded('admtype', concept('admissionType', service.emergency === true ? '1' : '3')),
    coded('discharge-status', concept('dischargeStatus', '01')),
  ];
}

function coded(category: string, code: CodeableConcept) {
  return { category: concept('supportingInfo', category), code };
}

function procedures({ service, start }: Claim<InpatientService>) {
  if (service.procedure === undefined) return {};
  const { code, text } = service.procedure;
  const type = [concept('procedureType', 'principal')];
  return { procedure: [{ type, date: start, procedureCodeableConcept: concept('icd10pcs', code, text) }] };
}

function careTeam({ service, parties }: HospitalClaim): readonly object[] {
  const doctor = parties.providers[service.doctor ?? 'hospital'].practitioner;
  if (doctor === undefined) return [];
  const { taxonomy, ...provider } = doctor;
  const roles =
    'procedure' in service && service.procedure !== undefined ? ['attending', 'operating'] : ['attending'];
  return roles.map((role) => ({
    provider,
    role: concept('carinCareTeamRole', role),
    qualification: concept('taxonomy', taxonomy),
  }));
}
