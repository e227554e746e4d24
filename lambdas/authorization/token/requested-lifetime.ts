import { type Parameters, parameterOf } from '../oauth/parameters.ts';
import { refuseToken, type TokenRefusal } from './token-error.ts';

export type RequestedLifetime = { readonly kind: 'lifetime'; readonly seconds: number } | TokenRefusal;

/**
 * Reads the requested lifetime of an access token, `expires_in` in whole seconds. An application may request less than is configured, not
 * more: to keep a token no longer than needed, or to test with an expired one.
 *
 * @param longest the configured lifetime, seconds.
 */
export function requestedLifetime(parameters: Parameters, longest: number): RequestedLifetime {
  const asked = parameterOf(parameters, 'expires_in');
  if (asked === undefined) return { kind: 'lifetime', seconds: longest };
  const seconds = /^[1-9][0-9]{0,8}$/.test(asked) ? Number(asked) : Number.POSITIVE_INFINITY;
  if (seconds <= longest) return { kind: 'lifetime', seconds };
  const description = `expires_in must be a whole number of seconds from 1 to ${longest}`;
  return refuseToken('invalid_request', description, 'expires_in_unsupported');
}
