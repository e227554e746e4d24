/**
 * Requests and responses about other payers of the function `exchange-operations`, which operators (`npm run ops -- payers`) and the portal's
 * console invoke.
 */

import * as z from 'zod/mini';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import {
  type OrganizationIdentifier,
  organizationIdentifier,
  verifiedIdentifier,
} from '../../catalog/payer/organization-identifiers.ts';
import {
  type OtherPayerSource,
  type OtherPayerState,
  otherPayerLimits,
  type PayerFault,
  type PdexVersion,
  pdexVersions,
} from '../../catalog/payer/other-payers.ts';
import type { FoundPayer, PayerDifference, PayerTestResult } from './other-payer.ts';

const line = (most: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1),
      z.maxLength(most),
      z.regex(/^\P{C}*$/u, 'text without control characters'),
    );
const payerId = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9-]{1,31}$/, 'two to 32 lowercase letters, digits and hyphens'));
const address = z.string().check(z.maxLength(500));
const identifiers = z.array(verifiedIdentifier).check(z.maxLength(20));
/** A header that the payer's gateway requires; RFC 9110 names. Our own headers can't be replaced. */
const header = z.strictObject({
  name: z.string().check(
    z.regex(/^[A-Za-z0-9-]{1,64}$/),
    z.refine(
      (name) => !reservedHeaders.includes(name.toLowerCase()),
      'a header that requests don’t have yet',
    ),
  ),
  value: z.string().check(z.regex(/^[\x21-\x7e]{1,2000}$/, 'printable ASCII without spaces')),
});
const reservedHeaders = [
  'authorization',
  'host',
  'accept',
  'content-type',
  'content-length',
  'prefer',
  'cookie',
];

const fields = {
  name: line(100),
  identifiers,
  fhirBase: address,
  tokenEndpoint: address,
  clientId: line(256),
  scopes: line(1_000),
  version: z.enum(pdexVersions),
  linesOfBusiness: z.array(z.enum(lineOfBusinessCodes)).check(z.minLength(1)),
  contact: line(200),
  header,
};

const operator = {
  /** ID that connects the audit event with the request. */
  requestId: z.uuid(),
  /** The operator's account in the portal, if the request comes from the portal's console. */
  operatorId: z.optional(z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/))),
};
/** The revision that the operator saw; a change of another one is refused. */
const revision = z.int().check(z.positive());

export const otherPayerOperation = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('list-payers') }),
  z.strictObject({ action: z.literal('show-payer'), payerId }),
  z.strictObject({
    action: z.literal('discover-payers'),
    address,
    /** The payer that the operator means: another one is refused. */
    identifiers: z._default(identifiers, []),
    ...operator,
  }),
  z.strictObject({
    action: z.literal('import-payers'),
    payers: z
      .array(
        z.strictObject({
          name: z.optional(z.string().check(z.maxLength(2_000))),
          identifiers: z.array(organizationIdentifier).check(z.maxLength(20)),
          fhirBase: z.string().check(z.maxLength(2_000)),
          contact: z.optional(z.string().check(z.maxLength(2_000))),
        }),
      )
      .check(z.minLength(1), z.maxLength(otherPayerLimits.payersInImport)),
    ...operator,
  }),
  z.strictObject({
    action: z.literal('add-payer'),
    payerId: z.optional(payerId),
    payer: z.strictObject({
      ...fields,
      contact: z.optional(fields.contact),
      header: z.optional(header),
      linesOfBusiness: z.optional(fields.linesOfBusiness),
    }),
    ...operator,
  }),
  z.strictObject({
    action: z.literal('update-payer'),
    payerId,
    revision,
    /** Elements to change. `null` removes the header or the contact. */
    changes: z.strictObject({
      name: z.optional(fields.name),
      identifiers: z.optional(identifiers),
      fhirBase: z.optional(address),
      tokenEndpoint: z.optional(address),
      clientId: z.optional(fields.clientId),
      scopes: z.optional(fields.scopes),
      version: z.optional(fields.version),
      linesOfBusiness: z.optional(fields.linesOfBusiness),
      contact: z.optional(z.nullable(fields.contact)),
      header: z.optional(z.nullable(header)),
    }),
    /** Takes over every found value that differs. */
    acceptFound: z.optional(z.literal(true)),
    ...operator,
  }),
  z.strictObject({ action: z.literal('test-payer'), payerId }),
  z.strictObject({ action: z.literal('activate-payer'), payerId, revision, ...operator }),
  z.strictObject({ action: z.literal('suspend-payer'), payerId, revision, ...operator }),
  z.strictObject({ action: z.literal('remove-payer'), payerId, revision, ...operator }),
]);
export type OtherPayerOperation = z.input<typeof otherPayerOperation>;

/** A payer as operators see it. The value of its header is never shown. Times are ISO 8601. */
export interface OtherPayerSummary {
  readonly payerId: string;
  readonly name: string;
  readonly state: OtherPayerState;
  readonly identifiers: readonly OrganizationIdentifier[];
  readonly fhirBase: string;
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly scopes: string;
  readonly version: PdexVersion;
  readonly headerName?: string | undefined;
  readonly linesOfBusiness: readonly LineOfBusiness[];
  readonly contact?: string | undefined;
  readonly source: OtherPayerSource;
  readonly found?: (FoundPayer & { readonly at: string }) | undefined;
  readonly differences: readonly PayerDifference[];
  /** Newest first. */
  readonly checks: readonly PayerTestResult[];
  /** Number of members that are to be asked about now. */
  readonly waiting: number;
  readonly revision: number;
  readonly changedAt: string;
}

export type OtherPayerRefusal =
  | { readonly kind: 'refused'; readonly reason: 'no_such_payer' | 'not_in_this_state' | 'changed_since' }
  /** Another payer has the ID, the base or an identifier. */
  | { readonly kind: 'refused'; readonly reason: 'already_known'; readonly payerIds: readonly string[] }
  /** An address that is refused, or a value that is missing before activation. */
  | {
      readonly kind: 'refused';
      readonly reason: 'invalid';
      readonly faults: readonly { readonly field: string; readonly expected: string }[];
    };

/** A payer that was found, and whether the table had it. */
export interface ProposedPayer {
  readonly payer: OtherPayerSummary;
  /** `known`: the table had it; what was found is beside its values. */
  readonly outcome: 'new' | 'known';
}

export type OtherPayerAnswer =
  | { readonly kind: 'payers'; readonly payers: readonly OtherPayerSummary[] }
  | { readonly kind: 'payer'; readonly payer: OtherPayerSummary }
  | {
      readonly kind: 'proposed';
      readonly payers: readonly ProposedPayer[];
      readonly faults: readonly PayerFault[];
    }
  | { readonly kind: 'tested'; readonly payer: OtherPayerSummary; readonly check: PayerTestResult }
  | { readonly kind: 'removed'; readonly payerId: string }
  | OtherPayerRefusal;
