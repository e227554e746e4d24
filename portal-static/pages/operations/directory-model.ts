/** Texts of what is to fix in a provider directory: the rule behind each fault, and one sentence about a directory. */

import type { FindingCode } from '../../../lambdas/catalog/fhir/directory-findings.ts';
import type { DirectoryToFixView } from '../../../lambdas/portal/api/directory-views.ts';

/** The rule that a fault breaks, and where it is published. */
interface Rule {
  readonly text: string;
  readonly source: string;
  readonly href: string;
}

const npi = {
  source: '45 CFR 162.406',
  href: 'https://www.ecfr.gov/current/title-45/section-162.406',
} as const;
const directoryContent = {
  source: '42 CFR 422.120',
  href: 'https://www.ecfr.gov/current/title-42/section-422.120',
} as const;
const verification = {
  source: '42 U.S.C. 300gg-115',
  href: 'https://www.law.cornell.edu/uscode/text/42/300gg-115',
} as const;
const planNet = (profile: string) => ({
  source: `Plan-Net ${profile}`,
  href: `https://hl7.org/fhir/us/davinci-pdex-plan-net/STU1.1/StructureDefinition-plannet-${profile}.html`,
});

export const faultRules: Readonly<Record<FindingCode, Rule>> = {
  npi_missing: { text: 'A practitioner has a National Provider Identifier.', ...npi },
  npi_check_digit: { text: 'An NPI has ten digits; the last one is a check digit.', ...npi },
  npi_unknown: {
    text: 'An NPI is in the national registry.',
    source: 'NPPES files',
    href: 'https://download.cms.gov/nppes/NPI_Files.html',
  },
  address_incomplete: {
    text: 'A place has a street, a city, a state and a ZIP code.',
    ...directoryContent,
  },
  phone_missing: { text: 'A place has a telephone number.', ...directoryContent },
  phone_implausible: { text: 'A telephone number has an area code and seven digits.', ...directoryContent },
  network_without_plan: { text: 'A plan names its networks.', ...planNet('InsurancePlan') },
  network_without_providers: { text: 'A network has providers.', ...planNet('Network') },
  plan_without_network: { text: 'A plan names its networks.', ...planNet('InsurancePlan') },
  provider_without_network: { text: 'A role names its networks.', ...planNet('PractitionerRole') },
  duplicate: {
    text: 'A person, a place or a role is listed once.',
    source: 'Plan-Net',
    href: 'https://hl7.org/fhir/us/davinci-pdex-plan-net/STU1.1/',
  },
  not_verified_90_days: { text: 'A record is verified every 90 days.', ...verification },
  date_of_export: {
    text: 'meta.lastUpdated is the time of the last verification, not of an export.',
    ...verification,
  },
};

/** The findings of a directory, those with most records first. */
export function mostFirst(
  findings: DirectoryToFixView['findings'],
): readonly DirectoryToFixView['findings'][number][] {
  return [...findings].sort((one, other) => other.records - one.records);
}

const number = (value: number) => value.toLocaleString('en-US');

/** One sentence about the published records of a directory. */
export function publicationWords({ publication }: Pick<DirectoryToFixView, 'publication'>): string {
  if (publication === undefined) return 'Nothing is published yet.';
  const { records, clean, comparedWithNppes } = publication;
  const registry = comparedWithNppes ? '' : ' NPIs were not compared with the national registry.';
  return `${number(records - clean)} of ${number(records)} records have a fault.${registry}`;
}

/** `rows.ndjson, line 12: Location/a7` with the element and what was expected. */
export function rowWords(
  example: NonNullable<DirectoryToFixView['load']>['rejects'][number]['examples'][number],
): string {
  const { file, line, resource, element, expected } = example;
  return [
    `${file}, line ${number(line)}`,
    ...(resource === undefined ? [] : [`: ${resource}`]),
    ...(element === undefined ? [] : [`, ${element}`]),
    ...(expected === undefined ? [] : [` (expected: ${expected})`]),
  ].join('');
}
