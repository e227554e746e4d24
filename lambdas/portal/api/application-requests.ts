/** Request schemas of the application routes. */

import * as z from 'zod/mini';
import { environments } from '../../catalog/environments.ts';
import { portalLimits } from '../catalog/limits.ts';
import { screenNames } from './application-screens.ts';
import { configurationFieldNames } from './applications.ts';
import { accepted, agreementVersion, paragraph, presentPassword, recordVersion } from './fields.ts';

/** Most characters of a draft's text value. A JWK Set of ten RSA keys, the longest value, has some 10,000. */
const longestTyped = 16_000;
/** A value of a draft as it was typed. A draft's field names and sizes are checked; its values are not checked before registration. */
const typed = z.union([
  z.string().check(z.maxLength(longestTyped)),
  z.boolean(),
  z.array(z.string().check(z.maxLength(4000))).check(z.maxLength(20)),
]);
export const draftRequest = z.strictObject({
  screen: z.enum(screenNames),
  values: z.partialRecord(z.enum(configurationFieldNames), typed),
});
export const draftId = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/));

export const configurationRequest = z.strictObject({ version: recordVersion, configuration: z.unknown() });
export const registerRequest = z.strictObject({
  configuration: z.unknown(),
  /** The draft that this application is registered from; the registration deletes the draft. */
  draftId: z.optional(draftId),
});
export const versionRequest = z.strictObject({ version: recordVersion });
export const promoteRequest = z.strictObject({
  version: recordVersion,
  /** Values for production. If absent, the sandbox's values are copied, and can be edited afterwards. */
  configuration: z.optional(z.unknown()),
});
export const appealRequest = z.strictObject({
  version: recordVersion,
  words: paragraph('the reason to review the decision again'),
});
export const attestationRequest = z.strictObject({
  version: recordVersion,
  textVersion: agreementVersion,
  scrolledToEnd: accepted,
  accepted,
});
export const credentialsRequest = z.strictObject({ password: z.optional(presentPassword) });
/** Idempotency key: a request repeated with the same ID has no further effect. */
const requestId = z.string().check(z.regex(/^[A-Za-z0-9-]{8,64}$/));
export const rotationRequest = z.strictObject({
  requestId,
  overlapSeconds: z
    .int({ error: 'whole seconds' })
    .check(
      z.minimum(0, { error: 'zero or more seconds' }),
      z.maximum(portalLimits.rotationOverlapSecondsMaximum, { error: 'at most 30 days' }),
    ),
});
export const stopRequest = z.strictObject({
  requestId,
  /** The `createdAt` of the secret or key, as View Credentials returns it. The newest secret or key cannot be stopped, only rotated. */
  createdAt: z.string().check(
    z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, {
      error: 'the `createdAt` of an older secret or key',
    }),
  ),
});
export const environmentName = z.enum(environments);
