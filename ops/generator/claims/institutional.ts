import type { PseudoRandom } from '../pseudo-random.ts';
import { adjustmentReason, amounts, lineAdjudication, noteNumbers, status } from './adjudication.ts';
import type { Claim, SettledLine } from './claim.ts';
import { type CodeableConcept, concept } from './codes.ts';
import { diagnosesOf, explanation, providersNumbers } from './explanation.ts';
import type { InpatientService, OutpatientService } from './model.ts';
import type { Draft } from './resource.ts';

/** A hospital stay: its amounts stand on the whole claim, because a stay is paid by its MS-DRG and not by the line. */
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
      ...bill(claim, '0111'),
      coded('drg', concept('drg', service.drg)),
      ...providersNumbers(claim),
    ],
    diagnosis: diagnosesOf(service.diagnoses, 'other').map((it) => ({
      ...it,
      onAdmission: concept('presentOnAdmission', 'Y'),
    })),
    ...procedures(claim),
    item: claim.lines.map(({ line }) => ({
      diagnosisSequence: [1],
      revenue: concept('revenue', line.revenue ?? '', line.text),
      productOrService: concept('absent', 'not-applicable', 'Billed by its revenue code'),
      servicedPeriod: { start, end },
      quantity: { value: line.quantity ?? 1 },
      ...noteNumbers(claim),
    })),
    adjudication: [
      ...amounts(claim, claim.lines),
      ...claim.lines.slice(0, 1).flatMap((settled) => adjustmentReason(claim, settled)),
      status(claim, 'billingnetworkstatus'),
      status(claim, 'benefitpaymentstatus'),
    ],
  });
}

/** A hospital's services to somebody who doesn't stay; each line has its amounts. */
export function outpatient(random: PseudoRandom, claim: Claim<OutpatientService>): Draft {
  const { service, parties } = claim;
  return explanation(random, claim, {
    profile: 'C4BB-ExplanationOfBenefit-Outpatient-Institutional',
    type: concept('claimType', 'institutional', 'Institutional'),
    subType: concept('institutionalSubType', 'outpatient', 'Outpatient'),
    provider: parties.providers.hospital.organization,
    careTeam: careTeam(claim),
    supportingInfo: [...bill(claim, '0131'), ...providersNumbers(claim)],
    diagnosis: diagnosesOf(service.diagnoses, 'other'),
    item: claim.lines.map((settled) => outpatientItem(claim, settled)),
    adjudication: [status(claim, 'billingnetworkstatus'), status(claim, 'benefitpaymentstatus')],
  });
}

function outpatientItem(claim: Claim<OutpatientService>, settled: SettledLine) {
  const { line } = settled;
  return {
    diagnosisSequence: [1],
    revenue: concept('revenue', line.revenue ?? ''),
    productOrService: concept('hcpcs', line.code ?? '', line.text),
    servicedDate: claim.start,
    quantity: { value: line.quantity ?? 1 },
    ...noteNumbers(claim),
    adjudication: lineAdjudication(claim, settled),
  };
}

/** Of NUBC's lists: type of bill, point of origin 1 (from home), type of admission, discharged home. */
function bill({ service }: Claim<InpatientService | OutpatientService>, typeOfBill: string) {
  return [
    coded('typeofbill', concept('typeOfBill', typeOfBill)),
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

function careTeam({ service, parties }: Claim<InpatientService | OutpatientService>): readonly object[] {
  const doctor = parties.providers.hospital.practitioner;
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
