/** Restricts the API reference to the sandbox and adds the credentials of its calls. */

import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import type { AddressesView } from '../../../lambdas/portal/api/views.ts';

/**
 * Credentials that the reference sends with a call. Kept in the page's memory only: a reload forgets them.
 */
export interface CallCredentials {
  readonly subscriptionKey: string;
  readonly accessToken: string;
}

interface Server {
  readonly url: string;
}
interface PathItem {
  readonly servers?: readonly Server[];
}
interface Document {
  readonly servers?: readonly Server[];
  readonly paths: Readonly<Record<string, PathItem>>;
}

/** The document with the sandbox's servers only: no call from a page of ours goes to production. */
export function sandboxDocument(document: Document, { environments }: AddressesView): Document {
  const { auth, token, apiTemplate } = environments.sandbox;
  const sandbox = ({ url }: Server) => [auth, token, apiTemplate].includes(url);
  const only = (servers: readonly Server[] = []) => servers.filter(sandbox);
  return {
    ...document,
    servers: only(document.servers),
    paths: Object.fromEntries(
      Object.entries(document.paths).map(([path, item]) => [path, { ...item, servers: only(item.servers) }]),
    ),
  };
}

/** Whether a call may carry the credentials: it goes to one of the sandbox's own hosts. */
export function goesToSandbox(url: string, { environments }: AddressesView): boolean {
  const { auth, token, apiTemplate } = environments.sandbox;
  if (!URL.canParse(url)) return false;
  const { origin, username } = new URL(url);
  const hosts = lineOfBusinessCodes.map((lob) => apiTemplate.replace('{lob}', lob.toLowerCase()));
  return username === '' && [auth, token, ...hosts].includes(origin);
}

export interface OutgoingCall {
  url: string;
  headers: Record<string, string>;
}

/** Adds key and token to a call that goes to the sandbox, where the caller gave none by hand. */
export function withCredentials(
  request: OutgoingCall,
  { subscriptionKey, accessToken }: CallCredentials,
  addresses: AddressesView,
): OutgoingCall {
  if (!goesToSandbox(request.url, addresses)) return request;
  const has = (name: string) => Object.keys(request.headers).some((each) => each.toLowerCase() === name);
  const isData =
    !new URL(request.url).pathname.startsWith('/fhir-oauth2/pub/') || /\/userinfo$/.test(request.url);
  const headers = { ...request.headers };
  if (subscriptionKey !== '' && !has('x-api-subscription-key')) {
    headers['x-api-subscription-key'] = subscriptionKey;
  }
  if (
    accessToken !== '' &&
    isData &&
    !has('authorization') &&
    !request.url.startsWith(addresses.environments.sandbox.token)
  ) {
    headers.Authorization = `Bearer ${accessToken}`;
  }
  return { ...request, headers };
}
