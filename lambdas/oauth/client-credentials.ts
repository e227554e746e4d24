import { type Parameters, parameterOf, repeatedAmong } from './parameters.ts';
import { refuseToken, type TokenRefusal } from './token-error.ts';

/** Who a caller of a token endpoint says it is. Without a secret it is a public client. */
export interface PresentedCredentials {
  readonly clientId: string;
  readonly secret?: string;
}

type Presented = { readonly credentials: PresentedCredentials } | { readonly refusal: TokenRefusal };

/**
 * Reads the client's credentials from the header (`client_secret_basic`) or the body (`client_secret_post`, or the bare
 * `client_id` of a public client). RFC 6749 section 2.3: one method per request.
 */
export function presentedCredentials(parameters: Parameters, authorization: string | undefined): Presented {
  const name = repeatedAmong(parameters, ['client_id', 'client_secret']);
  if (name !== undefined)
    return refuseToken('invalid_request', `${name} was sent more than once`, 'repeated');
  const clientId = parameterOf(parameters, 'client_id');
  const secret = parameterOf(parameters, 'client_secret');
  if (authorization !== undefined) return fromHeader(authorization, clientId, secret);
  if (clientId === undefined) {
    return refuseToken('invalid_client', 'client authentication is missing', 'credentials_missing');
  }
  return { credentials: secret === undefined ? { clientId } : { clientId, secret } };
}

function fromHeader(
  authorization: string,
  clientId: string | undefined,
  secret: string | undefined,
): Presented {
  if (secret !== undefined) {
    return refuseToken('invalid_request', 'use one method of client authentication', 'two_methods');
  }
  const basic = decodeBasic(authorization);
  if (basic === undefined) {
    return refuseToken('invalid_client', 'the authorization header is not HTTP Basic', 'header_malformed');
  }
  return clientId === undefined || clientId === basic.clientId
    ? { credentials: basic }
    : refuseToken('invalid_request', 'client_id differs from the authorization header', 'two_clients');
}

const basicScheme = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** HTTP Basic whose two parts are form-urlencoded before they are joined (RFC 6749 section 2.3.1). */
function decodeBasic(authorization: string): Required<PresentedCredentials> | undefined {
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

/** @throws URIError for a malformed percent encoding. */
function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
