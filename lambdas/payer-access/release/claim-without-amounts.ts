/** Removes financial data from claims and prior authorizations, by the Basis profiles of CARIN Blue Button 2.2, which PDex 2.2.0 cites. */

import { withheldClaimElements } from '../../catalog/payer/payer-release-rules.ts';
import { masked } from '../../fhir/labels/masked.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import { isPriorAuthorization } from '../../platform/kernel/prior-authorizations.ts';

/** Profiles of claims, with amounts or, as another payer sends them, without. */
const claimProfile =
  /^(http:\/\/hl7\.org\/fhir\/us\/carin-bb\/StructureDefinition\/C4BB-ExplanationOfBenefit-(?:Inpatient-Institutional|Outpatient-Institutional|Professional-NonClinician|Pharmacy|Oral))(?:-Basis)?(?:\|.*)?$/;

/**
 * Copies an ExplanationOfBenefit without amounts, payments and notes. Decisions without an amount stay, such as whether a line was paid,
 * and in which network. A CARIN profile becomes its Basis profile.
 */
export function claimWithoutAmounts(claim: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isAuthorization = isPriorAuthorization(claim);
  const rest = withoutFinancialElements(claim, isAuthorization) as Record<string, unknown>;
  const meta = jsonMember(claim, 'meta') as Readonly<Record<string, unknown>> | undefined;
  if (meta === undefined || isAuthorization) return rest;
  const profiles = jsonEntries(jsonMember(meta, 'profile'));
  // Basis profiles require an adjudication.
  const isBasis = jsonEntries(rest.adjudication).length > 0;
  const profile = [
    ...new Set(
      profiles.flatMap((canonical) => {
        const [, url] = claimProfile.exec(String(canonical)) ?? [];
        return url !== undefined && isBasis ? [`${url}-Basis`] : [];
      }),
    ),
  ];
  const { profile: _profile, ...others } = meta;
  return { ...rest, meta: { ...others, ...(profile.length > 0 && { profile }) } };
}

/**
 * Copies a value without financial elements, without any other Money, and without elements that are then empty.
 *
 * @param keepsDecisions whether to keep an adjudication that has an amount, without the amount: in a prior authorization it contains the
 * decision.
 */
function withoutFinancialElements(value: unknown, keepsDecisions: boolean): unknown {
  if (Array.isArray(value)) {
    const entries = value
      .filter((entry) => !hasAmount(entry) || (keepsDecisions && isDecision(entry)))
      .map((entry) => withoutFinancialElements(entry, keepsDecisions));
    return entries.filter((entry) => entry !== undefined);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isMoney(value)) return undefined;
  const isMasked = keepsDecisions && isDecision(value) && hasAmount(value);
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (isFinancial(name, value)) continue;
    const kept = isMasked && name === 'amount' ? masked : withoutFinancialElements(member, keepsDecisions);
    if (kept !== undefined && !(Array.isArray(kept) && kept.length === 0)) members.push([name, kept]);
  }
  return Object.fromEntries(members);
}

/** Whether an entry is an adjudication with a category. The profile of prior authorizations requires its amount. */
function isDecision(entry: unknown): boolean {
  return jsonMember(entry, 'category') !== undefined && jsonMember(entry, 'currency') === undefined;
}

const withheldElements: ReadonlySet<string> = new Set(withheldClaimElements);

/**
 * Whether a member of the JSON is a financial element. In a resource, `text` is the narrative; elsewhere it is part of a concept and stays.
 */
function isFinancial(name: string, parent: object): boolean {
  const element = name.startsWith('_') ? name.slice(1) : name;
  if (!withheldElements.has(element)) return false;
  return name !== 'text' || Object.hasOwn(parent, 'resourceType');
}

/** Whether an entry is an adjudication or extension with an amount. */
function hasAmount(entry: unknown): boolean {
  return isMoney(jsonMember(entry, 'amount')) || isMoney(jsonMember(entry, 'valueMoney'));
}

function isMoney(value: unknown): boolean {
  return typeof jsonMember(value, 'currency') === 'string';
}
