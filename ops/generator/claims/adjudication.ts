/** Amounts and reasons in the adjudication of synthetic claims and their lines. */

import { type CodeableConcept, concept } from '../record/codes.ts';
import type { Claim, SettledLine } from './claim.ts';
import { type Shares, sumOf } from './cost-shares.ts';

/** Converts cents to FHIR Money. */
export function money(cents: number) {
  return { value: cents / 100, currency: 'USD' };
}

interface Amount {
  readonly category: CodeableConcept;
  readonly amount: ReturnType<typeof money>;
}

/**
 * Adjudication categories, in the order in which they add up, each with the amount it takes. Zero amounts are left out, except for the
 * categories in `always`.
 */
const categories = [
  { share: 'submitted', system: 'adjudication', code: 'submitted', text: 'Billed', always: true },
  { share: 'discount', system: 'carinAdjudication', code: 'discount', text: 'Discount' },
  { share: 'noncovered', system: 'carinAdjudication', code: 'noncovered', text: 'Not covered' },
  { share: 'eligible', system: 'adjudication', code: 'eligible', text: 'Allowed', always: true },
  { share: 'deductible', system: 'adjudication', code: 'deductible', text: 'Deductible' },
  { share: 'copay', system: 'adjudication', code: 'copay', text: 'Copay' },
  { share: 'coinsurance', system: 'carinAdjudication', code: 'coinsurance', text: 'Coinsurance' },
  {
    share: 'memberLiability',
    system: 'carinAdjudication',
    code: 'memberliability',
    text: 'Member owes',
    always: true,
  },
  { share: 'benefit', system: 'adjudication', code: 'benefit', text: 'Benefit', always: true },
] as const satisfies readonly {
  readonly share: keyof Shares;
  readonly system: 'adjudication' | 'carinAdjudication';
  readonly code: string;
  readonly text: string;
  readonly always?: true;
}[];

/** Amounts by who received or paid them; `paidbypatient` is what a member paid at the pharmacy. */
function payments(claim: Claim, benefit: number, memberLiability: number): readonly Amount[] {
  const toPatient = claim.handling === 'paid to the subscriber';
  const amounts = [
    {
      category: concept(
        'carinAdjudication',
        toPatient ? 'paidtopatient' : 'paidtoprovider',
        toPatient ? 'Paid to the member' : 'Paid to the provider',
      ),
      amount: money(benefit),
    },
  ];
  if (claim.service.kind !== 'pharmacy') return amounts;
  return [
    ...amounts,
    {
      category: concept('carinAdjudication', 'paidbypatient', 'Paid by the member'),
      amount: money(memberLiability),
    },
  ];
}

/** Sums the amounts of some lines: of one line, or of all for the header and the total. */
export function amounts(claim: Claim, lines: readonly SettledLine[]): readonly Amount[] {
  const sum = (share: keyof Shares): number =>
    sumOf(
      lines.map(({ shares }) => shares),
      share,
    );
  const shown = categories.filter(
    ({ share, ...rest }) => 'always' in rest || claim.lines.some(({ shares }) => shares[share] > 0),
  );
  return [
    ...shown.map(({ share, system, code, text }) => ({
      category: concept(system, code, text),
      amount: money(sum(share)),
    })),
    ...payments(claim, sum('benefit'), sum('memberLiability')),
  ];
}

/** The reason for allowing less than the billed amount, as a code of X12's list. */
export function adjustmentReason(claim: Claim, { shares }: SettledLine) {
  if (shares.discount + shares.noncovered === 0) return [];
  return [{ category: concept('discriminator', 'adjustmentreason'), reason: reasonOf(claim) }];
}

function reasonOf(claim: Claim): CodeableConcept {
  if (claim.handling === 'denied')
    return concept('adjustmentReason', '18', 'The same claim was decided before');
  return networkStatus(claim) === 'outofnetwork'
    ? concept('adjustmentReason', '242', 'Outside the plan’s network')
    : concept('adjustmentReason', '45', 'More than the fee agreed');
}

/** The adjudication of a line: amounts, adjustment reason and allowed units. A pharmacy's line has amounts only. */
export function lineAdjudication(claim: Claim, settled: SettledLine): readonly object[] {
  return [...amounts(claim, [settled]), ...adjustmentReason(claim, settled), allowedUnits(claim, settled)];
}

/** The reject reason of a pharmacy claim, as a code of NCPDP's list. */
export function rejectReason({ handling }: Claim): readonly object[] {
  if (handling !== 'denied') return [];
  const reason = concept('rejectReason', '83', 'The same claim was paid before');
  return [{ category: concept('discriminator', 'rejectreason'), reason }];
}

/** The number of allowed units. */
function allowedUnits({ handling }: Claim, { line }: SettledLine) {
  const value = handling === 'denied' ? 0 : (line.quantity ?? 1);
  return { category: concept('discriminator', 'allowedunits'), value };
}

/** Note numbers of a line: each line refers to the claim's note, if there is one. */
export function noteNumbers({ handling }: Claim) {
  return handling === 'paid' ? {} : { noteNumber: [1] };
}

export function networkStatus(claim: Claim): 'innetwork' | 'outofnetwork' {
  return claim.handling === 'out of network' || claim.handling === 'paid to the subscriber'
    ? 'outofnetwork'
    : 'innetwork';
}

/** The network status of a header or a line. */
export function statusAdjudication(
  claim: Claim,
  discriminator: 'benefitpaymentstatus' | 'billingnetworkstatus' | 'renderingnetworkstatus',
) {
  const code = networkStatus(claim);
  const text = code === 'innetwork' ? 'In the plan’s network' : 'Outside the plan’s network';
  return { category: concept('discriminator', discriminator), reason: concept('payerStatus', code, text) };
}
