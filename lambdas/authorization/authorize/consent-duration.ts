/** Duration of the access that a member consents to: the longest that is configured, or a shorter one that the member chooses. */

import { includesOfflineAccess } from '../../catalog/oauth/scopes.ts';
import { parameterOf } from '../oauth/parameters.ts';
import type { BrowserRequest } from './browser-request.ts';

/** Configured lifetimes, in seconds. */
export interface ConsentLifetimes {
  /** Seconds that an access token is valid, and with it a grant without offline access. */
  readonly accessTokenSeconds: number;
  /** Seconds that a grant with offline access lasts. */
  readonly grantSeconds: number;
}

const secondsOfDay = 86_400;

/** Seconds of access that the member consents to. */
export function accessSeconds({ accessTokenSeconds, grantSeconds }: ConsentLifetimes, scope: string): number {
  return includesOfflineAccess(scope) ? grantSeconds : accessTokenSeconds;
}

/** Durations in days that a member may choose for offline access, instead of the longest. */
const offeredDays = [1, 7, 30, 90, 180] as const;

/** Durations in days that the page offers: those shorter than a grant lasts. */
export function daysOffered(
  { grantSeconds }: Pick<ConsentLifetimes, 'grantSeconds'>,
  scope: string,
): readonly number[] {
  return includesOfflineAccess(scope) ? offeredDays.filter((days) => days * secondsOfDay < grantSeconds) : [];
}

/**
 * Reads the duration that the member chose in the form.
 *
 * @returns undefined if the page did not offer it.
 */
export function chosenSeconds(
  services: Pick<ConsentLifetimes, 'grantSeconds'>,
  { form }: BrowserRequest,
  scope: string,
): { readonly grantSeconds?: number } | undefined {
  const days = parameterOf(form, 'days');
  if (days === undefined) return {};
  const offered = daysOffered(services, scope).find((each) => String(each) === days);
  return offered === undefined ? undefined : { grantSeconds: offered * secondsOfDay };
}
