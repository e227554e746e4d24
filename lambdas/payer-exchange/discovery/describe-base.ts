/** Reads what a payer's FHIR base says about itself: its SMART configuration and its CapabilityStatement. */

import type { PayerFault, PdexVersion } from '../../catalog/payer/other-payers.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import { addressFault } from '../payers/payer-address.ts';
import { operationsOf, versionOfCapabilities } from './pdex-version.ts';
import { type GuardedWeb, readDocument } from './read-document.ts';

type Described<Found> =
  | ({ readonly kind: 'found' } & Found)
  | { readonly kind: 'fault'; readonly fault: PayerFault };

/**
 * Reads the token endpoint of a base (SMART App Launch 2.2, `.well-known/smart-configuration`), which must accept `private_key_jwt`. A
 * configuration without lists of methods and grant types is accepted, as older servers publish it: the test of the token decides then.
 */
export async function describeTokenEndpoint(
  web: GuardedWeb,
  fhirBase: string,
): Promise<Described<{ readonly tokenEndpoint: string }>> {
  const address = `${fhirBase}/.well-known/smart-configuration`;
  const read = await readDocument(web, address);
  if (read.kind === 'fault') return read;
  const { token_endpoint: tokenEndpoint } = read.value;
  if (typeof tokenEndpoint !== 'string')
    return { kind: 'fault', fault: { code: 'no-token-endpoint', address } };
  const refused = addressFault(tokenEndpoint, web.rules);
  if (refused !== undefined) {
    return { kind: 'fault', fault: { code: refused, address: tokenEndpoint.slice(0, 500) } };
  }
  const accepts = (list: string, name: string) =>
    read.value[list] === undefined || jsonEntries(read.value[list]).includes(name);
  return accepts('token_endpoint_auth_methods_supported', 'private_key_jwt') &&
    accepts('grant_types_supported', 'client_credentials')
    ? { kind: 'found', tokenEndpoint }
    : { kind: 'fault', fault: { code: 'no-private-key-jwt', address } };
}

/**
 * Reads the CapabilityStatement of a base, which must be of R4 and have a match of members.
 *
 * @returns `publisher`: who publishes it, untrusted text
 */
export async function describeCapabilities(
  web: GuardedWeb,
  fhirBase: string,
): Promise<Described<{ readonly version: PdexVersion | undefined; readonly publisher: string | undefined }>> {
  const address = `${fhirBase}/metadata`;
  const read = await readDocument(web, address);
  if (read.kind === 'fault') return read;
  const { resourceType, fhirVersion, publisher } = read.value;
  if (resourceType !== 'CapabilityStatement' || !String(fhirVersion).startsWith('4.0')) {
    return { kind: 'fault', fault: { code: 'not-r4', address } };
  }
  if (!operationsOf(read.value).some((operation) => isBulkMatch(jsonMember(operation, 'name')))) {
    return { kind: 'fault', fault: { code: 'no-member-match', address } };
  }
  return {
    kind: 'found',
    version: versionOfCapabilities(read.value),
    publisher: typeof publisher === 'string' ? publisher : undefined,
  };
}

/** The name has a `$` in some servers. */
function isBulkMatch(name: unknown): boolean {
  return name === 'bulk-member-match' || name === '$bulk-member-match';
}
