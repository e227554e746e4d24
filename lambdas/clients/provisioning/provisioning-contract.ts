import * as z from 'zod/mini';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { verifiedIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import { clientRegistration } from './registration-contract.ts';

/**
 * The one contract between an environment and everything outside it (operator's CLI, portal, tests): the payload of a
 * Lambda invocation of the environment's `provisioning` function, and its answer. The portal never touches an
 * environment's table.
 */

/** Makes a request repeatable: a repeat gets the first answer again and makes no second client. */
const requestId = z.string().check(z.minLength(8), z.maxLength(64));
const clientId = z.string().check(z.minLength(8), z.maxLength(64));
/** Refuses a rotation while two credentials are live, whatever its overlap: it must not end one that the caller doesn't know of. */
const onlyOneLive = z.optional(z.literal(true));

/**
 * A place in the list of calls, which is ordered by time and, in one millisecond, by request id, both downwards. Time in
 * milliseconds since 1970.
 */
export const callPosition = z.strictObject({
  time: z.number().check(z.int(), z.minimum(0)),
  requestId: z.string().check(z.minLength(1), z.maxLength(128)),
});
export type CallPosition = z.infer<typeof callPosition>;

export const provisioningRequest = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('register'),
    requestId,
    registration: clientRegistration,
    /** Registers the client as suspended: its credentials can be prepared, and every call with them is refused until `resume`. */
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
  /** Ends an older credential that a rotation left live; the newest can only be rotated. */
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
  /** The calls the gateway logged for the client, newest first; times in milliseconds since 1970. */
  z.strictObject({
    action: z.literal('calls'),
    clientId,
    from: z.number().check(z.int(), z.minimum(0)),
    /** Exclusive. */
    to: z.number().check(z.int(), z.minimum(0)),
    /** `next` of the page before. */
    before: z.optional(callPosition),
    limit: z.number().check(z.int(), z.minimum(1), z.maximum(200)),
  }),
  /** Whether the environment's store answers. */
  z.strictObject({ action: z.literal('health') }),
  z.strictObject({ action: z.literal('usage'), clientId, from: z.iso.date(), to: z.iso.date() }),
]);
export type ProvisioningRequest = z.infer<typeof provisioningRequest>;

/** Whether a LOB's data were loaded on time. It is public. */
export interface DataFreshness {
  readonly lob: LineOfBusiness;
  readonly late: boolean;
  /** The next load is late after this time, ISO 8601. */
  readonly freshUntil: string;
}

/** Credentials as `register` gives them out, once. */
export interface Credentials {
  readonly clientId: string;
  /** Absent for a public client, and for one that authenticates by a key of its own. */
  readonly clientSecret?: string;
  /** Value of the `x-api-subscription-key` header. */
  readonly subscriptionKey: string;
  /** The scope of this environment's client-credentials tokens; for a client that has this grant. */
  readonly machineScope?: string;
}

/** The credential a rotation created, given out once. */
export interface RotatedCredential {
  readonly clientId: string;
  /** Answer to `rotate-secret`. */
  readonly clientSecret?: string;
  /** Answer to `rotate-key`. */
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
   * The newest call with a subscription key in the last 14 days of the gateway's log, refused ones included. Of a secret the
   * day (UTC, as its midnight) a token endpoint last took it.
   */
  readonly lastUsedAt?: string;
}

/** Newest first. */
export interface ShownCredentials {
  readonly clientId: string;
  readonly state: string;
  readonly secrets: readonly ShownCredential[];
  readonly subscriptionKeys: readonly ShownCredential[];
  /** Set if the log of calls did not answer, so that the last use of a key is unknown. */
  readonly keyUsesUnknown?: true;
  readonly machineScope?: string;
}

/** A call as the gateway's access log has it: a route with `{id}` where the path has a patient's, no query, no body. */
export interface LoggedCall {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly requestId: string;
  readonly host: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** The gateway's own refusal, e.g. `THROTTLED`. */
  readonly responseType?: string;
  /** Why the authorizer refused, e.g. `token_expired`. */
  readonly reason?: string;
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
  /** `next`: older calls may exist, also after a short or empty page, because the log was slow. */
  | { readonly kind: 'calls'; readonly calls: readonly LoggedCall[]; readonly next?: CallPosition }
  /** `data`: for each LOB that has loaded a drop, whether a source is late, and when its next drop is due. */
  | { readonly kind: 'healthy'; readonly healthy: true; readonly data: readonly DataFreshness[] }
  | {
      readonly kind: 'usage';
      readonly usage: readonly { readonly date: string; readonly used: number; readonly remaining: number }[];
    }
  | { readonly kind: 'refusal'; readonly refusal: ProvisioningRefusal };
