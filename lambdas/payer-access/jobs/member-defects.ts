/** Tells a defect in one member's data from a failure of a service. */

import * as z from 'zod/mini';

/** Errors that code throws over data it can't read. Errors of ports are not among them: those repeat the part. */
const defects = [RangeError, TypeError, SyntaxError, z.core.$ZodError] as const;

export interface MemberReports {
  /** One line for the log: a member of a job could not be processed. `at`: its position in the job, from 0. */
  readonly reportMember: (
    code: 'job_member_failed',
    fields: { readonly jobId: string; readonly at: number },
  ) => void;
}

/**
 * Does the work for one member. A defect ends in this member's own result, and stops no other.
 *
 * @throws what the ports throw.
 */
export async function forMember<Result>(
  { reportMember }: MemberReports,
  place: { readonly jobId: string; readonly at: number },
  work: () => Promise<Result>,
  failed: () => Result,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!defects.some((defect) => error instanceof defect)) throw error;
    reportMember('job_member_failed', place);
    return failed();
  }
}
