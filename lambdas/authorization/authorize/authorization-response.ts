/** Builds authorization responses: the redirect with a code or an error. */

import type { AuthorizationError } from './authorization-error.ts';

/** Target of an authorization response. */
export interface ResponseTarget {
  /** Registered redirect URI. A query of its own is kept (RFC 6749 section 3.1.2). */
  readonly redirectUri: string;
  readonly state?: string | undefined;
}

/** The address that the browser is redirected to with a code (RFC 6749 section 4.1.2), with `iss` against mix-up attacks (RFC 9207). */
export function codeResponse(target: ResponseTarget, issuer: string, code: string): string {
  return redirect(target, issuer, { code });
}

/** The address that the browser is redirected to with an error (RFC 6749 section 4.1.2.1). */
export function errorResponse(
  target: ResponseTarget,
  issuer: string,
  { error, description }: AuthorizationError,
): string {
  return redirect(target, issuer, { error, error_description: description });
}

function redirect(
  { redirectUri, state }: ResponseTarget,
  issuer: string,
  answer: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss: issuer });
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}
