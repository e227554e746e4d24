import { describe, expect, it } from 'vitest';
import { isKnownPassword } from '../../../lambdas/platform/kernel/known-passwords.ts';

describe('a password that is guessed early', () => {
  it.each([
    'correct horse battery staple',
    'CorrectHorseBatteryStaple',
    'the quick brown fox jumps',
    'passwordpassword',
    'P@ssw0rd-2026!!!!',
    'Password123456789',
    'Welcome to Member Data',
    'developerportal2026',
    'admin admin admin admin',
    'qwertyuiopasdfghjkl',
    'aaaaaaaaaaaaaaaa',
    'abcabcabcabcabcabc',
    '123456789012345',
    '111111111111111',
    'summer2024winter2025',
    'iloveyou iloveyou 1',
  ])('is known: %s', (password) => {
    expect(isKnownPassword(password)).toBe(true);
  });

  it.each([
    'tall lantern maps the river',
    'seven green paper boats',
    'k9!vR2#qZ7&mW4$x',
    '482910573829104',
    'Übermut tut selten gut',
    'nineteen purple otters',
  ])('is not known: %s', (password) => {
    expect(isKnownPassword(password)).toBe(false);
  });

  it.each([
    ['a name', 'Marguerite1985!!'],
    ['an address', 'mduval@clinic.example'],
    ['a company', 'Clinic of the Hills 1'],
    ['a user name', 'maggie.duval-2026'],
  ])('is made of the own %s', (_, password) => {
    const own = ['Marguerite', 'Duval', 'Clinic of the Hills', 'mduval@clinic.example', 'maggie.duval'];
    expect(isKnownPassword(password, own)).toBe(true);
    expect(isKnownPassword('tall lantern maps the river', own)).toBe(false);
  });
});
