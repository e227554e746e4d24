/** Local Secrets Manager: generates the first value of a secret. */

import { randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { AssemblyError } from '../../assembly/assembly-error.ts';

/** The members of `GenerateSecretString` (`AWS::SecretsManager::Secret`) that the templates set, with AWS's defaults. */
const generation = z.strictObject({
  ExcludePunctuation: z._default(z.boolean(), false),
  PasswordLength: z._default(z.int().check(z.minimum(4), z.maximum(4_096)), 32),
});

const lowercase = 'abcdefghijklmnopqrstuvwxyz';
const kinds = [lowercase, lowercase.toUpperCase(), '0123456789'];
const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/**
 * Generates a random password with a character of each kind.
 *
 * @throws AssemblyError for a member that the templates do not set, because the value would not be what AWS generates.
 */
export function generateSecretString(properties: unknown): string {
  const parsed = z.safeParse(generation, properties);
  if (!parsed.success) {
    throw new AssemblyError(`GenerateSecretString ${JSON.stringify(properties)} is not known on one machine`);
  }
  const { ExcludePunctuation, PasswordLength } = parsed.data;
  const wanted = ExcludePunctuation ? kinds : [...kinds, punctuation];
  const all = wanted.join('');
  for (;;) {
    const password = Array.from({ length: PasswordLength }, () => all.charAt(randomInt(all.length))).join('');
    if (wanted.every((kind) => [...kind].some((character) => password.includes(character)))) return password;
  }
}
