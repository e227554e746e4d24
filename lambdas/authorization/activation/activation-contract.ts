/** Requests and answers of the function `activation`, which `authorize` invokes. */

import * as z from 'zod/mini';
import { languages } from '../../catalog/languages.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';

/** Fields of every request to the function `activation`: the interaction, the request for a code, and the browser's request. */
const about = {
  lob: z.enum(lineOfBusinessCodes),
  interactionId: z.string(),
  /** ID of the activation's latest request for a code; the function ignores a request with an earlier ID. */
  requestId: z.string(),
  language: z.enum(languages),
  clientId: z.string(),
  /** Request ids for the audit events. */
  request: z.object({ requestId: z.string(), clientRequestId: z.optional(z.string()) }),
};
const channel = z.enum(['email', 'sms']);

/**
 * Request to the function `activation`, invoked by `authorize` only. Codes are requested asynchronously, so that the page's response takes
 * as long for a member as for anybody else.
 */
export const activationRequest = z.discriminatedUnion('act', [
  z.strictObject({
    act: z.literal('send-code'),
    ...about,
    channel,
    /** `YYYY-MM-DD`. */
    birthDate: z.string(),
    postalCode: z.string(),
  }),
  z.strictObject({ act: z.literal('send-again'), ...about, channel }),
  z.strictObject({ act: z.literal('set-password'), ...about, password: z.string() }),
]);
export type ActivationRequest = z.infer<typeof activationRequest>;
export type CodeRequest = Extract<ActivationRequest, { act: 'send-code' | 'send-again' }>;
export type PasswordRequest = Extract<ActivationRequest, { act: 'set-password' }>;

/**
 * Reason of a refusal. `password_short` (fewer than 15 or more than 128 characters), `password_known`: the member can choose another
 * password. `not_possible`: the account is disabled or another person's, and the member has to call the plan. `expired`: no right code has
 * been entered, or the time to choose a password is over.
 */
const refusals = ['password_short', 'password_known', 'not_possible', 'expired'] as const;

export const activationAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('activated'), sub: z.string(), sessionEpoch: z.number() }),
  z.object({ kind: z.literal('refusal'), refusal: z.enum(refusals) }),
]);
export type ActivationAnswer = z.infer<typeof activationAnswer>;
