/** Generates synthetic dental claims. */

import { concept } from '../record/codes.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import type { Draft } from '../record/resource.ts';
import { lineAdjudication, noteNumbers, statusAdjudication } from './adjudication.ts';
import type { Claim, SettledLine } from './claim.ts';
import { diagnosesOf, explanation, informationSequence, modifiers, providersNumbers } from './explanation.ts';
import type { OralService } from './model.ts';

/** A dental claim. Its profile binds CDT, whose codes are used without its licensed descriptors. */
export function oral(random: PseudoRandom, claim: Claim<OralService>): Draft {
  const { organization, practitioner } = claim.parties.providers.dentist;
  if (practitioner === undefined) throw new Error('a dental practice without a dentist');
  const { taxonomy, ...dentist } = practitioner;
  return explanation(random, claim, {
    profile: 'C4BB-ExplanationOfBenefit-Oral',
    type: concept('claimType', 'oral', 'Dental'),
    provider: dentist,
    careTeam: [
      {
        provider: dentist,
        role: concept('carinCareTeamRole', 'rendering'),
        qualification: concept('taxonomy', taxonomy),
      },
    ],
    supportingInfo: [
      ...aboutTeeth(claim),
      { category: concept('supportingInfo', 'servicefacility'), valueReference: organization },
      ...providersNumbers(claim),
    ],
    diagnosis: diagnosesOf(claim.service.diagnoses, 'secondary'),
    item: claim.lines.map((settled) => item(claim, settled)),
    adjudication: [
      statusAdjudication(claim, 'billingnetworkstatus'),
      statusAdjudication(claim, 'renderingnetworkstatus'),
      statusAdjudication(claim, 'benefitpaymentstatus'),
    ],
  });
}

function item(claim: Claim<OralService>, settled: SettledLine) {
  const { code, text, tooth, surface, quantity } = settled.line;
  return {
    careTeamSequence: [1],
    diagnosisSequence: [1],
    ...informationSequence(aboutTeeth(claim)),
    productOrService: concept('cdt', code ?? '', text),
    ...modifiers(settled.line),
    servicedDate: claim.start,
    locationCodeableConcept: concept('placeOfService', '11'),
    quantity: { value: quantity ?? 1 },
    ...(tooth === undefined ? {} : { bodySite: concept('tooth', tooth) }),
    ...(surface === undefined ? {} : { subSite: [concept('toothSurface', surface)] }),
    ...noteNumbers(claim),
    adjudication: [...lineAdjudication(claim, settled), statusAdjudication(claim, 'benefitpaymentstatus')],
  };
}

/**
 * Supporting information about teeth: a missing tooth, a prosthesis, the further teeth it spans, and for how long an appliance will be
 * worn.
 */
function aboutTeeth({
  service: { missingTooth, bridge = [], orthodonticMonths },
}: Claim<OralService>): readonly object[] {
  const toothOf = (category: string, tooth: string) => ({
    category: concept('supportingInfo', category),
    code: concept('tooth', tooth),
  });
  return [
    ...(missingTooth === undefined ? [] : [toothOf('missingtoothnumber', missingTooth)]),
    ...(bridge.length === 0
      ? []
      : [{ category: concept('supportingInfo', 'prosthesis'), valueBoolean: true }]),
    ...bridge.map((tooth) => toothOf('additionalbodysite', tooth)),
    ...(orthodonticMonths === undefined ? [] : [orthodontics(orthodonticMonths)]),
  ];
}

function orthodontics(months: number) {
  const valueQuantity = { value: months, unit: 'months', system: 'http://unitsofmeasure.org', code: 'mo' };
  return { category: concept('supportingInfo', 'orthodontics'), valueQuantity };
}
