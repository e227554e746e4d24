import { parameterOf } from '../parameters.ts';
import type { PageCheck } from './asked.ts';

/** OpenID Connect Core section 3.1.2.1: REQUIRED, even where only one is registered. */
export const redirectUriPresent: PageCheck = ({ parameters }) =>
  parameterOf(parameters, 'redirect_uri') === undefined ? 'redirect_uri_missing' : undefined;

/** Visible ASCII: what else a URL parser forgives would be trouble in a header. A fragment is forbidden (RFC 6749 section 3.1.2). */
const usable = /^[\x21\x22\x24-\x7e]+$/;

/** Equality of raw strings (RFC 9700 section 4.1.3): a parser would forgive case, ports, dots and encodings. */
export const redirectUriRegistered: PageCheck = ({ parameters, client }) => {
  const redirectUri = parameterOf(parameters, 'redirect_uri') ?? '';
  return client?.redirectUris.includes(redirectUri) && usable.test(redirectUri)
    ? undefined
    : 'redirect_uri_unregistered';
};
