import { describe, expect, it } from 'vitest';
import { lineOfBusinessCodes } from '../../../../lambdas/catalog/lines-of-business.ts';
import {
  costSharingOf,
  createBenefits,
  deniedShares,
  outsideNetwork,
} from '../../../../ops/generator/claims/cost-shares.ts';
import { codeOf, everybody, everyClaim, kindOf, ofType, type Resource } from './everybody.ts';

/** Cents by category of adjudication; 0 for an absent category. */
function centsOf(adjudication: readonly Resource[]) {
  const amounts = new Map<string, number>();
  for (const { category, amount } of adjudication) {
    if (amount === undefined) continue;
    expect(amounts.has(codeOf(category))).toBe(false);
    expect(amount.currency).toBe('USD');
    amounts.set(codeOf(category), Math.round(amount.value * 100));
  }
  return (category: string) => amounts.get(category) ?? 0;
}

function isPaidAsWhole(claim: Resource): boolean {
  return claim.adjudication.some(({ amount }: Resource) => amount !== undefined);
}

/** The adjudications of a claim's lines, or of the claim itself if its lines have none. */
function parts(claim: Resource): readonly ReturnType<typeof centsOf>[] {
  return isPaidAsWhole(claim)
    ? [centsOf(claim.adjudication)]
    : claim.item.map(({ adjudication }: Resource) => centsOf(adjudication));
}

const categories = [
  'submitted',
  'discount',
  'noncovered',
  'eligible',
  'deductible',
  'copay',
  'coinsurance',
  'memberliability',
  'benefit',
  'paidtoprovider',
  'paidtopatient',
  'paidbypatient',
];

describe("a synthetic claim's amounts", () => {
  it.each(everybody)('add up to the total, category by category: $who', (member) => {
    for (const claim of ofType(member, 'ExplanationOfBenefit')) {
      const total = centsOf(claim.total);
      for (const category of categories) {
        const sum = parts(claim).reduce((cents, part) => cents + part(category), 0);
        expect({ category, cents: total(category) }).toEqual({ category, cents: sum });
      }
      const known = new Set(categories);
      expect(
        claim.total
          .map(({ category }: Resource) => codeOf(category))
          .filter((code: string) => !known.has(code)),
      ).toEqual([]);
    }
  });

  it.each(everybody)('leave nothing unaccounted for, line by line: $who', (member) => {
    for (const claim of ofType(member, 'ExplanationOfBenefit')) {
      const outside =
        codeOf(
          claim.adjudication.find((it: Resource) => codeOf(it.category) === 'billingnetworkstatus').reason,
        ) === 'outofnetwork';
      for (const part of [...parts(claim), centsOf(claim.total)]) {
        const shared = part('deductible') + part('copay') + part('coinsurance');
        expect(part('submitted')).toBeGreaterThan(0);
        expect(part('submitted')).toBe(part('discount') + part('noncovered') + part('eligible'));
        expect(part('eligible')).toBe(part('benefit') + shared);
        expect(part('memberliability')).toBe(shared + (outside ? part('noncovered') : 0));
        expect(part('benefit')).toBe(part('paidtoprovider') + part('paidtopatient'));
        for (const category of categories) expect(part(category)).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it.each(everybody)('are paid as they were decided: $who', (member) => {
    for (const claim of ofType(member, 'ExplanationOfBenefit')) {
      const total = centsOf(claim.total);
      expect(Math.round(claim.payment.amount.value * 100)).toBe(total('benefit'));
      expect(codeOf(claim.payment.type)).toBe(total('eligible') === 0 ? 'denied' : 'paid');
      const toSubscriber = codeOf(claim.payee.type) === 'subscriber';
      expect(total(toSubscriber ? 'paidtoprovider' : 'paidtopatient')).toBe(0);
      if (total('eligible') === 0) expect(total('memberliability')).toBe(0);
      const atTheCounter = kindOf(claim) === 'Pharmacy' ? total('memberliability') : 0;
      expect(total('paidbypatient')).toBe(atTheCounter);
    }
  });

  it('stand on the lines, or on the whole of a hospital’s claim, and never on both', () => {
    for (const { claim } of everyClaim) {
      const onHeader = isPaidAsWhole(claim);
      const onLines = claim.item.filter(({ adjudication }: Resource) =>
        adjudication?.some(({ amount }: Resource) => amount),
      );
      if (onHeader) expect(kindOf(claim)).toMatch(/-Institutional$/);
      expect(onLines).toHaveLength(onHeader ? 0 : claim.item.length);
    }
    for (const kind of ['Inpatient-Institutional', 'Outpatient-Institutional']) {
      const ways = everyClaim
        .filter(({ claim }) => kindOf(claim) === kind)
        .map(({ claim }) => isPaidAsWhole(claim));
      expect(new Set(ways)).toEqual(new Set([true, false]));
    }
  });
});

describe('the deductible', () => {
  it('is borne once a year, in the order of the services, and by nobody for prevention', () => {
    const benefits = createBenefits('MHBE');
    const hospital = { year: '2024', kind: 'inpatient', preventive: false } as const;
    const [first, second] = benefits.split(hospital, [
      { submitted: 100_000, allowed: 50_000 },
      { submitted: 100_000, allowed: 50_000 },
    ]);
    expect(first).toMatchObject({ deductible: 50_000, coinsurance: 0, benefit: 0, memberLiability: 50_000 });
    expect(second).toMatchObject({
      deductible: 25_000,
      coinsurance: 5_000,
      benefit: 20_000,
      memberLiability: 30_000,
    });
    expect(benefits.split(hospital, [{ submitted: 10_000, allowed: 10_000 }])).toMatchObject([
      { deductible: 0 },
    ]);
    const next = { ...hospital, year: '2025' };
    expect(benefits.split({ ...next, preventive: true }, [{ submitted: 9, allowed: 9 }])).toMatchObject([
      { memberLiability: 0 },
    ]);
    expect(benefits.split(next, [{ submitted: 9, allowed: 9 }])).toMatchObject([{ deductible: 9 }]);
  });

  it('is exceeded by no member in a year', () => {
    const borne = new Map<string, number>();
    for (const { claim, member } of everyClaim) {
      if (claim.status === 'cancelled') continue;
      const year = `${member.who} ${claim.billablePeriod.start.slice(0, 4)}`;
      borne.set(year, (borne.get(year) ?? 0) + centsOf(claim.total)('deductible'));
    }
    for (const lob of lineOfBusinessCodes) {
      const of = [...borne].filter(([year]) => year.includes(lob)).map(([, cents]) => cents);
      expect(Math.max(...of)).toBeLessThanOrEqual(costSharingOf[lob].deductibleInYear);
    }
    expect([...borne.values()].some((cents) => cents > 0)).toBe(true);
  });
});

describe('a line that isn’t paid as billed', () => {
  it('costs the member nothing where the claim came twice, and the difference outside the network', () => {
    expect(deniedShares(500)).toMatchObject({
      submitted: 500,
      noncovered: 500,
      eligible: 0,
      memberLiability: 0,
      benefit: 0,
    });
    const [inside] = createBenefits('EGWP').split({ year: '2024', kind: 'professional', preventive: false }, [
      { submitted: 10_000, allowed: 6_000 },
    ]);
    if (inside === undefined) throw new Error('no line');
    expect(inside).toMatchObject({ discount: 4_000, copay: 2_000, memberLiability: 2_000 });
    expect(outsideNetwork(inside)).toMatchObject({
      discount: 0,
      noncovered: 4_000,
      memberLiability: 6_000,
      benefit: 4_000,
    });
  });
});
