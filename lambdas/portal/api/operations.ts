/** Request schemas of operators' decisions about applications and accounts. */

import * as z from 'zod/mini';
import { decisionCriterionNames } from '../catalog/application-states.ts';
import { portalLimits } from '../catalog/limits.ts';
import { email, line, paragraph, recordVersion, usPhone } from './fields.ts';

/** Schemas of an operator's decisions. The console and `npm run ops -- apps …` share them. */
const reason = paragraph('the reason that the developer reads');
const version = recordVersion;

const against = {
  version,
  /** A criterion of the published list of decision criteria. */
  criterion: z.enum(decisionCriterionNames, { error: 'choose a criterion from the published list' }),
  /** The field of the application's configuration that the finding is about; absent if it concerns no single field. */
  field: z.optional(line('a field of the application', 60)),
  reason,
};

/**
 * A decision about an application. `approve_change`, `request_change_changes` and `reject_change` decide about changed values submitted for
 * an approved application.
 */
export const applicationDecision = z.discriminatedUnion('act', [
  z.strictObject({
    act: z.literal('approve'),
    version,
    note: z.optional(paragraph('a note to the developer')),
  }),
  z.strictObject({ act: z.literal('request_changes'), ...against }),
  z.strictObject({ act: z.literal('reject'), ...against }),
  z.strictObject({
    act: z.literal('approve_change'),
    version,
    note: z.optional(paragraph('a note to the developer')),
  }),
  z.strictObject({ act: z.literal('request_change_changes'), ...against }),
  z.strictObject({ act: z.literal('reject_change'), ...against }),
  z.strictObject({ act: z.literal('suspend'), version, reason }),
  z.strictObject({
    act: z.literal('resume'),
    version,
    note: z.optional(paragraph('a note to the developer')),
  }),
  z.strictObject({ act: z.literal('revoke'), version, reason }),
]);
export type ApplicationDecision = z.infer<typeof applicationDecision>;

const applicationsExpected = '`unattended` or the IDs of applications of the account’s team';
/**
 * IDs of applications to suspend with an account. `unattended`: every approved application of the team, but only if the team has no other
 * active member.
 */
export const suspendedApplications = z.union(
  [
    z.literal('unattended'),
    z
      .array(z.string().check(z.minLength(1), z.maxLength(64)))
      .check(z.minLength(1), z.maxLength(portalLimits.applicationsPerTeam)),
  ],
  { error: applicationsExpected },
);

export const accountDecision = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('verify_organization'), version }),
  z.strictObject({ act: z.literal('refuse_organization'), version, reason }),
  z.strictObject({
    act: z.literal('suspend'),
    version,
    reason,
    /** Applications of the team that are suspended with the account, each by an act of its own. No application if absent. */
    applications: z.optional(suspendedApplications),
  }),
  /** Resumes the account only: applications that were suspended with it stay suspended. */
  z.strictObject({ act: z.literal('resume'), version }),
]);
export type AccountDecision = z.infer<typeof accountDecision>;

/** A person who becomes an operator. Codes at sign-in go to the phone. */
export const newOperator = z.strictObject({
  firstName: line('the first name', 60),
  lastName: line('the last name', 60),
  email,
  phone: usPhone,
});
export type NewOperator = z.infer<typeof newOperator>;
