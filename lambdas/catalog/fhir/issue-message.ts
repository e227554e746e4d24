import type * as z from 'zod/mini';

/**
 * Formats the expectation that a value did not meet, without quoting the value. `zod/mini` has no texts of its own ("Invalid input"); those
 * of this project's schemas begin with a lowercase letter, zod's with a capital.
 */
export function issueMessage(issue: z.core.$ZodIssue): string {
  if (/^[a-z0-9]/.test(issue.message)) return `expected: ${issue.message}`;
  switch (issue.code) {
    case 'invalid_type':
      return `expected: ${issue.expected}`;
    case 'invalid_value':
      return `expected: ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `expected: ${unitOf(issue.origin)} of at least ${issue.minimum}`;
    case 'too_big':
      return `expected: ${unitOf(issue.origin)} of at most ${issue.maximum}`;
    case 'invalid_format':
      return `expected: the form of ${issue.format === 'regex' ? (issue.pattern ?? 'its pattern') : issue.format}`;
    case 'unrecognized_keys':
      return 'expected: known members only';
    case 'invalid_union':
      return 'expected: one of the known kinds';
    default:
      return 'expected: another value';
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return 'a length';
  return origin === 'array' ? 'a count' : 'a value';
}
