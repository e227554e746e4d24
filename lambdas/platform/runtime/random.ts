import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Random } from '../kernel/random.ts';

/** Randomness from the operating system's CSPRNG. */
export const systemRandom: Random = {
  token: (bytes = 32) => randomBytes(bytes).toString('base64url'),
  uuid: () => randomUUID(),
  digits: (count) => String(randomInt(10 ** count)).padStart(count, '0'),
};
