import { parameterOf } from '../../parameters.ts';
import { type RedirectCheck, refuse } from './asked.ts';

/** RFC 6749 section 3.1.1. `code` is the only one here (RFC 9700 section 2.1.2 advises against the implicit grant). */
export const responseTypeIsCode: RedirectCheck = ({ parameters }) => {
  const responseType = parameterOf(parameters, 'response_type');
  if (responseType === undefined) return refuse('invalid_request', 'response_type is missing');
  if (responseType === 'code') return undefined;
  return refuse('unsupported_response_type', 'response_type must be code');
};

/** OAuth 2.0 Multiple Response Type Encoding Practices section 2.1. */
export const responseModeIsQuery: RedirectCheck = ({ parameters }) =>
  ['query', undefined].includes(parameterOf(parameters, 'response_mode'))
    ? undefined
    : refuse('invalid_request', 'response_mode must be query');
