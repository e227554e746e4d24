import { planBrand } from '../../catalog/plan-brand.ts';

/**
 * Headers of every page. The page loads nothing (a logo is inside it), is in no frame, is not cached and runs no script. Its forms lead to this host and, by the
 * redirect after the member's answer, to the application's redirect URI (browsers apply `form-action` to redirects too). `Referrer-Policy`
 * is `same-origin`: with `no-referrer` browsers send `Origin: null` with this host's own forms (Fetch standard, "append a request Origin
 * header"), which the origin check would refuse.
 *
 * @param styleSha256 base64 of the style sheet's SHA-256.
 * @param formAction a source expression, the redirect URI's origin or scheme.
 * @param hasLogo whether the page has the plan's logo, as a `data:` address.
 */
export function pageHeaders(
  styleSha256: string,
  formAction?: string,
  hasLogo = planBrand?.logo !== undefined,
): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleSha256}'`,
    ...(hasLogo ? ['img-src data:'] : []),
    `form-action ${["'self'", formAction].filter((source) => source !== undefined).join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    ...redirectHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

/** Headers of a redirect that has a code or an error in its address. */
export const redirectHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
};
