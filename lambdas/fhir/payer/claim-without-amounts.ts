/** Claims without financial data: the Basis profiles of CARIN Blue Button 2.2, which PDex 2.2.0 cites. */

import { withheldClaimElements } from '../../catalog/payer/payer-release-rules.ts';
import { jsonEntries, jsonMember } from '../../kernel/json-members.ts';

const financialProfile =
  /^(http:\/\/hl7\.org\/fhir\/us\/carin-bb\/StructureDefinition\/C4BB-ExplanationOfBenefit-(?:Inpatient-Institutional|Outpatient-Institutional|Professional-NonClinician|Pharmacy|Oral))(?:\|.*)?$/;

/**
 * An ExplanationOfBenefit without amounts, payments and notes. Each decision without an amount stays, such as whether a line was
 * paid and in which network it was. A CARIN profile becomes its Basis profile.
 */
export function claimWithoutAmounts(claim: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const rest = withoutFinancialElements(claim) as Record<string, unknown>;
  const meta = jsonMember(claim, 'meta') as Readonly<Record<string, unknown>> | undefined;
  if (meta === undefined) return rest;
  const profiles = jsonEntries(jsonMember(meta, 'profile'));
  // Basis profiles demand a decision.
  const isBasis = jsonEntries(rest.adjudication).length > 0;
  const profile = [
    ...new Set(
      profiles.flatMap((canonical) => {
        const [, url] = financialProfile.exec(String(canonical)) ?? [];
        return url !== undefined && isBasis ? [`${url}-Basis`] : [];
      }),
    ),
  ];
  const { profile: _profile, ...others } = meta;
  return { ...rest, meta: { ...others, ...(profile.length > 0 && { profile }) } };
}

/** A copy without the elements, without Money of any other name, and without what is empty then. */
function withoutFinancialElements(value: unknown): unknown {
  if (Array.isArray(value)) {
    const entries = value.filter((entry) => !hasAmount(entry)).map(withoutFinancialElements);
    return entries.filter((entry) => entry !== undefined);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isMoney(value)) return undefined;
  const members = Object.entries(value)
    .filter(([name]) => !isFinancial(name, value))
    .map(([name, member]) => [name, withoutFinancialElements(member)] as const)
    .filter(([, member]) => member !== undefined && !(Array.isArray(member) && member.length === 0));
  return Object.fromEntries(members);
}

/** `text` is a narrative or note where it stands in a resource, and part of a concept elsewhere. */
function isFinancial(name: string, parent: object): boolean {
  const element = name.replace(/^_/, '');
  if (!withheldClaimElements.some((each) => each === element)) return false;
  return name !== 'text' || Object.hasOwn(parent, 'resourceType');
}

/** An adjudication, or an extension, whose purpose is its amount. */
function hasAmount(entry: unknown): boolean {
  return isMoney(jsonMember(entry, 'amount')) || isMoney(jsonMember(entry, 'valueMoney'));
}

function isMoney(value: unknown): boolean {
  return typeof jsonMember(value, 'currency') === 'string';
}
