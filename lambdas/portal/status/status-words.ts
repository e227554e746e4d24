/** Times and scopes of the status in words, for the page and the feed. */

import { linesOfBusiness } from '../../catalog/lines-of-business.ts';
import { componentKinds } from '../catalog/status.ts';
import type { IncidentScope } from './incident.ts';
import type { CheckCounts } from './status-ports.ts';

/** A time in UTC, because a page without scripts can't know the reader's zone: `Nov 27, 2026, 8:45 PM UTC`. */
export function timeWords(at: string): string {
  return new Date(at).toLocaleString('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  });
}

/** A date in UTC: `Nov 27, 2026`. */
export function dateWords(date: string): string {
  return new Date(date).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
}

/** The components of an incident: `Patient Access, Payer Access; production; DSNP`. */
export function scopeWords({ kinds, environments, lobs }: IncidentScope): string {
  const names = kinds?.map((each) => componentKinds[each].name).join(', ');
  const isPortal = kinds?.every((each) => componentKinds[each].each === 'service') === true;
  if (isPortal) return names ?? '';
  return [
    names ?? 'All components',
    environments?.join(' and ') ?? 'sandbox and production',
    lobs?.join(', ') ?? `all ${Object.keys(linesOfBusiness).length} lines of business`,
  ].join('; ');
}

/** The share of checks that were answered, rounded down, so that 100 % means every one: `99.97 %`. */
export function shareWords({ answered, failed }: CheckCounts): string {
  return `${Math.floor((answered / (answered + failed)) * 10_000) / 100} %`;
}

export function counted(number: number, one: string, several = `${one}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : several}`;
}
