import * as z from 'zod/mini';
import { fhirId } from '../../catalog/fhir/fhir-id.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';

/** Requests to an environment's `operator-grants` function, for a member who can't use their connected apps. */

/** Reasons why an operator ends a member's grants: the code in the audit, and its meaning. Free text is not accepted. */
export const endReasons = {
  member_asked: 'the member requested it, by phone or in writing',
  representative_asked: 'the member’s personal representative requested it (45 CFR 164.502(g))',
  not_the_member: 'another person signed in as the member and shared data',
  member_harmed: 'the application uses the data for something the member did not agree to',
} as const;
export type EndReason = keyof typeof endReasons;

/** A member, by the plan's member identifier or by the ID of the Patient. */
const member = z.union([
  z.strictObject({ memberId: z.string().check(z.regex(/^[A-Z0-9]{6,20}$/)) }),
  z.strictObject({ patientId: z.string().check(z.regex(fhirId)) }),
]);
export type MemberReference = z.infer<typeof member>;

const about = { lob: z.enum(lineOfBusinessCodes), member };

export const operatorGrantsRequest = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('list'), ...about }),
  z.strictObject({
    action: z.literal('end'),
    ...about,
    /** `all` applications, or one. */
    applications: z.union([
      z.literal('all'),
      z.strictObject({ clientId: z.string().check(z.minLength(1), z.maxLength(64)) }),
    ]),
    reason: z.enum(Object.keys(endReasons) as [EndReason, ...EndReason[]]),
    /** ID of the request (a UUID), which its audit events and its log line have in common. */
    requestId: z.string().check(z.uuid()),
  }),
]);
export type OperatorGrantsRequest = z.infer<typeof operatorGrantsRequest>;

/** An application that a member shares with: its active grants combined. Times are ISO 8601. */
export interface ListedApplication {
  readonly clientId: string;
  /** Name that the member sees; absent if the application is no longer registered. */
  readonly name?: string;
  readonly scopes: readonly string[];
  readonly since: string;
  readonly until: string;
  /** Time of the last access; absent if there was none, or none since `notReadSince`. */
  readonly lastAccess?: string;
  /** Start of the period without an access, if earlier audit events were not read. */
  readonly notReadSince?: string;
}

export interface EndedGrant {
  readonly grantId: string;
  readonly clientId: string;
}

export type OperatorGrantsAnswer =
  | {
      readonly kind: 'applications';
      readonly patientId: string;
      readonly applications: readonly ListedApplication[];
    }
  /** The grants that this request ended; a repeated request ends none. */
  | { readonly kind: 'ended'; readonly patientId: string; readonly ended: readonly EndedGrant[] }
  | { readonly kind: 'refusal'; readonly reason: 'member_unknown' | 'not_shared' };
