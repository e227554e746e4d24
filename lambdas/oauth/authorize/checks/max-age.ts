import { maxAgeOf } from '../authentication-parameters.ts';
import { type RedirectCheck, refuse } from './asked.ts';

/** OpenID Connect Core section 3.1.2.1: seconds. Who limits the age by something else must hear that it limits nothing. */
export const maxAgeIsSeconds: RedirectCheck = ({ parameters }) =>
  Number.isNaN(maxAgeOf(parameters))
    ? refuse('invalid_request', 'max_age must be a whole number of seconds')
    : undefined;
