import { parameterOf } from '../../parameters.ts';
import { isSignedToken } from '../authentication-parameters.ts';
import { type RedirectCheck, refuse } from './asked.ts';

/**
 * OpenID Connect Core section 3.1.2.1: an id_token this server issued. What hasn't even the form of one is a mistake its
 * developer wants to hear of. Whether it is one of ours is looked at later: one whose key is gone by now is no mistake.
 */
export const hintIsToken: RedirectCheck = ({ parameters }) => {
  const sent = parameterOf(parameters, 'id_token_hint');
  return sent === undefined || isSignedToken(sent)
    ? undefined
    : refuse('invalid_request', 'id_token_hint is not an id_token');
};
