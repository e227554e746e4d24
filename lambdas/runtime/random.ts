import { randomBytes, randomUUID } from 'node:crypto';

/** Randomness from the operating system's CSPRNG. Handed in, so that tests can predict it. */
export interface Random {
  /** `bytes` random bytes, base64url without padding; 32 bytes (256 bit) unless told. */
  token(bytes?: number): string;
  /** A version 4 UUID. */
  uuid(): string;
}

export const systemRandom: Random = {
  token: (bytes = 32) => randomBytes(bytes).toString('base64url'),
  uuid: () => randomUUID(),
};
