import * as z from 'zod/mini';
import { paragraph } from '../../../lambdas/portal/api/fields.ts';

/** Values of the form of a decision against an account. */
export const reasonSchema = z.object({
  reason: paragraph('the reason that the developer reads'),
  unattended: z.optional(z.boolean()),
  applications: z.optional(z.array(z.string())),
});
