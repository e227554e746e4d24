/** Request schemas of operators' decisions about applications and accounts. */

import * as z from 'zod/mini';
import { decisionCriterionNames } from '../catalog/application-states.ts';
import { portalLimits } from '../catalog/limits.ts';
import { email, line, paragraph, recordVersion, usPhone } from './fields.ts';

/**
 * Decisions of an operator, by the console or by `npm run ops -- apps …`: one schema for both.
 */
const reason = paragraph('the reason that the developer reads');
const version = recordVersion;

const against = {
  version,
  /** A criterion of the published list. */
  criterion: z.enum(decisionCriterionNames, { error: 'choose a criterion from the published list' }),
  /** The field it is about, where it is about one: a name of the application's configuration. */
  field: z.optional(line('a field of the application', 60)),
  reason,
};

/** `change` decisions are about the difference submitted for an approved application. */
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
/** `unattended`: each approved one, where nobody else in the team is active. */
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
    /** Applications of its team that are suspended with it, by acts of their own. None where absent. */
    applications: z.optional(suspendedApplications),
  }),
  /** Applications that were suspended with the account stay suspended. */
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
