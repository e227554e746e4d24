/** Problem details (RFC 9457) for invalid fields of a portal request. */

import type * as z from 'zod/mini';
import { jsonMember } from '../../platform/kernel/json-members.ts';
import type { ProblemField } from '../api/views.ts';

/** Most field problems in one response. */
const mostFields = 50;
const nameShown = 100;

/**
 * Lists the problems that a schema found, field by field, in words that a page can show beside each field.
 *
 * @param value the parsed value.
 */
export function problemFields(error: z.core.$ZodError, value: unknown): readonly ProblemField[] {
  return error.issues.flatMap((issue) => fieldsOf(issue, value)).slice(0, mostFields);
}

function fieldsOf(issue: z.core.$ZodIssue, value: unknown): readonly ProblemField[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => ({
      pointer: pointer([...issue.path, name.slice(0, nameShown)]),
      code: 'unknown_field',
      expected: 'remove this field: it does not exist',
    }));
  }
  const missing = valueAt(value, issue.path) === undefined;
  const expected = issue.message === '' || issue.message === 'Invalid input' ? plain : issue.message;
  return [{ pointer: pointer(issue.path), code: missing ? 'missing' : 'invalid', expected }];
}

const plain = 'a value in the documented format';

/** Makes a JSON Pointer (RFC 6901) from a path. */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((at, part) => jsonMember(at, String(part)), value);
}
