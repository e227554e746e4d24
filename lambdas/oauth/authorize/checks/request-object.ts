import { valuesOf } from '../../parameters.ts';
import { type RedirectCheck, refuse } from './asked.ts';

/** OpenID Connect Core section 3.1.2.6: what a server without request objects says. Ignoring one could ignore a limit in it. */
export const noRequestObject: RedirectCheck = ({ parameters }) => {
  if (valuesOf(parameters, 'request').length > 0) {
    return refuse('request_not_supported', 'request objects are not supported');
  }
  return valuesOf(parameters, 'request_uri').length > 0
    ? refuse('request_uri_not_supported', 'request objects are not supported')
    : undefined;
};
