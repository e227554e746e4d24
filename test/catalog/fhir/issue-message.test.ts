import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { issueMessage } from '../../../lambdas/catalog/fhir/issue-message.ts';

it.each<[z.ZodMiniType, unknown, string]>([
  [z.string(), 7, 'expected: string'],
  [z.enum(['a', 'b']), 'c', 'expected: a, b'],
  [z.string().check(z.minLength(3)), 'x', 'expected: a length of at least 3'],
  [z.array(z.string()).check(z.maxLength(0)), ['x'], 'expected: a count of at most 0'],
  [z.number().check(z.minimum(1)), 0, 'expected: a value of at least 1'],
  [z.email(), 'x', 'expected: the form of email'],
  [z.string().check(z.regex(/^\d$/)), 'x', 'expected: the form of /^\\d$/'],
  [z.string().check(z.regex(/^\d$/, { error: 'a digit' })), 'x', 'expected: a digit'],
  [z.optional(z.never({ error: 'nothing' })), 'secret', 'expected: nothing'],
  [z.strictObject({}), { secret: 1 }, 'expected: known members only'],
  [
    z.discriminatedUnion('a', [z.object({ a: z.literal('x') })]),
    { a: 'y' },
    'expected: one of the known kinds',
  ],
])('says in words what was expected, case %#', (schema, value, message) => {
  const parsed = z.safeParse(schema, value);
  expect(parsed.error?.issues.map(issueMessage)).toEqual([message]);
});
