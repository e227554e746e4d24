import * as z from 'zod/mini';
import { lineOfBusinessCodes } from '../catalog/lines-of-business.ts';

/**
 * The payload of a Lambda invocation of an environment's `ingest` function: one member of one LOB with their resources.
 * Repeating it is harmless: same ids, same result.
 *
 * An invocation takes 6 MB. A member with more comes in several loads, one after the other, each with the Patient, and each
 * resource after those it refers to. What isn't in a load stays as it is; a resource goes only where `removed` names it.
 */
export const memberLoad = z.strictObject({
  lob: z.enum(lineOfBusinessCodes),
  patientId: z.string().check(z.uuid()),
  /** The plan's member identifier; also the member's user name at sign-in. */
  memberId: z.string().check(z.regex(/^[A-Z0-9]{6,20}$/)),
  email: z.email(),
  /** E.164, US. */
  phoneNumber: z.string().check(z.regex(/^\+1\d{10}$/)),
  givenName: z.string().check(z.minLength(1)),
  familyName: z.string().check(z.minLength(1)),
  /** Only for synthetic members: sets a permanent password. Real members set theirs by the plan's enrolment. */
  password: z.optional(z.string().check(z.minLength(15), z.maxLength(128))),
  resources: z
    .array(
      z.strictObject({
        resourceType: z.string(),
        id: z.string(),
        versionId: z.string(),
        lastUpdated: z.string(),
        /** Serialized, as sent for `Accept: application/json`. */
        json: z.string(),
        /** Serialized, as sent for `Accept: application/fhir+json`, where it differs from `json`. */
        fhirJson: z.optional(z.string()),
      }),
    )
    .check(z.minLength(1)),
  /** Resources the plan takes back, such as a claim entered in error. One that isn't stored is no mistake. */
  removed: z.optional(z.array(z.strictObject({ resourceType: z.string(), id: z.string() }))),
});
export type MemberLoad = z.infer<typeof memberLoad>;

export type IngestAnswer =
  | { readonly ok: true; readonly patientId: string; readonly resources: number }
  | {
      readonly ok: false;
      readonly code: 'invalid_request';
      readonly issues: readonly { readonly path: string; readonly message: string }[];
    };
