import type { PseudoRandom } from '../pseudo-random.ts';
import { lineAdjudication, noteNumbers, status } from './adjudication.ts';
import type { Claim } from './claim.ts';
import { concept } from './codes.ts';
import { diagnosesOf, explanation, providersNumbers } from './explanation.ts';
import type { Line, ProfessionalService } from './model.ts';
import type { Draft } from './resource.ts';

/** A doctor's, laboratory's or supplier's claim. */
export function professional(random: PseudoRandom, claim: Claim<ProfessionalService>): Draft {
  const { service, parties, start } = claim;
  const { organization } = parties.providers[service.by];
  return explanation(random, claim, {
    profile: 'C4BB-ExplanationOfBenefit-Professional-NonClinician',
    type: concept('claimType', 'professional', 'Professional'),
    provider: organization,
    careTeam: careTeam(claim),
    supportingInfo: [
      { category: concept('supportingInfo', 'servicefacility'), valueReference: organization },
      ...providersNumbers(claim),
    ],
    diagnosis: diagnosesOf(service.diagnoses, 'secondary'),
    item: claim.lines.map((settled) => ({
      careTeamSequence: [1],
      diagnosisSequence: [1],
      productOrService: concept('hcpcs', settled.line.code ?? '', settled.line.text),
      ...modifier(settled.line),
      servicedDate: start,
      locationCodeableConcept: concept('placeOfService', service.place),
      quantity: { value: settled.line.quantity ?? 1 },
      ...noteNumbers(claim),
      adjudication: [...lineAdjudication(claim, settled), status(claim, 'benefitpaymentstatus')],
    })),
    adjudication: [status(claim, 'billingnetworkstatus'), status(claim, 'renderingnetworkstatus')],
  });
}

function modifier({ modifier: code }: Line) {
  return code === undefined ? {} : { modifier: [concept('hcpcs', code)] };
}

/** Who saw the member, or who sent them to the laboratory or supplier. */
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
