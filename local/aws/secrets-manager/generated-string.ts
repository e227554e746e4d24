/** Local Secrets Manager: generates secret values. */

import { randomInt } from 'node:crypto';

/** `GenerateSecretString` of `AWS::SecretsManager::Secret`, with the defaults of its reference page. */
export interface GenerateSecretString {
  readonly ExcludeCharacters?: string;
  readonly ExcludeLowercase?: boolean;
  readonly ExcludeNumbers?: boolean;
  readonly ExcludePunctuation?: boolean;
  readonly ExcludeUppercase?: boolean;
  readonly GenerateStringKey?: string;
  readonly IncludeSpace?: boolean;
  readonly PasswordLength?: number;
  readonly RequireEachIncludedType?: boolean;
  readonly SecretStringTemplate?: string;
}

const lowercase = 'abcdefghijklmnopqrstuvwxyz';
const numbers = '0123456789';
const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

type RandomBelow = (limit: number) => number;

/** Generates the first value of a secret: a random password, alone or inserted into the JSON template. */
export function generateSecretString(wish: GenerateSecretString, below: RandomBelow = randomInt): string {
  const password = generatePassword(wish, below);
  if (wish.GenerateStringKey === undefined || wish.SecretStringTemplate === undefined) return password;
  const template = JSON.parse(wish.SecretStringTemplate) as Record<string, unknown>;
  return JSON.stringify({ ...template, [wish.GenerateStringKey]: password });
}

function generatePassword(wish: GenerateSecretString, below: RandomBelow): string {
  const excluded = new Set(wish.ExcludeCharacters ?? '');
  const types = [
    wish.ExcludeLowercase ? '' : lowercase,
    wish.ExcludeUppercase ? '' : lowercase.toUpperCase(),
    wish.ExcludeNumbers ? '' : numbers,
    wish.ExcludePunctuation ? '' : punctuation,
    wish.IncludeSpace ? ' ' : '',
  ]
    .map((characters) => [...characters].filter((character) => !excluded.has(character)))
    .filter((characters) => characters.length > 0);
  const all = types.flat();
  const length = wish.PasswordLength ?? 32;
  if (all.length === 0) throw new Error('GenerateSecretString excludes every character');
  const pick = (characters: readonly string[]): string => characters[below(characters.length)] ?? '';
  const required = wish.RequireEachIncludedType === false ? [] : types.map(pick);
  const password = [
    ...required,
    ...Array.from({ length: Math.max(0, length - required.length) }, () => pick(all)),
  ];
  return shuffled(password, below).slice(0, length).join('');
}

/** Shuffles characters (Fisher and Yates), so that the required ones are not at the front. */
function shuffled(characters: readonly string[], below: RandomBelow): string[] {
  const result = [...characters];
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = below(index + 1);
    [result[index], result[other]] = [result[other] ?? '', result[index] ?? ''];
  }
  return result;
}
