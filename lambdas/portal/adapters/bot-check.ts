/** Bot check of sign-up by proof of work (ALTCHA). */

import { createHash } from 'node:crypto';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import * as z from 'zod/mini';
import { jsonValue } from '../../platform/kernel/json-members.ts';
import type { BotCheck } from '../accounts/account-ports.ts';
import type { BotCheckView } from '../api/views.ts';
import { portalLimits } from '../catalog/limits.ts';

/** Number of keys a browser tries; with the cost of each, the work is expensive by the thousand. */
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
  /** Signs the challenges; read at the first one. */
  readonly secret: () => Promise<string>;
  /** Counts an answer by its digest, once. @returns false where it was counted before. */
  readonly useOnce: (sha256: string, expiresAt: number) => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * The portal's own bot check: ALTCHA's proof of work (PBKDF2/SHA-256), signed and made here, so that nobody else learns who
 * signs up. A solution counts once and for ten minutes.
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
      // The signature covers the key too, so that the check derives no key, whatever was sent.
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

/** Derives two secrets from one: for the challenge, and for the key that solves it. */
function secretsOf(secret: string) {
  return { hmacSignatureSecret: secret, hmacKeySignatureSecret: sha256(`key ${secret}`) };
}

function parsed(answer: string): z.infer<typeof payload> | undefined {
  return payload.safeParse(jsonValue(Buffer.from(answer, 'base64').toString('utf8'))).data;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
