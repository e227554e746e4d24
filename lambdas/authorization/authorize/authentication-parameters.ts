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
  /** Requested authentication contexts, for the plan's identity provider. */
  readonly acrValues?: string | undefined;
  /** The name the member may sign in with, for the plan's identity provider. */
  readonly loginHint?: string | undefined;
}

/**
 * The member `id_token_hint` names; `anyone` where none was sent. `unknown` where it is no id_token of ours for this
 * application, or can't be verified any more.
 */
export type HintedMember =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'member'; readonly sub: string };

/** Longest number of seconds; a longer one is malformed. */
const wholeSeconds = /^\d{1,15}$/;

/** Longest id_token of this service. */
const longestHint = 4_096;
/** RFC 7515 section 7.1, signed. Decoders skip what is no base64url, and so take many texts for one token. */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** @returns undefined where one of the values is none that is known. */
export function promptsOf(parameters: Parameters): readonly Prompt[] | undefined {
  const sent = (parameterOf(parameters, 'prompt') ?? '').split(' ').filter((value) => value !== '');
  const known = sent.filter((value): value is Prompt => prompts.some((prompt) => prompt === value));
  return known.length === sent.length ? known : undefined;
}

/** @returns undefined where it was not sent, NaN where it is no number of seconds. */
export function maxAgeOf(parameters: Parameters): number | undefined {
  const sent = parameterOf(parameters, 'max_age');
  if (sent === undefined) return undefined;
  return wholeSeconds.test(sent) ? Number(sent) : Number.NaN;
}

/** Whether a text has the form of an id_token at all. */
export function isSignedToken(text: string): boolean {
  return text.length <= longestHint && compactForm.test(text);
}

/** Longest preference that is passed on; a longer one is ignored, not refused. */
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
