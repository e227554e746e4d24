/** Bot check of sign-up by proof of work (ALTCHA). */

import { createHash } from 'node:crypto';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import * as z from 'zod/mini';
import { jsonValue } from '../../platform/kernel/json-members.ts';
import type { BotCheck } from '../accounts/developer-services.ts';
import type { BotCheckView } from '../api/views.ts';
import { portalLimits } from '../catalog/limits.ts';

/**
 * Bounds of the number of keys that a browser must derive to solve a challenge; with the cost of each key, many automated sign-ups become
 * expensive.
 */
const leastCounter = 1_000;
const mostCounter = 3_000;

const payload = z.strictObject({
  challenge: z.strictObject({
    parameters: z.looseObject({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      expiresAt: z.number(),
    }),
    signature: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  }),
  solution: z.looseObject({ counter: z.int(), derivedKey: z.string() }),
});

const failed = { kind: 'failed' } as const;

export interface BotCheckServices {
  /** Returns the secret that signs challenges. */
  readonly secret: () => Promise<string>;
  /**
   * Marks an answer as used, by its digest.
   *
   * @returns false where the answer was used before.
   */
  readonly useOnce: (sha256: string, expiresAt: number) => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * The portal's own bot check: ALTCHA's proof of work (PBKDF2/SHA-256). The portal makes and signs the challenges itself, so that no third
 * party learns who signs up. A solution is valid once and for ten minutes.
 *
 * @see https://altcha.org/docs/v2/proof-of-work/
 */
export function createAltchaCheck(
  { secret, useOnce, now }: BotCheckServices,
  options: {
    /** PBKDF2 iterations of each key. */
    readonly cost: number;
  },
): BotCheck {
  return {
    async offer() {
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: options.cost,
        counter: randomInt(leastCounter, mostCounter),
        deriveKey,
        expiresAt: Math.floor(now() / 1000) + portalLimits.botCheckSeconds,
        ...secretsOf(await secret()),
      });
      return { provider: 'altcha', challenge } satisfies BotCheckView;
    },
    async check(answer) {
      const given = parsed(answer);
      if (given === undefined) return failed;
      const { challenge, solution } = given;
      const { expiresAt } = challenge.parameters;
      if (expiresAt <= now() / 1000) return failed;
      // With a key signature in the challenge the library verifies a solution without deriving the key, so the check is cheap whatever was
      // sent.
      if (typeof challenge.parameters.keySignature !== 'string') return failed;
      const { verified } = await verifySolution({
        challenge: challenge as never,
        solution: solution as never,
        deriveKey,
        ...secretsOf(await secret()),
      });
      if (!verified) return failed;
      return { kind: 'passed', use: async () => await useOnce(sha256(challenge.signature), expiresAt) };
    },
  };
}

/** Makes two secrets from one: for signing the challenge, and for signing the key that solves it. */
function secretsOf(secret: string) {
  return { hmacSignatureSecret: secret, hmacKeySignatureSecret: sha256(`key ${secret}`) };
}

function parsed(answer: string): z.infer<typeof payload> | undefined {
  return payload.safeParse(jsonValue(Buffer.from(answer, 'base64').toString('utf8'))).data;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
