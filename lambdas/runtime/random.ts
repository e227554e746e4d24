import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** Randomness from the operating system's CSPRNG. Handed in, so that tests can predict it. */
export interface Random {
  /** `bytes` random bytes, base64url without padding; 32 bytes (256 bit) unless told. */
  token(bytes?: number): string;
  /** A version 4 UUID. */
  uuid(): string;
  /** So many decimal digits, each as likely as another; at most 14. */
  digits(count: number): string;
}

export const systemRandom: Random = {
  token: (bytes = 32) => randomBytes(bytes).toString('base64url'),
  uuid: () => randomUUID(),
  digits: (count) => String(randomInt(10 ** count)).padStart(count, '0'),
};
