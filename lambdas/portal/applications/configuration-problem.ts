import { jsonMember } from '../../platform/kernel/json-members.ts';
import type { FieldIssue } from '../api/applications.ts';
import { type PortalProblem, problem } from '../api/route-handler.ts';
import type { ProblemField } from '../api/views.ts';

/**
 * Makes the problem of an invalid configuration, with JSON Pointers that begin with `/configuration`.
 *
 * @param configuration as it was sent.
 */
export function configurationProblem(issues: readonly FieldIssue[], configuration: unknown): PortalProblem {
  return problem('invalid_request', {
    errors: issues.map(({ path, message }) => ({
      pointer: pointer(['configuration', ...path]),
      code: codeOf(path, message, configuration),
      expected: message,
    })),
  });
}

/** Makes a JSON Pointer (RFC 6901) from a path. */
function pointer(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function codeOf(path: readonly (string | number)[], message: string, sent: unknown): ProblemField['code'] {
  if (message === 'remove this field: it does not exist') return 'unknown_field';
  const found = path.reduce<unknown>((at, part) => jsonMember(at, String(part)), sent);
  return found === undefined ? 'missing' : 'invalid';
}
