import type { ProblemField } from '../api/views.ts';

/** The field problem of a password that would be guessed early. @param pointer RFC 6901 */
export function knownPassword(pointer: string): ProblemField {
  return {
    pointer,
    code: 'known_password',
    expected: 'a password that is hard to guess, like a few words of your own',
  };
}
