import type * as z from 'zod/mini';

/**
 * Words a schema's expectation of a value. `zod/mini` carries no texts of its own ("Invalid input"), and the value
 * itself is never quoted. What a schema of ours says in its own words begins with a small letter; zod's texts don't.
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
