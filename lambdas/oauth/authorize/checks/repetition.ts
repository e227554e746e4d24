import { singleAuthorizationParameters } from '../../../catalog/authorization-parameters.ts';
import { repeatedAmong } from '../../parameters.ts';
import { type RedirectCheck, refuse } from './asked.ts';

/** RFC 6749 section 3.1: a parameter MUST NOT be included more than once. */
export const nothingRepeated: RedirectCheck = ({ parameters }) => {
  const name = repeatedAmong(parameters, singleAuthorizationParameters);
  return name === undefined ? undefined : refuse('invalid_request', `${name} was sent more than once`);
};
