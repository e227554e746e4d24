import { repeatedAmong } from '../parameters.ts';
import { type RedirectCheck, refuse } from './asked.ts';

/** Every parameter this server reads. Unknown ones are ignored (RFC 6749 section 3.1), however often they come. */
const known = [
  'response_type',
  'response_mode',
  'scope',
  'state',
  'aud',
  'nonce',
  'prompt',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
];

/** RFC 6749 section 3.1: a parameter MUST NOT be included more than once. */
export const nothingRepeated: RedirectCheck = ({ parameters }) => {
  const name = repeatedAmong(parameters, known);
  return name === undefined ? undefined : refuse('invalid_request', `${name} was sent more than once`);
};
