import * as z from 'zod/mini';
import { clientRegistration } from './client.ts';

/**
 * The one contract between an environment and everything outside it (operator's CLI, portal, tests): the payload of a
 * Lambda invocation of the environment's `provisioning` function, and its answer. The portal never touches an
 * environment's table.
 */

/** Makes a repeat of a request the same act: the answer of the first is given again, without a second client. */
const requestId = z.string().check(z.minLength(8), z.maxLength(64));
const clientId = z.string().check(z.minLength(8), z.maxLength(64));

export const provisioningRequest = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('register'), requestId, registration: clientRegistration }),
  z.strictObject({ action: z.literal('update'), requestId, clientId, registration: clientRegistration }),
  z.strictObject({ action: z.literal('suspend'), requestId, clientId }),
  z.strictObject({ action: z.literal('resume'), requestId, clientId }),
  z.strictObject({ action: z.literal('revoke'), requestId, clientId }),
  /** A new secret; the one before it stops `overlapSeconds` later. */
  z.strictObject({
    action: z.literal('rotate-secret'),
    requestId,
    clientId,
    overlapSeconds: z.number().check(z.int(), z.minimum(0)),
  }),
  z.strictObject({
    action: z.literal('rotate-key'),
    requestId,
    clientId,
    overlapSeconds: z.number().check(z.int(), z.minimum(0)),
  }),
  z.strictObject({ action: z.literal('describe'), clientId }),
  z.strictObject({ action: z.literal('usage'), clientId, from: z.iso.date(), to: z.iso.date() }),
]);
export type ProvisioningRequest = z.infer<typeof provisioningRequest>;

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

/** What a rotation gives out, once: only the credential it made. */
export interface RotatedCredential {
  readonly clientId: string;
  /** By `rotate-secret`. */
  readonly clientSecret?: string;
  /** By `rotate-key`. */
  readonly subscriptionKey?: string;
  /** When the credential before it stops, ISO 8601; absent when it has stopped already. */
  readonly previousExpiresAt?: string;
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
  | { readonly ok: true; readonly credentials: Credentials }
  | { readonly ok: true; readonly rotated: RotatedCredential }
  | { readonly ok: true; readonly clientId: string; readonly state: string }
  | { readonly ok: true; readonly client: unknown }
  | {
      readonly ok: true;
      readonly usage: readonly { readonly date: string; readonly used: number; readonly remaining: number }[];
    }
  | { readonly ok: false; readonly refusal: ProvisioningRefusal };
