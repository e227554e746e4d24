/** Reads `prompt`, `max_age`, `id_token_hint` and `acr_values` of an authorization request. */

import { type Prompt, prompts } from '../../catalog/oauth/prompts.ts';
import { type Parameters, parameterOf } from '../oauth/parameters.ts';

/** Parameters of an authorization request that are about the sign-in itself (OpenID Connect Core section 3.1.2.1). */
export interface AuthenticationParameters {
  readonly prompts: readonly Prompt[];
  /** Maximum age of the sign-in, seconds. */
  readonly maxAge?: number | undefined;
  /** An id_token, not verified yet. */
  readonly idTokenHint?: string | undefined;
  /** Requested authentication context classes, passed on to the plan's identity provider. */
  readonly acrValues?: string | undefined;
  /** The member's user name, if the application knows it, passed on to the plan's identity provider. */
  readonly loginHint?: string | undefined;
}

/**
 * The member that `id_token_hint` names: `anyone` if no hint was sent; `unknown` if the hint is not an id_token of this LOB for this
 * application, or can't be verified any more.
 */
export type HintedMember =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'member'; readonly sub: string };

/** Form of `max_age`. More than 15 digits are malformed. */
const wholeSeconds = /^\d{1,15}$/;

/** Maximum characters of an `id_token_hint`; this service issues no longer id_token. */
const longestHint = 4_096;
/**
 * Compact serialization of a signed token (RFC 7515 section 7.1). It is checked because decoders skip characters that are not base64url, so
 * that many texts would stand for one token.
 */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * The values of `prompt`.
 *
 * @returns undefined if one of them is unknown.
 */
export function promptsOf(parameters: Parameters): readonly Prompt[] | undefined {
  const sent = (parameterOf(parameters, 'prompt') ?? '').split(' ').filter((value) => value !== '');
  const known = sent.filter((value): value is Prompt => prompts.some((prompt) => prompt === value));
  return known.length === sent.length ? known : undefined;
}

/**
 * The `max_age` of a request, seconds.
 *
 * @returns undefined if it was not sent, NaN if it is malformed.
 */
export function maxAgeOf(parameters: Parameters): number | undefined {
  const sent = parameterOf(parameters, 'max_age');
  if (sent === undefined) return undefined;
  return wholeSeconds.test(sent) ? Number(sent) : Number.NaN;
}

/** Whether a text has the form of an id_token. Its signature is verified later. */
export function isSignedToken(text: string): boolean {
  return text.length <= longestHint && compactForm.test(text);
}

/** Maximum characters of `acr_values` and `login_hint`. A longer value is ignored: both are optional preferences. */
const longestWish = 255;

function passedOn(wish: string | undefined): string | undefined {
  return wish !== undefined && wish.length <= longestWish ? wish : undefined;
}

/** Reads the authentication parameters of a request whose checks have passed. */
export function authenticationParameters(parameters: Parameters): AuthenticationParameters {
  return {
    prompts: promptsOf(parameters) ?? [],
    maxAge: maxAgeOf(parameters),
    idTokenHint: parameterOf(parameters, 'id_token_hint'),
    acrValues: passedOn(parameterOf(parameters, 'acr_values')),
    loginHint: passedOn(parameterOf(parameters, 'login_hint')),
  };
}
