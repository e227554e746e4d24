/** Generates signing keys. */

import { generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { PrivateJwk } from './signing-key-set.ts';

const generate = promisify(generateKeyPair);

/** Bits of a key. RFC 7518 section 3.3 requires 2048 at least; more would slow down every signature and verification. */
const modulusLength = 2048;

/** Makes RSA keys of an algorithm, in parallel on libuv's threads. */
export async function makeSigningKeys(
  count: number,
  alg: PrivateJwk['alg'] = 'RS256',
): Promise<readonly PrivateJwk[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const { privateKey } = await generate('rsa', { modulusLength });
      const { n, e, d, p, q, dp, dq, qi } = privateKey.export({ format: 'jwk' }) as Omit<
        PrivateJwk,
        'kty' | 'kid' | 'alg' | 'use'
      >;
      return { kty: 'RSA', kid: randomUUID(), alg, use: 'sig', n, e, d, p, q, dp, dq, qi } as const;
    }),
  );
}
