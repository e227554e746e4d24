import { portalLimits } from './limits.ts';

/**
 * Every cookie that the portal sets, with its purpose and its lifetime. A cookie without `maxAgeSeconds` lasts until the browser is closed.
 */
export const portalCookies = {
  '__Host-session': { purpose: 'keeps you signed in' },
  '__Host-signed-in': { purpose: 'tells the pages that you are signed in. It holds no other data' },
  '__Host-sign-in': {
    purpose: 'connects the code we send you with your sign-in',
    maxAgeSeconds: portalLimits.codeSeconds,
  },
  '__Host-browser': {
    purpose: 'recognizes this browser after you enter a code, so that you are not asked for a code each time',
    maxAgeSeconds: 180 * 24 * 60 * 60,
  },
} as const satisfies Readonly<Record<string, { readonly purpose: string; readonly maxAgeSeconds?: number }>>;

export type PortalCookie = keyof typeof portalCookies;
