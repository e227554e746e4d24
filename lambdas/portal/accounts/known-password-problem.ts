import type { ProblemField } from '../api/views.ts';

/**
 * Makes the field problem of a password that is in the list of commonly used passwords.
 *
 * @param pointer JSON Pointer of the field (RFC 6901)
 */
export function knownPassword(pointer: string): ProblemField {
  return {
    pointer,
    code: 'known_password',
    expected: 'a password that is hard to guess, like a few words of your own',
  };
}
