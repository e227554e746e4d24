/** The time by which operators decide: shown to them in the queue, and to developers on their pages and in mails. */

import { businessDayAfter } from '../../platform/kernel/business-days.ts';
import { portalLimits } from '../catalog/limits.ts';

/**
 * The day by which a decision is expected (`portalLimits.decisionBusinessDays`).
 *
 * @param since time of the submission, ISO 8601.
 * @returns a day of UTC, such as `2026-12-04`.
 */
export function decisionExpectedBy(since: string): string {
  const day = businessDayAfter(Date.parse(since), portalLimits.decisionBusinessDays);
  return new Date(day).toISOString().slice(0, 10);
}
