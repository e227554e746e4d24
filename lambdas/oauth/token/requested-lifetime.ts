import { type Parameters, parameterOf } from '../parameters.ts';
import { refuseToken, type TokenErrorResponse } from './token-error.ts';

export type RequestedLifetime = { readonly seconds: number } | { readonly refusal: TokenErrorResponse };

/**
 * How long the access token of this request lives. An application may ask for less than is configured, by `expires_in` in
 * whole seconds: to hold a token no longer than it needs it, or to see what a token that is over is answered. Never for more.
 *
 * @param longest the configured lifetime, seconds.
 */
export function requestedLifetime(parameters: Parameters, longest: number): RequestedLifetime {
  const asked = parameterOf(parameters, 'expires_in');
  if (asked === undefined) return { seconds: longest };
  const seconds = /^[1-9][0-9]{0,8}$/.test(asked) ? Number(asked) : Number.POSITIVE_INFINITY;
  if (seconds <= longest) return { seconds };
  const description = `expires_in must be a whole number of seconds from 1 to ${longest}`;
  return refuseToken('invalid_request', description, 'expires_in_unsupported');
}
