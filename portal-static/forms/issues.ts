/** Errors of form fields, from the schema or the API. */

import type * as z from 'zod/mini';
import type { ProblemField } from '../../lambdas/portal/api/views.ts';
import { type Problem, problemWords } from '../api/problem.ts';
import { fieldOfPointer } from './values.ts';

/** Issues by the field's name. Only the first issue of a field is shown. */
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

/** Problems that are about one field, though the API names none. */
const fieldOf: Readonly<Partial<Record<Problem['code'], RegExp>>> = {
  wrong_code: /^code$/,
  code_expired: /^code$/,
  wrong_password: /assword$/,
};

/** @param names of the page's fields, as they follow one another: the present password comes before a new one. */
export function problemOfField(problem: Problem, names: readonly string[]): FieldErrors {
  const name = names.find((it) => fieldOf[problem.code]?.test(it));
  return name === undefined ? {} : { [name]: problemWords(problem) };
}

/** Expectations that are sentences already; the others say what to enter. */
const imperative = /^(?:choose|select|complete|remove|leave|enter|use|ask)\b/i;

/** "an e-mail address like …" as a sentence beside a field: "Enter an e-mail address like …". */
export function sentence(expected: string): string {
  return imperative.test(expected) ? capital(expected) : `Enter ${expected}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
