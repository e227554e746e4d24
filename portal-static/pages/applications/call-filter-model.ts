/** The filter of the log of calls: its fields, the query of a page of calls, and the query in the page's own address. */

import type { Environment } from '../../../lambdas/catalog/environments.ts';
import type { Problem } from '../../api/problem.ts';

/** The fields of the filter as they are typed; an empty field filters nothing. */
export interface CallFilterFields {
  readonly lob: string;
  /** `succeeded`, `refused` or empty. */
  readonly outcome: string;
  readonly status: string;
  readonly path: string;
  /** Age of the oldest call, in minutes. */
  readonly minutes: string;
  readonly requestId: string;
}

export const noFilter: CallFilterFields = {
  lob: '',
  outcome: '',
  status: '',
  path: '',
  minutes: '',
  requestId: '',
};

const names = Object.keys(noFilter) as (keyof CallFilterFields)[];

/** Reads the filter from the query of the page's address. */
export function filterOf(query: Readonly<Record<string, string | undefined>>): CallFilterFields {
  return Object.fromEntries(names.map((name) => [name, query[name] ?? ''])) as unknown as CallFilterFields;
}

/** The page's address with the filter, so that a reload and a link show the same calls. */
export function callsAddress(path: string, environment: Environment, filter: CallFilterFields): string {
  const query = new URLSearchParams(environment === 'production' ? { environment } : {});
  for (const name of names) if (filter[name].trim() !== '') query.set(name, filter[name].trim());
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Periods that the filter offers, by minutes. */
export const periods: Readonly<Record<string, string>> = {
  15: 'Last 15 minutes',
  60: 'Last hour',
  1440: 'Last 24 hours',
  4320: 'Last 3 days',
};

/** The filter as query of the API. @param now milliseconds since 1970. */
export function callsQueryOf(
  { minutes, ...texts }: CallFilterFields,
  now: number,
): Readonly<Record<string, string>> {
  const given = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  const from = now - Number(minutes) * 60_000;
  return {
    ...Object.fromEntries(given.map(([name, text]) => [name, text.trim()])),
    ...(Object.hasOwn(periods, minutes) ? { from: new Date(from).toISOString() } : {}),
  };
}

/** The errors of the filter's fields in a problem of the API, by field. */
export function filterErrors(problem: Problem | undefined): Readonly<Record<string, string>> {
  const errors = problem !== undefined && 'errors' in problem ? (problem.errors ?? []) : [];
  return Object.fromEntries(errors.map(({ pointer, expected }) => [pointer.slice(1), `Enter ${expected}.`]));
}

export function isFiltered(filter: CallFilterFields): boolean {
  return names.some((name) => filter[name].trim() !== '');
}
