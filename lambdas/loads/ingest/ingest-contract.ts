/** Requests and responses of the function `ingest`, which loads one member. */

import * as z from 'zod/mini';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';

/** A name that Cognito and a page accept: well-formed text without control characters. */
const name = z.string().check(z.minLength(1), z.maxLength(256), z.regex(/^[^\p{Cc}\p{Cs}]+$/u));

/** A password that the member pool's policy accepts: no white space at either end, and 15 characters or more. */
const password = z.string().check(
  z.minLength(15),
  z.maxLength(128),
  z.regex(/^\S.*\S$/su),
  z.refine((text) => text.isWellFormed() && text.normalize('NFKC').length >= 15),
);

/**
 * The payload for a Lambda invocation of an environment's `ingest` function: one member of one LOB with resources. Repeating a load is
 * harmless.
 *
 * An invocation's payload is limited to 6 MB. A larger record is sent in several loads, one after the other, each with the Patient, and
 * each resource after the resources it refers to. A load leaves all other stored resources as they are; only resources listed in `removed`
 * are removed.
 */
export const memberLoad = z.strictObject({
  lob: z.enum(lineOfBusinessCodes),
  patientId: z.string().check(z.uuid()),
  /** The plan's member identifier; also the member's user name at sign-in. */
  memberId: z.string().check(z.regex(/^[A-Z0-9]{6,20}$/)),
  email: z.email(),
  /** A US number in E.164. */
  phoneNumber: z.string().check(z.regex(/^\+1\d{10}$/)),
  givenName: name,
  familyName: name,
  /**
   * Password of a new account, for synthetic members only. Real members set theirs by the plan's enrollment; no load changes a password.
   */
  password: z.optional(password),
  resources: z
    .array(
      z.strictObject({
        resourceType: z.string(),
        id: z.string(),
        versionId: z.string(),
        lastUpdated: z.string(),
        /** Serialized, as sent for `Accept: application/json`. */
        json: z.string(),
        /** Serialized, as sent for `Accept: application/fhir+json`, if it differs from `json`. */
        fhirJson: z.optional(z.string()),
      }),
    )
    .check(z.minLength(1)),
  /** Resources that the plan withdraws, such as a claim entered in error. A resource that isn't stored is ignored. */
  removed: z.optional(z.array(z.strictObject({ resourceType: z.string(), id: z.string() }))),
});
export type MemberLoad = z.infer<typeof memberLoad>;

/**
 * A rule that a load breaks: the path of the element (`resources.0.json`) and the expected value in words. It never contains a value of the
 * load.
 */
export interface IngestIssue {
  readonly path: string;
  readonly message: string;
}

export type IngestAnswer =
  | { readonly kind: 'loaded'; readonly patientId: string; readonly resources: number }
  | {
      readonly kind: 'refusal';
      readonly code: 'invalid_request';
      readonly issues: readonly IngestIssue[];
    };
