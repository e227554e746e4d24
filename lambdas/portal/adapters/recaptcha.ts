/** Bot check of sign-up by reCAPTCHA. */

import * as z from 'zod/mini';
import type { BotCheck } from '../accounts/developer-services.ts';
import { portalLimits } from '../catalog/limits.ts';
import { type BotCheckServices, sha256 } from './bot-check.ts';

const verifyUrl = 'https://www.google.com/recaptcha/api/siteverify';
const timeoutMs = 3_000;
/** Least score that counts as a person: the threshold Google recommends to begin with. reCAPTCHA v3 only. */
const leastScore = 0.5;

const verification = z.object({
  success: z.boolean(),
  hostname: z.optional(z.string()),
  score: z.optional(z.number()),
});

/**
 * Creates the bot check by reCAPTCHA, for portals whose platform team has configured it.
 *
 * @see https://developers.google.com/recaptcha/docs/verify
 */
export function createRecaptchaCheck(
  { secret, useOnce, now }: BotCheckServices,
  options: {
    readonly siteKey: string;
    /** The portal's host; an answer given on another site is refused. */
    readonly hostname: string;
    readonly fetch?: typeof globalThis.fetch;
  },
): BotCheck {
  const send = options.fetch ?? globalThis.fetch;
  return {
    offer: async () => ({ provider: 'recaptcha', siteKey: options.siteKey }),
    async check(answer, ip) {
      const body = new URLSearchParams({ secret: await secret(), response: answer, remoteip: ip });
      const signal = AbortSignal.timeout(timeoutMs);
      let verified: z.infer<typeof verification>;
      try {
        const response = await send(verifyUrl, { method: 'POST', body, signal, redirect: 'error' });
        if (!response.ok) return { kind: 'unavailable' };
        verified = verification.parse(await response.json());
      } catch {
        return { kind: 'unavailable' };
      }
      const { success, hostname, score = 1 } = verified;
      if (!success || hostname !== options.hostname || score < leastScore) return { kind: 'failed' };
      // Google refuses a used answer too; this also refuses it when two functions check it at the same time.
      const expiresAt = Math.ceil(now() / 1000) + portalLimits.botCheckSeconds;
      return { kind: 'passed', use: async () => await useOnce(sha256(answer), expiresAt) };
    },
  };
}
