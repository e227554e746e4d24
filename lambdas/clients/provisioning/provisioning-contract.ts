import * as z from 'zod/mini';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { verifiedIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import { clientRegistration } from './registration-contract.ts';

/**
 * Requests and answers of an environment's Lambda function `provisioning`, which the operator's CLI, the portal and tests invoke. It is the
 * only interface to an environment: the portal never reads or writes an environment's table.
 */

/** ID that makes a request repeatable: a repeat gets the first answer and changes nothing. */
const requestId = z.string().check(z.minLength(8), z.maxLength(64));
const clientId = z.string().check(z.minLength(8), z.maxLength(64));
/** Option that refuses a rotation while two credentials are live, so that it never ends one that the caller doesn't know of. */
const onlyOneLive = z.optional(z.literal(true));

/**
 * A position in the list of calls. The list is in descending order of time (milliseconds since 1970) and, within a millisecond, of request
 * ID.
 */
export const callPosition = z.strictObject({
  time: z.number().check(z.int(), z.minimum(0)),
  requestId: z.string().check(z.minLength(1), z.maxLength(128)),
});
export type CallPosition = z.infer<typeof callPosition>;

/** Conditions on the listed calls; a call must meet all of them. The patterns exclude the signs that a filter of CloudWatch Logs reads. */
export const callFilter = z.strictObject({
  /** LOB of the host, or of the token endpoint. */
  lob: z.optional(z.enum(lineOfBusinessCodes)),
  /** `refused`: status 400 or above. */
  outcome: z.optional(z.enum(['succeeded', 'refused'])),
  status: z.optional(z.number().check(z.int(), z.minimum(100), z.maximum(599))),
  /** Part of the route, in which IDs are `{id}`. Upper and lower case differ. */
  path: z.optional(z.string().check(z.regex(/^[\w/.{}$+:-]{1,100}$/))),
  requestId: z.optional(z.string().check(z.regex(/^[\w.=-]{1,128}$/))),
});
export type CallFilter = z.infer<typeof callFilter>;

export const provisioningRequest = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('register'),
    requestId,
    registration: clientRegistration,
    /** Registers the client as suspended: every call is refused until `resume`, so that its credentials can be handed out in advance. */
    suspended: z.optional(z.literal(true)),
  }),
  z.strictObject({ action: z.literal('update'), requestId, clientId, registration: clientRegistration }),
  z.strictObject({ action: z.literal('suspend'), requestId, clientId }),
  z.strictObject({ action: z.literal('resume'), requestId, clientId }),
  z.strictObject({ action: z.literal('revoke'), requestId, clientId }),
  /** Creates a new secret; the previous one stops `overlapSeconds` later. */
  z.strictObject({
    action: z.literal('rotate-secret'),
    requestId,
    clientId,
    overlapSeconds: z.number().check(z.int(), z.minimum(0)),
    onlyOneLive,
  }),
  z.strictObject({
    action: z.literal('rotate-key'),
    requestId,
    clientId,
    overlapSeconds: z.number().check(z.int(), z.minimum(0)),
    onlyOneLive,
  }),
  /** Ends an older credential that a rotation left live. The newest can only be rotated. */
  z.strictObject({ action: z.literal('stop-secret'), requestId, clientId, createdAt: z.iso.datetime() }),
  z.strictObject({ action: z.literal('stop-key'), requestId, clientId, createdAt: z.iso.datetime() }),
  /** Replaces the identifiers of a payer's organization, which the operator has verified; an empty list removes them. */
  z.strictObject({
    action: z.literal('verify-organization'),
    requestId,
    clientId,
    organization: z.array(verifiedIdentifier).check(z.maxLength(20)),
  }),
  z.strictObject({ action: z.literal('describe'), clientId }),
  /** Returns the live secrets and keys for View Credentials; each request is audited. */
  z.strictObject({ action: z.literal('credentials'), requestId, clientId }),
  /** Lists the client's calls in the access log, newest first; times in milliseconds since 1970. */
  z.strictObject({
    action: z.literal('calls'),
    clientId,
    from: z.number().check(z.int(), z.minimum(0)),
    /** End of the period, exclusive. */
    to: z.number().check(z.int(), z.minimum(0)),
    /** `next` of the previous page. */
    before: z.optional(callPosition),
    filter: z.optional(callFilter),
    limit: z.number().check(z.int(), z.minimum(1), z.maximum(200)),
  }),
  /** Asks whether the environment's store answers. */
  z.strictObject({ action: z.literal('health') }),
  z.strictObject({ action: z.literal('usage'), clientId, from: z.iso.date(), to: z.iso.date() }),
]);
export type ProvisioningRequest = z.infer<typeof provisioningRequest>;

