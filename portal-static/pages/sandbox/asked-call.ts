/** Calls that a link names: from a page of the API reference to the workbench, and to an application's page. Pure. */

import { type Interface, interfaceNames } from '../../../lambdas/catalog/interface-families.ts';

export const callMethods = ['GET', 'POST', 'DELETE'] as const;
export type CallMethod = (typeof callMethods)[number];

/** A call of an interface, without its host and credentials. */
export interface AskedCall {
  readonly product: Interface;
  readonly method: CallMethod;
  /** Path and query below the base of the interface: `Coverage?status=active`. */
  readonly path: string;
  /** Body of a POST: form encoding, or JSON. */
  readonly body?: string;
}

/** Path of the page that opens a call in the workbench of an application, or runs it by the demonstration. */
export const tryPath = '/try';

/** The link that opens a call. @param page `tryPath`, or an application's page of the first call. */
export function tryAddress({ product, method, path, body }: AskedCall, page: string = tryPath): string {
  const query = new URLSearchParams({
    interface: product,
    ...(method !== 'GET' && { method }),
    path,
    ...(body !== undefined && { body }),
  });
  return `${page}?${query}`;
}

/** Reads the call in the query of such a link; undefined where there is none. */
export function readAskedCall(search: string): AskedCall | undefined {
  const query = new URLSearchParams(search);
  const product = interfaceNames.find((name) => name === query.get('interface'));
  const method = callMethods.find((name) => name === (query.get('method') ?? 'GET'));
  const [path, body] = [query.get('path'), query.get('body')];
  if (product === undefined || method === undefined || path === null) return undefined;
  return { product, method, path, ...(body !== null && { body }) };
}

/** The Content-Type of a body: JSON is sent as FHIR, everything else as a form. */
export function bodyType(body: string): string {
  return body.trimStart().startsWith('{') ? 'application/fhir+json' : 'application/x-www-form-urlencoded';
}

/** Fills the places of a text, such as `{patient}`, whose IDs are known. */
export function filled(text: string, ids: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => ids[name] ?? place);
}

/** Fills the places of a call's path and body. */
export function filledCall({ body, ...call }: AskedCall, ids: Readonly<Record<string, string>>): AskedCall {
  return { ...call, path: filled(call.path, ids), ...(body !== undefined && { body: filled(body, ids) }) };
}
