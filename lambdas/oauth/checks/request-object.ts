import { type RedirectCheck, refuse } from './asked.ts';

/** OpenID Connect Core section 3.1.2.6: what a server without request objects says. Ignoring one could ignore a limit in it. */
export const noRequestObject: RedirectCheck = ({ parameters }) => {
  if (parameters.has('request')) {
    return refuse('request_not_supported', 'request objects are not supported');
  }
  return parameters.has('request_uri')
    ? refuse('request_uri_not_supported', 'request objects are not supported')
    : undefined;
};
