/** Challenge of a 401 for a request without credentials, the functions' and the gateway's (RFC 9110 section 11.6.1). */

/** An access token. RFC 6750 section 3: one parameter at least follows the scheme. */
export const bearerChallenge = 'Bearer realm="member-data"';

/** A client's authentication; RFC 6749 section 5.2 wants the scheme the client used, which is Basic or none. */
export const basicChallenge = 'Basic realm="token", charset="UTF-8"';
