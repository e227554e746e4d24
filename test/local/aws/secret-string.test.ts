import { describe, expect, it } from 'vitest';
import { generateSecretString } from '../../../local/aws/secrets-manager/generated-string.ts';

describe('a generated secret string', () => {
  it('has 32 characters with one of each kind, unless told otherwise', () => {
    for (let round = 0; round < 50; round += 1) {
      const password = generateSecretString({});
      expect(password).toHaveLength(32);
      for (const kind of [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/]) expect(password).toMatch(kind);
    }
  });

  it('has only what was not excluded', () => {
    const wish = {
      ExcludeUppercase: true,
      ExcludePunctuation: true,
      ExcludeCharacters: 'abc',
      PasswordLength: 100,
    };
    expect(generateSecretString(wish)).toMatch(/^[d-z0-9]{100}$/);
    expect(() =>
      generateSecretString({
        ExcludeLowercase: true,
        ExcludeUppercase: true,
        ExcludePunctuation: true,
        ExcludeNumbers: true,
      }),
    ).toThrow('every character');
  });

  it('stands in the template under its key', () => {
    const wish = { SecretStringTemplate: '{"user":"a"}', GenerateStringKey: 'password', PasswordLength: 40 };
    expect(JSON.parse(generateSecretString(wish))).toEqual({
      user: 'a',
      password: expect.stringMatching(/^.{40}$/),
    });
  });
});
