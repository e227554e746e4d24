/** Table of the rules by which a matched member's resources are released to another payer, with their texts for the documentation. */

/** Years of service dates that are released. */
export const payerReleaseYears = 5;

/** Rules by name; a resource is released if all hold. `lambdas/fhir/payer/payer-content-rules.ts` enforces them in this order. */
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

/** Elements of a claim that are left out at any level. Texts are among them, because they may name amounts. */
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
