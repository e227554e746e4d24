import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Digests } from '../kernel/digests.ts';

/** Digests made with Node's crypto. Injected into the domains, which do not import it. */
export const digests: Digests = {
  sha256Hex: (text: string) => createHash('sha256').update(text).digest('hex'),
  sha256Base64Url: (text: string) => createHash('sha256').update(text).digest('base64url'),
  hmacSha256Base64Url: (key: string, text: string) =>
    createHmac('sha256', key).update(text).digest('base64url'),
  /** Compares digests of the texts, so that the time does not reveal where the texts differ. */
  equal: (a: string, b: string) =>
    timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest()),
};
