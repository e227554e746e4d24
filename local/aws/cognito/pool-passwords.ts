/** Local Cognito: password policy and password hashes. */

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AwsError } from '../protocol/aws-error.ts';
import type { PasswordPolicy } from './user-pools.ts';

/** Cost of one hash: about 4 ms, because a start may load hundreds of members. Only passwords of test members are hashed. */
const cost = { N: 1_024, r: 8, p: 1 };

/** Most characters of a password in Cognito, under any policy. */
const maximumLength = 256;

/**
 * Checks a password against the policy.
 *
 * @throws AwsError `InvalidPasswordException` with the first broken rule, in Cognito's words.
 */
export function checkPassword(password: string, policy: PasswordPolicy): void {
  const rules: readonly (readonly [boolean, string])[] = [
    [password.length < policy.minimumLength, 'Password not long enough'],
    [password.length > maximumLength, 'Password is too long'],
    [policy.requireLowercase && !/[a-z]/.test(password), 'Password must have lowercase characters'],
    [policy.requireUppercase && !/[A-Z]/.test(password), 'Password must have uppercase characters'],
    [policy.requireNumbers && !/\d/.test(password), 'Password must have numeric characters'],
    [
      policy.requireSymbols && !/[\^$*.[\]{}()?\-"!@#%&/\\,><':;|_~`+= ]/.test(password),
      'Password must have symbol characters',
    ],
    [/^\s|\s$/.test(password), 'Password cannot begin or end with a space'],
  ];
  const broken = rules.find(([isBroken]) => isBroken);
  if (broken === undefined) return;
  throw new AwsError('InvalidPasswordException', `Password did not conform with policy: ${broken[1]}`);
}

/** Hashes a password: `<salt>.<hash>`, base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `${salt.toString('base64url')}.${(await derive(password, salt)).toString('base64url')}`;
}

/** Verifies a password. It takes the same time without a stored hash, so that timing does not reveal unknown users. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [salt = '', hash = ''] = (stored ?? nobody).split('.');
  const derived = await derive(password, Buffer.from(salt, 'base64url'));
  const expected = Buffer.from(hash, 'base64url');
  return timingSafeEqual(derived, expected) && stored !== null;
}

const nobody = `${randomBytes(16).toString('base64url')}.${randomBytes(32).toString('base64url')}`;

async function derive(password: string, salt: Buffer): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    scrypt(password, salt, 32, cost, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
