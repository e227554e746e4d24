/** Prior authorizations: ExplanationOfBenefits of the PDex PriorAuthorization profile, and the ones that may not be loaded. */

import { jsonEntries, jsonMember } from './json-members.ts';

/** Canonical URL of the profile, without version. */
export const priorAuthorizationProfile =
  'http://hl7.org/fhir/us/davinci-pdex/StructureDefinition/pdex-priorauthorization';

/** Elements that a line can name a product in, at each of its levels. */
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
 * Finds the element by which a prior authorization is for a drug: the rule leaves drugs out (42 CFR 422.119(b)(1)(iv)). A drug is a
 * claim of the type `pharmacy`, an NDC or RxNorm code, or a HCPCS code of the range J0000 to J9999.
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
