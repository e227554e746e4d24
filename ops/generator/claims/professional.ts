/** Generates synthetic claims of physicians, laboratories and suppliers. */

import { concept, systems } from '../record/codes.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import type { Draft } from '../record/resource.ts';
import { lineAdjudication, noteNumbers, statusAdjudication } from './adjudication.ts';
import type { Claim } from './claim.ts';
import { diagnosesOf, explanation, informationSequence, modifiers, providersNumbers } from './explanation.ts';
import type { ProfessionalService } from './model.ts';

/** A claim of a physician, laboratory or supplier. */
export function professional(random: PseudoRandom, claim: Claim<ProfessionalService>): Draft {
  const { service, parties, start } = claim;
  const { organization } = parties.providers[service.by];
  return explanation(random, claim, {
    profile: 'C4BB-ExplanationOfBenefit-Professional-NonClinician',
    type: concept('claimType', 'professional', 'Professional'),
    provider: organization,
    careTeam: careTeam(claim),
    supportingInfo: [
      ...transport(claim),
      { category: concept('supportingInfo', 'servicefacility'), valueReference: organization },
      ...providersNumbers(claim),
    ],
    diagnosis: diagnosesOf(service.diagnoses, 'secondary'),
    item: claim.lines.map((settled) => ({
      careTeamSequence: [1],
      diagnosisSequence: [1],
      ...informationSequence(transport(claim)),
      productOrService: concept('hcpcs', settled.line.code ?? '', settled.line.text),
      ...modifiers(settled.line),
      servicedDate: start,
      locationCodeableConcept: concept('placeOfService', service.place),
      quantity: { value: settled.line.quantity ?? 1 },
      ...noteNumbers(claim),
      adjudication: [...lineAdjudication(claim, settled), statusAdjudication(claim, 'benefitpaymentstatus')],
    })),
    adjudication: [
      statusAdjudication(claim, 'billingnetworkstatus'),
      statusAdjudication(claim, 'renderingnetworkstatus'),
    ],
  });
}

/** The provider who saw the member, or who referred them to the laboratory or supplier. */
function careTeam({ service, parties }: Claim<ProfessionalService>): readonly object[] {
  const own = parties.providers[service.by].practitioner;
  const doctor = own ?? parties.providers['primary care'].practitioner;
  if (doctor === undefined) return [];
  const { taxonomy, ...provider } = doctor;
  const role = own === undefined ? 'referring' : 'rendering';
  return [
    { provider, role: concept('carinCareTeamRole', role), qualification: concept('taxonomy', taxonomy) },
  ];
}

/** Supporting information that the profile requires for an ambulance transport (`roudtrippurpose` is the guide's spelling). */
function transport({ service: { ride }, person, parties }: Claim<ProfessionalService>): readonly object[] {
  if (ride === undefined) return [];
  const home = `Home, ${person.addresses.at(-1)?.place.city}`;
  const visited = parties.providers['primary care'].organization.display;
  const said = (category: string, valueString: string) => ({
    category: concept('supportingInfo', category),
    valueString,
  });
  return [
    measured('patientweight', ride.pounds, '[lb_av]'),
    {
      category: concept('supportingInfo', 'ambulancetransportreason'),
      reason: { system: systems.ambulanceReason, code: ride.reason },
    },
    measured('transportationdistance', ride.miles, '[mi_i]'),
    said('roudtrippurpose', ride.purpose),
    said('stretcherpurpose', ride.stretcher),
    said('pickuplocation', home),
    said('dropofflocation', visited),
    measured('transportationdistance', ride.miles, '[mi_i]'),
    said('pickuplocation', visited),
    said('dropofflocation', home),
  ];
}

/** Supporting information with a quantity in a UCUM unit. */
function measured(category: string, value: number, unit: string) {
  const valueQuantity = { value, unit, system: 'http://unitsofmeasure.org', code: unit };
  return { category: concept('supportingInfo', category), valueQuantity };
}
