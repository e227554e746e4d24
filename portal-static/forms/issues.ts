/** Converts errors of a schema or of the API to errors of form fields. */

import type * as z from 'zod/mini';
import type { ProblemField } from '../../lambdas/portal/api/views.ts';
import { type Problem, problemWords } from '../api/problem.ts';
import { fieldOfPointer } from './values.ts';

/** The error of each field, by field name: the first issue found. */
export type FieldErrors = Readonly<Record<string, string>>;

function firstOf(issues: readonly (readonly [string, string])[]): FieldErrors {
  return Object.fromEntries([...issues].reverse());
}

export function schemaErrors(schema: z.ZodMiniType, request: unknown): FieldErrors {
  const parsed = schema.safeParse(request);
  if (parsed.success) return {};
  return firstOf(
    parsed.error.issues.map((issue) => [issue.path.join('.'), sentence(issue.message)] as const),
  );
}

export function problemErrors(errors: readonly ProblemField[]): FieldErrors {
  return firstOf(
    errors.map(({ pointer, code, expected }) => [
      fieldOfPointer(pointer),
      code === 'taken' ? capital(expected) : sentence(expected),
    ]),
  );
}

/** Problems that concern one field although the API's response does not name it, with a pattern of the field's name. */
const fieldOf: Readonly<Partial<Record<Problem['code'], RegExp>>> = {
  wrong_code: /^code$/,
  code_expired: /^code$/,
  wrong_password: /assword$/,
};

/**
 * Finds the field of a problem, as in `fieldOf`.
 *
 * @param names of the page's fields in page order: the present password comes before a new one.
 */
export function problemOfField(problem: Problem, names: readonly string[]): FieldErrors {
  const name = names.find((it) => fieldOf[problem.code]?.test(it));
  return name === undefined ? {} : { [name]: problemWords(problem) };
}

/** Matches expectations that are sentences already. Others name what to enter. */
const imperative = /^(?:choose|select|complete|remove|leave|enter|use|ask)\b/i;

/** Makes a sentence of an expectation: "an e-mail address like …" becomes "Enter an e-mail address like …". */
export function sentence(expected: string): string {
  return imperative.test(expected) ? capital(expected) : `Enter ${expected}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
