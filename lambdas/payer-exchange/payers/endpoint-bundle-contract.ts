/**
 * Finds payers in a Bundle of a national directory: Endpoints for the exchange between payers, with their organizations. The operator's
 * command line reads the file, which may be larger than an invocation.
 */

import {
  type OrganizationIdentifier,
  verifiedIdentifier,
} from '../../catalog/payer/organization-identifiers.ts';
import { isJsonObject, jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';

/** A payer in a directory. Whether its values are valid is decided when it is imported. */
export interface ListedPayer {
  readonly name?: string | undefined;
  readonly identifiers: readonly OrganizationIdentifier[];
  readonly fhirBase: string;
  readonly contact?: string | undefined;
}

/** Extensions that have the use case of an Endpoint: National Directory STU 1, and its 2.0 build. */
const useCaseExtensions =
  /\/(base-ext-endpoint-usecase|base-ext-endpoint-use-case|base-ext-implementation-guide)$/;
const useCaseSystem = /\/NdhFhirEndpointUseCaseCS$/;
const payerToPayer = 'payerToPayer';

/**
 * Finds the active Endpoints whose use case is `payerToPayer`.
 *
 * @returns undefined if the value is no Bundle; `others`: the number of other Endpoints
 */
export function payersInBundle(
  bundle: unknown,
): { readonly payers: readonly ListedPayer[]; readonly others: number } | undefined {
  if (jsonMember(bundle, 'resourceType') !== 'Bundle') return undefined;
  const entries = jsonEntries(jsonMember(bundle, 'entry'));
  const byReference = new Map<string, unknown>();
  for (const entry of entries) {
    const resource = jsonMember(entry, 'resource');
    if (jsonMember(resource, 'resourceType') !== 'Organization') continue;
    byReference.set(`Organization/${jsonMember(resource, 'id')}`, resource);
    const fullUrl = jsonMember(entry, 'fullUrl');
    if (typeof fullUrl === 'string') byReference.set(fullUrl, resource);
  }
  const endpoints = entries
    .map((entry) => jsonMember(entry, 'resource'))
    .filter((resource) => jsonMember(resource, 'resourceType') === 'Endpoint');
  const payers = endpoints.filter(isForPayers).map((endpoint) => listed(endpoint, byReference));
  return { payers, others: endpoints.length - payers.length };
}

function isForPayers(endpoint: unknown): boolean {
  return (
    jsonMember(endpoint, 'status') === 'active' &&
    typeof jsonMember(endpoint, 'address') === 'string' &&
    jsonEntries(jsonMember(endpoint, 'extension')).some(
      (extension) =>
        useCaseExtensions.test(String(jsonMember(extension, 'url'))) &&
        codings(extension).some(isPayerToPayer),
    )
  );
}

/** Every Coding in an extension: its own value, or those of the extensions in it. */
function codings(extension: unknown): readonly unknown[] {
  const { valueCoding, valueCodeableConcept } = isJsonObject(extension) ? extension : {};
  return [
    valueCoding,
    ...jsonEntries(jsonMember(valueCodeableConcept, 'coding')),
    ...jsonEntries(jsonMember(extension, 'extension')).flatMap(codings),
  ];
}

function isPayerToPayer(coding: unknown): boolean {
  return (
    jsonMember(coding, 'code') === payerToPayer && useCaseSystem.test(String(jsonMember(coding, 'system')))
  );
}

function listed(endpoint: unknown, organizations: ReadonlyMap<string, unknown>): ListedPayer {
  const reference = jsonMember(jsonMember(endpoint, 'managingOrganization'), 'reference');
  const contained = jsonEntries(jsonMember(endpoint, 'contained')).find(
    (each) => `#${jsonMember(each, 'id')}` === reference,
  );
  const organization = contained ?? organizations.get(String(reference));
  const [name] = [jsonMember(organization, 'name'), jsonMember(endpoint, 'name')].filter(
    (each): each is string => typeof each === 'string',
  );
  const [contact] = [endpoint, organization]
    .flatMap((resource) => [
      ...jsonEntries(jsonMember(resource, 'contact')),
      ...jsonEntries(jsonMember(resource, 'telecom')),
    ])
    .flatMap((each) => {
      const value = jsonMember(each, 'value');
      return typeof value === 'string' ? [value] : [];
    });
  return {
    fhirBase: String(jsonMember(endpoint, 'address')),
    identifiers: jsonEntries(jsonMember(organization, 'identifier')).flatMap(identifierOf),
    ...(name !== undefined && { name }),
    ...(contact !== undefined && { contact }),
  };
}

function identifierOf(identifier: unknown): readonly OrganizationIdentifier[] {
  const parsed = verifiedIdentifier.safeParse({
    system: jsonMember(identifier, 'system'),
    value: jsonMember(identifier, 'value'),
  });
  return parsed.success ? [parsed.data] : [];
}
