/** `WWW-Authenticate` of a 401 for a request without credentials, sent by functions and by API Gateway (RFC 9110 section 11.6.1). */

/** Challenge for an access token. At least one parameter must follow the scheme (RFC 6750 section 3). */
export const bearerChallenge = 'Bearer realm="member-data"';

/** Challenge for client authentication. RFC 6749 section 5.2 requires the scheme that the client used, which can only be Basic. */
export const basicChallenge = 'Basic realm="token", charset="UTF-8"';
