import { promptsOf } from '../authentication-parameters.ts';
import { type RedirectCheck, refuse } from './asked.ts';

/**
 * OpenID Connect Core section 3.1.2.1: `none` stands alone. A value that isn't known is refused, as the metadata's
 * `prompt_values_supported` lets an application expect (Initiating User Registration via OpenID Connect 1.0 section 4.2).
 */
export const promptsKnown: RedirectCheck = ({ parameters }) => {
  const asked = promptsOf(parameters);
  if (asked === undefined) return refuse('invalid_request', 'prompt has a value that is not supported');
  return asked.includes('none') && asked.length > 1
    ? refuse('invalid_request', 'prompt none cannot be combined with another')
    : undefined;
};
