/** Generates synthetic ExplanationOfBenefits. */

import { type CodeableConcept, concept } from '../record/codes.ts';
import type { Party } from '../record/parties.ts';
import type { PseudoRandom } from '../record/pseudo-random.ts';
import { type CarinProfile, type Draft, draft, identifier } from '../record/resource.ts';
import { amounts, money } from './adjudication.ts';
import type { Claim } from './claim.ts';
import { sumOf } from './cost-shares.ts';
import type { Diagnosis, Line } from './model.ts';

/** The elements of one kind of claim beside those of all claims. */
export interface Kind {
  readonly profile: CarinProfile;
  readonly type: CodeableConcept;
  readonly subType?: CodeableConcept;
  readonly provider: Party;
  readonly careTeam: readonly object[];
  readonly supportingInfo: readonly object[];
  readonly diagnosis?: readonly object[];
  readonly procedure?: readonly object[];
  readonly item: readonly object[];
  readonly adjudication: readonly object[];
}

/** Writes a claim as an ExplanationOfBenefit, in FHIR's order of elements. */
export function explanation(random: PseudoRandom, claim: Claim, kind: Kind): Draft {
  const {
    profile,
    type,
    subType,
    provider,
    careTeam,
    supportingInfo,
    diagnosis,
    procedure,
    item,
    adjudication,
  } = kind;
  const canceled = claim.handling === 'canceled';
  return draft(
    random,
    'ExplanationOfBenefit',
    profile,
    {
      identifier: [
        { type: concept('carinIdentifierType', 'uc', 'Claim number'), ...identifier('claim', claim.number) },
      ],
      status: canceled ? 'cancelled' : 'active',
      type,
      ...(subType === undefined ? {} : { subType }),
      use: 'claim',
      patient: { reference: `Patient/${claim.person.patientId}` },
      billablePeriod: { start: claim.start, end: claim.end },
      created: claim.decided,
      insurer: claim.parties.insurer,
      provider,
      ...related(claim),
      payee: payee(claim, provider),
      outcome: 'complete',
      ...(careTeam.length === 0 ? {} : { careTeam: careTeam.map((it, at) => ({ sequence: at + 1, ...it })) }),
      supportingInfo: [received(claim), ...supportingInfo].map((it, at) => ({ sequence: at + 1, ...it })),
      ...(diagnosis === undefined
        ? {}
        : { diagnosis: diagnosis.map((it, at) => ({ sequence: at + 1, ...it })) }),
      ...(procedure === undefined
        ? {}
        : { procedure: procedure.map((it, at) => ({ sequence: at + 1, ...it })) }),
      insurance: [{ focal: true, coverage: { reference: `Coverage/${claim.enrolment.coverage.id}` } }],
      item: item.map((it, at) => ({ sequence: at + 1, ...it })),
      adjudication,
      total: amounts(claim, claim.lines),
      payment: payment(claim),
      ...note(claim),
    },
    { known: claim.changed, changes: canceled ? 1 : 0 },
  );
}

/** The reference between a claim and its correction. */
function related({ related: other }: Claim) {
  if (other === undefined) return {};
  const relationship =
    other.as === 'prior'
      ? concept('priorClaim', 'prior', 'Corrects')
      : concept('relatedClaim', 'replacedby', 'Replaced by');
  return { related: [{ relationship, reference: identifier('claim', other.number) }] };
}

function payee(claim: Claim, provider: Party) {
  return claim.handling === 'paid to the subscriber' && claim.subscriber !== undefined
    ? { type: concept('payeeType', 'subscriber'), party: claim.subscriber }
    : { type: concept('payeeType', 'provider'), party: provider };
}

function payment(claim: Claim) {
  const benefit = sumOf(
    claim.lines.map(({ shares }) => shares),
    'benefit',
  );
  const denied = claim.handling === 'denied';
  return {
    type: concept('payerStatus', denied ? 'denied' : 'paid', denied ? 'Denied' : 'Paid'),
    date: claim.paid,
    amount: money(benefit),
  };
}

function note({ handling }: Claim) {
  const text = {
    paid: undefined,
    denied: 'This claim was decided before. You owe nothing for it.',
    'out of network': 'This provider is outside the plan’s network.',
    'paid to the subscriber':
      'This provider is outside the plan’s network. The benefit was paid to the subscriber.',
    canceled: 'The provider sent a correction; a newer claim takes the place of this one.',
  }[handling];
  return text === undefined ? {} : { processNote: [{ number: 1, type: 'display', text }] };
}

function received(claim: Claim) {
  return { category: concept('supportingInfo', 'clmrecvddate'), timingDate: claim.received };
}

/** Chart and account number of the provider, as supporting information. */
export function providersNumbers(claim: Claim) {
  return [
    { category: concept('supportingInfo', 'medicalrecordnumber'), valueString: claim.chart },
    { category: concept('supportingInfo', 'patientaccountnumber'), valueString: claim.account },
  ];
}

/**
 * The diagnoses of a claim, the principal one first.
 *
 * @param others the type that the profile gives all other diagnoses.
 */
export function diagnosesOf(diagnoses: readonly Diagnosis[], others: 'secondary' | 'other') {
  return diagnoses.map(({ code, text }, at) => ({
    diagnosisCodeableConcept: concept('icd10cm', code, text),
    type: [at === 0 ? concept('diagnosisType', 'principal') : concept('carinDiagnosisType', others)],
  }));
}

/**
 * The sequence numbers of the supporting information that a line refers to. Number 1 is the day on which the plan received the claim, so
 * that the kind's own information begins with 2.
 */
export function informationSequence(about: readonly object[]) {
  return about.length === 0 ? {} : { informationSequence: about.map((_, at) => at + 2) };
}

export function modifiers({ modifier }: Line) {
  return modifier === undefined ? {} : { modifier: [concept('hcpcs', modifier)] };
}
