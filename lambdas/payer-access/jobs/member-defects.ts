/** Distinguishes an error in one member's data from a failure of a service. */

import * as z from 'zod/mini';

/** Errors of code that can't read a member's data. Errors of ports are not listed: they make the whole part run again. */
const defects = [RangeError, TypeError, SyntaxError, z.core.$ZodError] as const;

export interface MemberReports {
  /** Logs that a member of a job could not be processed. `at` is the member's position in the job, from 0. */
  readonly reportMember: (
    code: 'job_member_failed',
    fields: { readonly jobId: string; readonly at: number },
  ) => void;
}

/**
 * Does the work for one member. An error in the member's data gives the result `failed()`, and does not stop the work for other members.
 *
 * @throws the errors of the ports.
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
