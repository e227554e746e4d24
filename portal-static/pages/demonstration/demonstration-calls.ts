/** Calls of the demonstration: a token of the sandbox's fictional member, and what visitors read with it. Pure. */

import {
  authorizationServerEndpoints,
  type EnvironmentOrigins,
  fhirBase,
} from '../../../lambdas/catalog/addresses.ts';
import type { Interface } from '../../../lambdas/catalog/interface-families.ts';
import { demonstration } from '../../../lambdas/catalog/oauth/demonstration.ts';
import { type AskedCall, bodyType, filledCall } from '../sandbox/asked-call.ts';
import type { HttpCall } from '../sandbox/http-call.ts';

/** An example that the page offers, by its name in the page. */
interface Example {
  readonly name: string;
  readonly product: Interface;
  /** Below the interface's base. @param patient the ID that came with the token. */
  readonly path: (patient: string) => string;
}

export const examples = {
  patient: {
    name: 'Read a member',
    product: 'patient-access',
    path: (patient) => `/Patient/${encodeURIComponent(patient)}`,
  },
  claims: {
    name: 'Search the member’s claims',
    product: 'patient-access',
    path: () => '/ExplanationOfBenefit?_count=2',
  },
  directory: {
    name: 'Search the provider directory',
    product: 'provider-directory',
    path: () => '/Practitioner?_count=2',
  },
} as const satisfies Readonly<Record<string, Example>>;
export type ExampleName = keyof typeof examples;
export const exampleNames = Object.keys(examples) as readonly ExampleName[];

const { clientId, grantType, lineOfBusiness, subscriptionKey } = demonstration;

/** Requests a token. No secret is in it: whoever sends it gets the same fictional member. */
export function demonstrationTokenCall(origins: EnvironmentOrigins): HttpCall {
  return {
    title: 'Get a token of the fictional member',
    method: 'POST',
    url: authorizationServerEndpoints(origins, lineOfBusiness).token,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: { grant_type: grantType, client_id: clientId },
  };
}

/** A call at an address below the base of an interface; the Provider Directory takes no token. */
export function demonstrationCall(
  title: string,
  url: string,
  product: Interface,
  accessToken: string,
  { method, body }: Pick<AskedCall, 'method' | 'body'> = { method: 'GET' },
): HttpCall {
  return {
    title,
    method,
    url,
    headers: {
      accept: 'application/json',
      ...(product !== 'provider-directory' && { authorization: `Bearer ${accessToken}` }),
      'x-api-subscription-key': subscriptionKey,
      ...(body !== undefined && { 'content-type': bodyType(body) }),
    },
    ...(body !== undefined && { body }),
  };
}

/** Whether the demonstration's member and key can make a call. Payer Access needs another payer's token. */
export function canDemonstrate({ product, method }: AskedCall): boolean {
  return product !== 'payer-access' && method !== 'DELETE';
}

/** A call that a page of the reference names. */
export function namedCall(
  origins: EnvironmentOrigins,
  asked: AskedCall,
  { accessToken, patient }: { readonly accessToken: string; readonly patient: string },
): HttpCall {
  const { product, method, path, body } = filledCall(asked, { patient });
  const url = `${fhirBase(origins, lineOfBusiness, product)}/${path}`;
  return demonstrationCall(`${method} ${path}`, url, product, accessToken, {
    method,
    ...(body !== undefined && { body }),
  });
}

/** The call of an example. @param token as the token endpoint answered. */
export function exampleCall(
  origins: EnvironmentOrigins,
  example: ExampleName,
  token: { readonly accessToken: string; readonly patient: string },
): HttpCall {
  const { name, product, path } = examples[example];
  const base = fhirBase(origins, lineOfBusiness, product);
  return demonstrationCall(name, `${base}${path(token.patient)}`, product, token.accessToken);
}

/** Says what a failed call means and what to do. @param retryAfter the header, seconds. */
export function failureWords(status: number | undefined, retryAfter: string | undefined): string | undefined {
  if (status === undefined) {
    return 'There was no answer. You may be offline, or the sandbox can’t be reached. Check your connection and press the button again.';
  }
  if (status < 400) return undefined;
  const seconds = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined;
  const later = seconds === undefined ? 'in some minutes' : `in ${waitWords(seconds)}`;
  if (status === 429) {
    return `The sandbox limits how often visitors call it, and the limit is reached. Try again ${later}, or get your own key.`;
  }
  if (status >= 500) return `The sandbox can’t answer at the moment. Try again ${later}.`;
  return 'The sandbox refused the call. The response says why.';
}

function waitWords(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
