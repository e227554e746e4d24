/** Errors of portal API calls, for the pages. */

import type { ProblemDetails } from '../../lambdas/portal/api/views.ts';

/** A failed call: a problem that the API returned, or no response. */
export type Problem = ProblemDetails | Unanswered;

/** No response, or one that is not the API's. It is unknown whether the request was carried out. */
export interface Unanswered {
  readonly code: 'no_answer';
  readonly title: string;
  readonly detail: string;
}

export const unanswered: Unanswered = {
  code: 'no_answer',
  title: 'We could not reach the portal.',
  detail: 'Check your connection and try again. What you typed is still here.',
};

/** Reads the problem in a body of `application/problem+json` (RFC 9457). */
export function readProblem(body: unknown): Problem {
  return isProblem(body) ? body : unanswered;
}

function isProblem(body: unknown): body is ProblemDetails {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    'title' in body &&
    typeof body.title === 'string'
  );
}

/** Removes sentences that name fields in backticks: they are for developers of API clients. */
const forPeople = (text: string) =>
  text
    .split(/(?<=\.) /)
    .filter((it) => !it.includes('`'))
    .join(' ');

/** The text of a problem: what happened, then what to do. */
export function problemWords(problem: Problem): string {
  const { title } = problem;
  const tries = 'triesLeft' in problem ? problem.triesLeft : undefined;
  if (tries === 0) return `${title} You have no tries left for this code. Request a new code.`;
  const detail = forPeople(problem.detail);
  const wait = 'retryAfter' in problem ? problem.retryAfter : undefined;
  return [
    title,
    detail !== title ? detail : undefined,
    tries === undefined ? undefined : `You have ${tries} ${tries === 1 ? 'try' : 'tries'} left.`,
    wait === undefined ? undefined : `Try again in ${waitingTime(wait)}.`,
  ]
    .filter((it) => it !== undefined && it !== '')
    .join(' ');
}

/** Formats a waiting time: `90` seconds as "2 minutes", rounded up so that the wait suffices. */
export function waitingTime(seconds: number): string {
  if (seconds < 60) return plural(Math.max(1, Math.ceil(seconds)), 'second');
  if (seconds < 3600) return plural(Math.ceil(seconds / 60), 'minute');
  return plural(Math.ceil(seconds / 3600), 'hour');
}

const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
