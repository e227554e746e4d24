/** Requests and answers of the function `ingest`, which loads one member. */

import * as z from 'zod/mini';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';

/** A name as Cognito and a page take it: whole characters, none of them a control character. */
const name = z.string().check(z.minLength(1), z.maxLength(256), z.regex(/^[^\p{Cc}\p{Cs}]+$/u));

/** A password that the member pool's policy accepts: no white space at either end, 15 characters as they are stored. */
const password = z.string().check(
  z.minLength(15),
  z.maxLength(128),
  z.regex(/^\S.*\S$/su),
  z.refine((text) => text.isWellFormed() && text.normalize('NFKC').length >= 15),
);

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
  givenName: name,
  familyName: name,
  /** Only for synthetic members: the password of a new account. Real members set theirs by the plan's enrolment; no load changes one. */
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
        /** Serialized, as sent for `Accept: application/fhir+json`, where it differs from `json`. */
        fhirJson: z.optional(z.string()),
      }),
    )
    .check(z.minLength(1)),
  /** Resources the plan takes back, such as a claim entered in error. One that isn't stored is no mistake. */
  removed: z.optional(z.array(z.strictObject({ resourceType: z.string(), id: z.string() }))),
});
export type MemberLoad = z.infer<typeof memberLoad>;

/** A rule that a load breaks: the path of the element (`resources.0.json`) and what was expected there. Never a value. */
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
