/** Faults that a record of the Provider Directory can have, with their texts on the public page of the truth report and on operators' pages. */
export const findingWords = {
  npi_missing: 'No NPI',
  npi_check_digit: 'NPI that is not valid',
  npi_unknown: 'NPI that is not in the national registry',
  address_incomplete: 'Address that is not complete',
  phone_missing: 'No telephone number',
  phone_implausible: 'Telephone number that is not valid',
  network_without_plan: 'Network of no plan',
  network_without_providers: 'Network without providers',
  plan_without_network: 'Plan without a network',
  provider_without_network: 'Provider without a network',
  duplicate: 'Listed twice',
  not_verified_90_days: 'Not verified in the last 90 days',
  date_of_export: 'No date of its own',
} as const;
export type FindingCode = keyof typeof findingWords;
export const findingCodes = Object.keys(findingWords) as [FindingCode, ...FindingCode[]];