/** Whether a LOB's data were loaded on time. This is public. */
export interface DataFreshness {
  readonly lob: LineOfBusiness;
  readonly late: boolean;
  /** Time by which the next load is due, ISO 8601. */
  readonly freshUntil: string;
  /** Time of the last reconciled load, ISO 8601. */
  readonly reconciledAt: string;
}

/** Credentials in the answer to `register`, which are returned only once. */
export interface Credentials {
  readonly clientId: string;
  /** Absent for a public client, and for one that authenticates with its own key. */
  readonly clientSecret?: string;
  /** Value of the `x-api-subscription-key` header. */
  readonly subscriptionKey: string;
  /** Scope of this environment's client-credentials tokens; absent if the client does not have this grant type. */
  readonly machineScope?: string;
}

/** The credential that a rotation created, which is returned only once. */
export interface RotatedCredential {
  readonly clientId: string;
  /** The new secret; present in the answer to `rotate-secret`. */
  readonly clientSecret?: string;
  /** The new key; present in the answer to `rotate-key`. */
  readonly subscriptionKey?: string;
  /** End of the previous credential, ISO 8601; absent if it has ended. */
  readonly previousExpiresAt?: string;
}

/** A credential as View Credentials shows it; times are ISO 8601. */
export interface ShownCredential {
  readonly value: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  /**
   * Time of the last use, by the last 14 days of the log of calls. For a key: its newest call, refused ones included. For a secret: the
   * newest request that a token endpoint accepted it in; if the log has none, the day (UTC, as its midnight) of the last one.
   */
  readonly lastUsedAt?: string;
}

/** A client's live credentials, newest first. */
export interface ShownCredentials {
  readonly clientId: string;
  readonly state: string;
  readonly secrets: readonly ShownCredential[];
  readonly subscriptionKeys: readonly ShownCredential[];
  /** Set if the log of calls did not answer, so that the last use of keys is unknown. */
  readonly keyUsesUnknown?: true;
  readonly machineScope?: string;
}

/** A call in the log of calls. `route` has `{id}` instead of a patient's ID; query and body are not logged. */
export interface LoggedCall {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly requestId: string;
  readonly host: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** API Gateway's own refusal, e.g. `THROTTLED`. */
  readonly responseType?: string;
  /** LOB of a token endpoint; the LOB of another call is in its host. */
  readonly lob?: LineOfBusiness;
  /** Reason for which the authorizer, the authorization endpoint or a token endpoint refused the call, e.g. `token_expired`. */
  readonly reason?: string;
  /** The registered or required value of a refused authorization request, and the sent one. */
  readonly expected?: string;
  readonly received?: string;
  readonly latencyMs?: number;
}

export type ProvisioningRefusal =
  | {
      readonly code: 'invalid_request';
      readonly issues: readonly { readonly path: string; readonly message: string }[];
    }
  | { readonly code: 'client_not_found' }
  | { readonly code: 'state_conflict'; readonly state: string }
  | { readonly code: 'too_many_credentials' };

export type ProvisioningAnswer =
  | { readonly kind: 'credentials'; readonly credentials: Credentials }
  | { readonly kind: 'rotated'; readonly rotated: RotatedCredential }
  | { readonly kind: 'state'; readonly clientId: string; readonly state: string }
  | { readonly kind: 'client'; readonly client: unknown }
  | { readonly kind: 'shown'; readonly shown: ShownCredentials }
  /** `next`: older calls may exist. The page may be short or empty then, because the log was slow. */
  | { readonly kind: 'calls'; readonly calls: readonly LoggedCall[]; readonly next?: CallPosition }
  /** `data`: for each LOB that has loaded a drop, whether a source is late, and when the next drop is due. */
  | { readonly kind: 'healthy'; readonly healthy: true; readonly data: readonly DataFreshness[] }
  | {
      readonly kind: 'usage';
      readonly usage: readonly { readonly date: string; readonly used: number; readonly remaining: number }[];
    }
  | { readonly kind: 'refusal'; readonly refusal: ProvisioningRefusal };
