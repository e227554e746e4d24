import { parameterOf } from '../parameters.ts';
import { type RedirectCheck, refuse } from './asked.ts';

/**
 * OpenID Connect Core section 3.1.2.1: `none` asks for no page at all, and every authorization here has one. Other
 * prompts ask for what happens anyway.
 */
export const promptCanBeShown: RedirectCheck = ({ parameters }) => {
  const prompts = (parameterOf(parameters, 'prompt') ?? '').split(' ');
  if (!prompts.includes('none')) return undefined;
  return prompts.length === 1
    ? refuse('login_required', 'the member must sign in')
    : refuse('invalid_request', 'prompt none cannot be combined with another');
};
