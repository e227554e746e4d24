/**
 * Reads the two documents by which payers publish their endpoints: `/.well-known/davinci-configuration` (HRex 1.2) and
 * `/.well-known/payer-index` (prototype, draft 1).
 */

import * as z from 'zod/mini';
import {
  type OrganizationIdentifier,
  organizationIdentifierKinds,
  verifiedIdentifier,
} from '../../catalog/payer/organization-identifiers.ts';
import { otherPayerLimits, type PayerFaultCode, type PdexVersion } from '../../catalog/payer/other-payers.ts';
import { plainAddress } from '../payers/payer-address.ts';
import { knownVersion } from './pdex-version.ts';

/** A payer or plan of a document, with its endpoint for other payers. */
export interface PublishedPayer {
  readonly name?: string | undefined;
  readonly identifiers: readonly OrganizationIdentifier[];
  readonly fhirBase: string;
  /** The version in the endpoint's key, if it is a supported one. */
  readonly version?: PdexVersion | undefined;
  readonly contact?: string | undefined;
}

export type ReadWellKnown =
  | { readonly kind: 'payers'; readonly payers: readonly PublishedPayer[] }
  | { readonly kind: 'fault'; readonly code: PayerFaultCode };

const text = z.string().check(z.maxLength(2_000));
const identifier = z.object({ system: text, value: text });
const endpoints = z.record(z.string(), z.unknown());

const davinciConfiguration = z.object({
  // The guide has one identifier; some publish a list.
  identifier: z.union([identifier, z.array(identifier)]),
  endpoints,
});

/** Reads a document of HRex 1.2. It is about one payer. */
export function readDavinciConfiguration(value: unknown): ReadWellKnown {
  const parsed = davinciConfiguration.safeParse(value);
  if (!parsed.success) return { kind: 'fault', code: 'wrong-configuration' };
  const endpoint = payerEndpoint(parsed.data.endpoints);
  if (endpoint === undefined) return { kind: 'fault', code: 'no-payer-endpoint' };
  const identifiers = knownIdentifiers([parsed.data.identifier].flat());
  return { kind: 'payers', payers: [{ ...endpoint, identifiers }] };
}

const payerIndex = z.object({
  identifier: z.array(z.looseObject({ system: text, value: text })),
  plan_groups: z.array(
    z.object({
      plan_endpoints: endpoints,
      plan_identifiers: z.optional(z.union([z.array(z.unknown()), z.looseObject({})])),
    }),
  ),
});

/**
 * Reads a payer index. It is about one payer, whose plans may have endpoints of their own. Plans with the same endpoint are one payer to ask.
 * The first endpoint has the payer's identifiers, because an identifier names one payer in the table.
 */
export function readPayerIndex(value: unknown): ReadWellKnown {
  const parsed = payerIndex.safeParse(value);
  if (!parsed.success) return { kind: 'fault', code: 'wrong-configuration' };
  const { identifier: listed, plan_groups: groups } = parsed.data;
  const identifiers = knownIdentifiers(listed.map(inOurSystem));
  const [legal] = listed.flatMap(({ payerLegalName }) =>
    typeof payerLegalName === 'string' ? [payerLegalName] : [],
  );
  const [website] = listed.flatMap(({ payerContactWebsite: at }) => (typeof at === 'string' ? [at] : []));
  const payers = new Map<string, PublishedPayer>();
  for (const { plan_endpoints: served, plan_identifiers: plans } of groups) {
    const endpoint = payerEndpoint(served);
    if (endpoint === undefined || payers.has(endpoint.fhirBase)) continue;
    const [plan] = [plans ?? []].flat();
    const planName = (plan as { readonly plan_name?: unknown } | undefined)?.plan_name;
    payers.set(endpoint.fhirBase, {
      ...endpoint,
      // Other endpoints are told apart by the name of their first plan.
      name: payers.size > 0 && typeof planName === 'string' ? planName : legal,
      identifiers: payers.size > 0 ? [] : identifiers,
      ...(website !== undefined && { contact: website }),
    });
  }
  if (payers.size === 0) return { kind: 'fault', code: 'no-payer-endpoint' };
  if (payers.size > otherPayerLimits.payersInDocument) return { kind: 'fault', code: 'too-many-payers' };
  return { kind: 'payers', payers: [...payers.values()] };
}

/** The index names a NAIC company code by a system of its own. */
function inOurSystem({ system, value }: { readonly system: string; readonly value: string }) {
  return system.endsWith('/naic_id')
    ? { system: organizationIdentifierKinds.naic.system, value }
    : { system, value };
}

/** The identifiers of kinds that this service compares. An NPI with a wrong check digit is left out. */
export function knownIdentifiers(listed: readonly unknown[]): readonly OrganizationIdentifier[] {
  const known = listed.flatMap((each) => {
    const parsed = verifiedIdentifier.safeParse(each);
    return parsed.success ? [parsed.data] : [];
  });
  return [...new Map(known.map((each) => [`${each.system}|${each.value}`, each])).values()];
}

const endpointKeys =
  /^(?:davinci_pdex_payer_endpoint|davinci_payer_to_payer_endpoint)(?:#(\d+\.\d+)(?:\.\d+)?)?$/;

/** The endpoint for other payers: the newest supported version, else the one without a version, else any. */
function payerEndpoint(
  served: Readonly<Record<string, unknown>>,
): Pick<PublishedPayer, 'fhirBase' | 'version'> | undefined {
  const found = Object.entries(served).flatMap(([key, address]) => {
    const match = endpointKeys.exec(key);
    if (match === null || typeof address !== 'string') return [];
    return [
      { fhirBase: plainAddress(address), version: knownVersion(match[1]), isBare: match[1] === undefined },
    ];
  });
  const rank = ({ version, isBare }: (typeof found)[number]) => version ?? (isBare ? '1' : '0');
  const [best] = found.toSorted((one, other) => rank(other).localeCompare(rank(one)));
  if (best === undefined) return undefined;
  return { fhirBase: best.fhirBase, ...(best.version !== undefined && { version: best.version }) };
}
