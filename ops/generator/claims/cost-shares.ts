/** Amounts of synthetic claims, split between plan, member and provider. */

import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ClaimKind } from './model.ts';

/**
 * A line's amount, split between the plan, the member and the provider, in whole cents: submitted = discount + noncovered + eligible;
 * eligible = benefit + deductible + copay + coinsurance; memberLiability = deductible + copay + coinsurance, plus noncovered amounts of a
 * provider outside the network.
 */
export interface Shares {
  readonly submitted: number;
  readonly discount: number;
  readonly noncovered: number;
  readonly eligible: number;
  readonly deductible: number;
  readonly copay: number;
  readonly coinsurance: number;
  readonly memberLiability: number;
  readonly benefit: number;
}

/** The member's cost share under a plan. Amounts in cents. */
interface Terms {
  readonly deductibleInYear: number;
  /** Copay of a whole claim, applied to its first lines. */
  readonly copay: Readonly<Record<ClaimKind, number>>;
  readonly coinsurancePercent: Readonly<Record<ClaimKind, number>>;
}

const none = { inpatient: 0, outpatient: 0, professional: 0, pharmacy: 0, oral: 0 } as const;
const medicaid: Terms = {
  deductibleInYear: 0,
  copay: { ...none, pharmacy: 100 },
  coinsurancePercent: none,
};

/** Invented terms that are typical of such plans: Medicaid asks for almost nothing, an exchange plan has a deductible. */
export const costSharingOf: Readonly<Record<LineOfBusiness, Terms>> = {
  CHPDC: medicaid,
  CHPMD: medicaid,
  DSNP: { deductibleInYear: 0, copay: { ...none, pharmacy: 160 }, coinsurancePercent: none },
  MAPD: {
    deductibleInYear: 0,
    copay: { inpatient: 32_500, outpatient: 9_000, professional: 1_500, pharmacy: 800, oral: 0 },
    coinsurancePercent: { ...none, oral: 20 },
  },
  MHBE: {
    deductibleInYear: 75_000,
    copay: { ...none, professional: 3_000, pharmacy: 1_500 },
    coinsurancePercent: { inpatient: 20, outpatient: 20, professional: 0, pharmacy: 0, oral: 30 },
  },
  EGWP: {
    deductibleInYear: 20_000,
    copay: { ...none, professional: 2_000, pharmacy: 1_000 },
    coinsurancePercent: { inpatient: 10, outpatient: 10, professional: 0, pharmacy: 0, oral: 20 },
  },
};

export interface Priced {
  readonly submitted: number;
  /** Amount that the plan allows; the rest is the provider's discount. */
  readonly allowed: number;
}

/** Splits the amounts of claims, which must come in the order of their dates, because a year's deductible is used up once. */
export interface Benefits {
  split(
    claim: { readonly year: string; readonly kind: ClaimKind; readonly preventive: boolean },
    lines: readonly Priced[],
  ): readonly Shares[];
}

export function createBenefits(lob: LineOfBusiness): Benefits {
  const terms = costSharingOf[lob];
  const borne = new Map<string, number>();
  return {
    split({ year, kind, preventive }, lines) {
      let copayLeft = preventive ? 0 : terms.copay[kind];
      return lines.map(({ submitted, allowed }) => {
        // Services with a copay have no deductible: drugs and visits are covered from the first day.
        const owesDeductible = !preventive && terms.copay[kind] === 0;
        const before = borne.get(year) ?? 0;
        const deductible = owesDeductible ? Math.min(terms.deductibleInYear - before, allowed) : 0;
        borne.set(year, before + deductible);
        const copay = Math.min(copayLeft, allowed - deductible);
        copayLeft -= copay;
        const percent = preventive ? 0 : terms.coinsurancePercent[kind];
        const coinsurance = Math.round(((allowed - deductible - copay) * percent) / 100);
        const memberLiability = deductible + copay + coinsurance;
        return {
          submitted,
          discount: submitted - allowed,
          noncovered: 0,
          eligible: allowed,
          deductible,
          copay,
          coinsurance,
          memberLiability,
          benefit: allowed - memberLiability,
        };
      });
    },
  };
}

/** Shares of a line that is not covered, and that the provider may not bill to the member. */
export function deniedShares(submitted: number): Shares {
  const zero = {
    discount: 0,
    eligible: 0,
    deductible: 0,
    copay: 0,
    coinsurance: 0,
    memberLiability: 0,
    benefit: 0,
  };
  return { submitted, noncovered: submitted, ...zero };
}

/** Shares of a provider outside the network, who has no agreed fee: the member owes what the plan doesn't allow. */
export function outsideNetwork(shares: Shares): Shares {
  const noncovered = shares.noncovered + shares.discount;
  return { ...shares, discount: 0, noncovered, memberLiability: shares.memberLiability + shares.discount };
}

export function sumOf(lines: readonly Shares[], share: keyof Shares): number {
  return lines.reduce((sum, line) => sum + line[share], 0);
}
