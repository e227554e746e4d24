/**
 * Recognizes prior authorizations (ExplanationOfBenefits with the profile PDex PriorAuthorization), and those for drugs, which may not be
 * loaded.
 */

import { jsonEntries, jsonMember } from './json-members.ts';

/** Canonical URL of the profile, without version. */
export const priorAuthorizationProfile =
  'http://hl7.org/fhir/us/davinci-pdex/StructureDefinition/pdex-priorauthorization';

/** Elements for the lines of a claim, at each level, which can contain a product. */
const lineElements = ['item', 'addItem', 'detail', 'subDetail'] as const;

const ndc = 'http://hl7.org/fhir/sid/ndc';
const rxNorm = 'http://www.nlm.nih.gov/research/umls/rxnorm';

/** Whether a resource is a prior authorization. */
export function isPriorAuthorization(resource: unknown): boolean {
  return (
    jsonMember(resource, 'resourceType') === 'ExplanationOfBenefit' &&
    jsonMember(resource, 'use') === 'preauthorization'
  );
}

/** Whether a resource declares the profile of prior authorizations, with any version. */
export function declaresPriorAuthorization(resource: unknown): boolean {
  return jsonEntries(jsonMember(jsonMember(resource, 'meta'), 'profile')).some(
    (profile) => typeof profile === 'string' && profile.split('|', 1)[0] === priorAuthorizationProfile,
  );
}

/**
 * Finds the element that makes a prior authorization one for a drug, which the rule excludes (42 CFR 422.119(b)(1)(iv)): the claim type
 * `pharmacy`, an NDC or RxNorm code, or a HCPCS code from J0000 to J9999.
 */
export function drugElement(resource: unknown): string | undefined {
  const isPharmacy = codingsOf(jsonMember(resource, 'type')).some(
    (coding) => jsonMember(coding, 'code') === 'pharmacy',
  );
  return isPharmacy ? 'type' : drugLine(resource, '');
}

function drugLine(parent: unknown, path: string): string | undefined {
  for (const name of lineElements) {
    for (const line of jsonEntries(jsonMember(parent, name))) {
      const element = `${path}${name}.productOrService`;
      if (codingsOf(jsonMember(line, 'productOrService')).some(isDrug)) return element;
      const below = drugLine(line, `${path}${name}.`);
      if (below !== undefined) return below;
    }
  }
  return undefined;
}

function isDrug(coding: unknown): boolean {
  const [system, code] = [jsonMember(coding, 'system'), jsonMember(coding, 'code')];
  if (system === ndc || system === rxNorm) return true;
  return /hcpcs/i.test(String(system)) && /^J\d{4}$/.test(String(code));
}

function codingsOf(concept: unknown): readonly unknown[] {
  return jsonEntries(jsonMember(concept, 'coding'));
}
