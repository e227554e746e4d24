import { describe, expect, it } from 'vitest';
import { generateSecretString } from '../../../local/aws/secrets-manager/generated-string.ts';

describe('a generated secret string', () => {
  it('has 32 characters with one of each kind by default', () => {
    for (let round = 0; round < 50; round += 1) {
      const password = generateSecretString({});
      expect(password).toHaveLength(32);
      for (const kind of [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/]) expect(password).toMatch(kind);
    }
  });

  it('has the length and the characters that the template asks for', () => {
    expect(generateSecretString({ ExcludePunctuation: true, PasswordLength: 48 })).toMatch(
      /^[a-zA-Z\d]{48}$/,
    );
  });

  it('is refused where the template asks for more than templates here do', () => {
    expect(() => generateSecretString({ ExcludeCharacters: 'abc' })).toThrow('"ExcludeCharacters"');
    expect(() => generateSecretString({ PasswordLength: 3 })).toThrow('not known on one machine');
  });
});
