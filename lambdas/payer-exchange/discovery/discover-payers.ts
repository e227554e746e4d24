/** Discovers payers from an address that an operator gives: a plan's domain, or the base of its FHIR API for payers. */

import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { PayerFault } from '../../catalog/payer/other-payers.ts';
import type { FoundPayer } from '../payers/other-payer.ts';
import { addressFault, plainAddress } from '../payers/payer-address.ts';
import { payerName } from '../payers/payer-name.ts';
import { describeCapabilities, describeTokenEndpoint } from './describe-base.ts';
import { type GuardedWeb, readDocument } from './read-document.ts';
import {
  type PublishedPayer,
  type ReadWellKnown,
  readDavinciConfiguration,
  readPayerIndex,
} from './well-known.ts';

/** The payers that were found, and why others of the same document were not. */
export interface Discovery {
  readonly found: readonly FoundPayer[];
  readonly faults: readonly PayerFault[];
}

/** Documents at which payers are published, in the order they are read. */
const documents: readonly (readonly [string, (value: unknown) => ReadWellKnown])[] = [
  ['/.well-known/davinci-configuration', readDavinciConfiguration],
  ['/.well-known/payer-index', readPayerIndex],
];

/**
 * Discovers payers. Nothing is stored or sent but requests for public documents.
 *
 * @param address `https://plan.example.com`, or a FHIR base
 * @param asked the payer that the operator means; another one is refused.
 */
export async function discoverPayers(
  web: GuardedWeb,
  address: string,
  asked: readonly OrganizationIdentifier[] = [],
): Promise<Discovery> {
  const at = plainAddress(address);
  const refused = addressFault(at, web.rules);
  if (refused !== undefined) return { found: [], faults: [{ code: refused, address: at }] };
  const published = await publishedPayers(web, at);
  if (published.kind === 'fault') return { found: [], faults: [published.fault] };
  const described = [];
  // One after the other: the documents are of one host, which is not to be loaded by us.
  for (const payer of published.payers) described.push(await describePayer(web, payer, asked));
  return {
    found: described.flatMap((each) => (each.kind === 'found' ? [each.payer] : [])),
    faults: described.flatMap((each) => (each.kind === 'fault' ? [each.fault] : [])),
  };
}

type Published =
  | { readonly kind: 'payers'; readonly payers: readonly PublishedPayer[] }
  | { readonly kind: 'fault'; readonly fault: PayerFault };

/** Reads the first document that exists. Where none does, the address itself may be a FHIR base. */
async function publishedPayers(web: GuardedWeb, at: string): Promise<Published> {
  for (const [path, parse] of documents) {
    const read = await readDocument(web, `${at}${path}`);
    if (read.kind === 'document') {
      const parsed = parse(read.value);
      return parsed.kind === 'payers'
        ? parsed
        : { kind: 'fault', fault: { code: parsed.code, address: `${at}${path}` } };
    }
    if (!isMissing(read.fault)) return read;
  }
  const capabilities = await readDocument(web, `${at}/metadata`);
  return capabilities.kind === 'document'
    ? { kind: 'payers', payers: [{ identifiers: [], fhirBase: at }] }
    : { kind: 'fault', fault: { code: 'no-configuration', address: at } };
}

/** Whether a fault says that a document does not exist. Some hosts answer any path with a page. */
function isMissing({ code, detail = '' }: PayerFault): boolean {
  return code === 'not-json' || (code === 'wrong-status' && /^(401|403|404|410)$/.test(detail));
}

type DescribedPayer =
  | { readonly kind: 'found'; readonly payer: FoundPayer }
  | { readonly kind: 'fault'; readonly fault: PayerFault };

async function describePayer(
  web: GuardedWeb,
  { name, identifiers, fhirBase, version, contact }: PublishedPayer,
  asked: readonly OrganizationIdentifier[],
): Promise<DescribedPayer> {
  const isAnother = !asked.every(({ system, value }) =>
    identifiers.some((each) => each.system === system && each.value === value),
  );
  if (isAnother) return { kind: 'fault', fault: { code: 'other-identifier', address: fhirBase } };
  const token = await describeTokenEndpoint(web, fhirBase);
  if (token.kind === 'fault') return token;
  const capabilities = await describeCapabilities(web, fhirBase);
  if (capabilities.kind === 'fault') return capabilities;
  const spoken = version ?? capabilities.version;
  if (spoken === undefined) return { kind: 'fault', fault: { code: 'version-unknown', address: fhirBase } };
  return {
    kind: 'found',
    payer: {
      name: payerName(name ?? capabilities.publisher, fhirBase),
      identifiers,
      fhirBase,
      tokenEndpoint: token.tokenEndpoint,
      version: spoken,
      ...(contact !== undefined && { contact: contact.slice(0, 200) }),
    },
  };
}
