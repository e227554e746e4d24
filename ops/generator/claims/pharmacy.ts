/** Generates synthetic pharmacy claims. */

import { type CodeableConcept, concept } from '../record/codes.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import type { Draft } from '../record/resource.ts';
import { amounts, noteNumbers, rejectReason, statusAdjudication } from './adjudication.ts';
import type { Claim } from './claim.ts';
import { explanation } from './explanation.ts';
import type { Line, PharmacyService } from './model.ts';

/** A claim for a dispensed drug. */
export function pharmacy(random: PseudoRandom, claim: Claim<PharmacyService>): Draft {
  return explanation(random, claim, {
    profile: 'C4BB-ExplanationOfBenefit-Pharmacy',
    type: concept('claimType', 'pharmacy', 'Pharmacy'),
    provider: claim.parties.providers.pharmacy.organization,
    careTeam: prescriber(claim),
    supportingInfo: prescription(claim.service),
    item: claim.lines.map((settled) => ({
      careTeamSequence: [1],
      productOrService: concept('ndc', settled.line.code ?? '', settled.line.text),
      servicedDate: claim.start,
      quantity: { value: settled.line.quantity ?? 1 },
      ...noteNumbers(claim),
      adjudication: [...amounts(claim, [settled]), ...rejectReason(claim)],
      ...ingredients(settled.line),
    })),
    adjudication: [
      statusAdjudication(claim, 'billingnetworkstatus'),
      statusAdjudication(claim, 'benefitpaymentstatus'),
    ],
  });
}

/** The ingredients of a compound drug. */
function ingredients({ ingredients: parts = [] }: Line) {
  if (parts.length === 0) return {};
  const detail = parts.map(({ code, text, quantity }, at) => ({
    sequence: at + 1,
    productOrService: concept('ndc', code, text),
    quantity: { value: quantity },
  }));
  return { detail };
}

/** Codes of NCPDP's lists: DAW 0 (no product requested), origin 3 (electronic), compound 1 (no) or 2 (yes). */
function prescription({
  daysSupply,
  refill,
  refillsAuthorized,
  brand,
  lines,
}: PharmacyService): readonly object[] {
  const compounded = lines.some((line) => line.ingredients !== undefined);
  return [
    counted('dayssupply', daysSupply),
    coded('dawcode', concept('dispensedAsWritten', '0')),
    counted('refillnum', refill),
    counted('refillsauthorized', refillsAuthorized),
    coded('brandgenericindicator', concept('brandGeneric', brand === true ? '1' : '2')),
    coded('rxorigincode', concept('prescriptionOrigin', '3')),
    coded('compoundcode', concept('compound', compounded ? '2' : '1')),
  ];
}

function counted(category: string, value: number) {
  return { category: concept('supportingInfo', category), valueQuantity: { value } };
}

function coded(category: string, code: CodeableConcept) {
  return { category: concept('supportingInfo', category), code };
}

function prescriber({ parties }: Claim): readonly object[] {
  const doctor = parties.providers['primary care'].practitioner;
  if (doctor === undefined) return [];
  const { taxonomy, ...provider } = doctor;
  return [
    {
      provider,
      role: concept('carinCareTeamRole', 'prescribing'),
      qualification: concept('taxonomy', taxonomy),
    },
  ];
}
