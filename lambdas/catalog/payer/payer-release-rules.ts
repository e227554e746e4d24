/** Table of the rules by which a matched member's resources are released to another payer, with texts for the documentation. */

/** Years of service dates that are released. */
export const payerReleaseYears = 5;

/** Rules by name. A resource is released if all hold. `lambdas/payer-access/release/withholding-rule.ts` enforces them in this order. */
export const payerReleaseRules = {
  'part-2': 'A record that 42 CFR Part 2 protects is never released.',
  sensitive:
    'Data of a sensitive category, by its codes or its label, needs a consent with the policy `#sensitive`.',
  'prior-authorization-age': 'A prior authorization is active, or has changed in the last year.',
  'prior-authorization-denied': 'A prior authorization is not denied.',
  'prior-authorization-drug': 'A prior authorization is not for a drug.',
  'service-date': `The date of service is in the last ${payerReleaseYears} years, or there is none. The date when a Condition was recorded does not count. A prior authorization has its own rule.`,
} as const;

export type PayerReleaseRule = keyof typeof payerReleaseRules;

/**
 * Rules about the amounts of claims and prior authorizations: what is released, and why.
 * `lambdas/payer-access/release/claim-without-amounts.ts` enforces them.
 */
export const payerAmountRules = {
  claim:
    'An adjudication with an amount is left out. The others stay, such as whether a line was paid and in which network.',
  'prior-authorization':
    'An adjudication with an amount stays, because it holds the decision. Its `amount`, which the profile of prior authorizations requires, is absent with the reason `masked`.',
  money: 'Money in any other element, such as a unit price, is left out with its extension.',
} as const;

/** Elements of a claim or prior authorization that are removed at any level. Texts are among them, because they may contain amounts. */
export const withheldClaimElements = [
  'total',
  'payment',
  'payee',
  'benefitBalance',
  'unitPrice',
  'net',
  'factor',
  'fundsReserve',
  'fundsReserveRequested',
  'processNote',
  'noteNumber',
  'text',
] as const;
