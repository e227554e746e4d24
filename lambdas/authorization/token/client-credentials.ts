/** Reads client credentials from a token request: header, body or assertion. */

import { type Parameters, parameterOf, repeatedParameter } from '../oauth/parameters.ts';
import { assertionType, type ClientAssertion, parseAssertion } from './client-assertion.ts';
import { refuseToken, type TokenRefusal } from './token-error.ts';

/** Client credentials of a request, not verified yet. Without secret and assertion they are a public client's. */
export interface PresentedCredentials {
  readonly clientId: string;
  readonly secret?: string;
  readonly assertion?: ClientAssertion;
}

/** Body parameters that contain client credentials. */
export const credentialParameters = [
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
] as const;

type Presented = { readonly kind: 'credentials'; readonly credentials: PresentedCredentials } | TokenRefusal;

/**
 * Reads the client's credentials from the header (`client_secret_basic`) or the body (`client_secret_post`, `private_key_jwt`, or the
 * `client_id` of a public client). A request may use one method only (RFC 6749 section 2.3) and repeat no parameter (section 3.2).
 */
export function presentedCredentials(parameters: Parameters, authorization: string | undefined): Presented {
  const name = repeatedParameter(parameters);
  if (name !== undefined)
    return refuseToken('invalid_request', `${name} was sent more than once`, 'repeated');
  const clientId = parameterOf(parameters, 'client_id');
  const secret = parameterOf(parameters, 'client_secret');
  const assertion = ['client_assertion', 'client_assertion_type'].map((name) =>
    parameterOf(parameters, name),
  );
  if (assertion.some((sent) => sent !== undefined)) {
    if (authorization !== undefined || secret !== undefined) return twoMethods;
    return fromAssertion(parameters, clientId);
  }
  if (authorization !== undefined) return fromHeader(authorization, clientId, secret);
  if (clientId === undefined) {
    return refuseToken('invalid_client', 'client authentication is missing', 'credentials_missing');
  }
  return { kind: 'credentials', credentials: secret === undefined ? { clientId } : { clientId, secret } };
}

const twoMethods = refuseToken('invalid_request', 'use one method of client authentication', 'two_methods');

/**
 * Reads credentials from a client assertion (RFC 7523 section 2.2). The client is the assertion's subject; `client_id` may repeat it (RFC
 * 7521 section 4.2).
 */
function fromAssertion(parameters: Parameters, clientId: string | undefined): Presented {
  const text = parameterOf(parameters, 'client_assertion');
  if (text === undefined || parameterOf(parameters, 'client_assertion_type') !== assertionType) {
    const description = `client_assertion needs client_assertion_type ${assertionType}`;
    return refuseToken('invalid_request', description, 'assertion_type');
  }
  const assertion = parseAssertion(text);
  if (assertion === undefined) {
    return refuseToken('invalid_client', 'client authentication failed', 'assertion_malformed');
  }
  const { sub } = assertion.claims;
  return clientId === undefined || clientId === sub
    ? { kind: 'credentials', credentials: { clientId: sub, assertion } }
    : refuseToken('invalid_request', 'client_id differs from the assertion', 'two_clients');
}

function fromHeader(
  authorization: string,
  clientId: string | undefined,
  secret: string | undefined,
): Presented {
  if (secret !== undefined) return twoMethods;
  const basic = decodeBasic(authorization);
  if (basic === undefined) {
    return refuseToken('invalid_client', 'the authorization header is not HTTP Basic', 'header_malformed');
  }
  return clientId === undefined || clientId === basic.clientId
    ? { kind: 'credentials', credentials: basic }
    : refuseToken('invalid_request', 'client_id differs from the authorization header', 'two_clients');
}

const basicScheme = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** Decodes HTTP Basic credentials, whose two parts are form-urlencoded before they are joined (RFC 6749 section 2.3.1). */
function decodeBasic(
  authorization: string,
): Required<Pick<PresentedCredentials, 'clientId' | 'secret'>> | undefined {
  const encoded = basicScheme.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const pair = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const colon = pair.indexOf(':');
    if (colon < 1) return undefined;
    return { clientId: formDecode(pair.slice(0, colon)), secret: formDecode(pair.slice(colon + 1)) };
  } catch {
    return undefined;
  }
}

/**
 * Decodes a form-urlencoded text.
 *
 * @throws URIError for a malformed percent encoding.
 */
function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
