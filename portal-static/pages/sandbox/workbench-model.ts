/** Calls of the workbench: any read or search with the token at hand, and changes that make it fail. Pure. */

import { fhirBase } from '../../../lambdas/catalog/addresses.ts';
import {
  type Interface,
  interfaceFamilies,
  interfaceNames,
} from '../../../lambdas/catalog/interface-families.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { type Exchange, jsonOf } from './exchange.ts';
import type { HttpCall } from './http-call.ts';
import type { Origins } from './try-model.ts';

/** Credentials of the page's further calls, kept for as long as it is open. */
export interface TokenAtHand {
  readonly accessToken: string;
  /** The member's Patient ID; absent of a back-end service. */
  readonly patient?: string;
  readonly subscriptionKey: string;
}

/** The token and key that earlier calls of this page had; undefined where none was accepted. */
export function tokenAtHand(steps: readonly { readonly exchange: Exchange }[]): TokenAtHand | undefined {
  const keys = steps.map(({ exchange }) => exchange.call.headers['x-api-subscription-key']);
  const subscriptionKey = keys.find((key) => key !== undefined);
  if (subscriptionKey === undefined) return undefined;
  const [issued] = steps
    .map(({ exchange }) => jsonOf(exchange))
    .filter(({ access_token: accessToken }) => typeof accessToken === 'string');
  const { access_token: accessToken, patient } = issued ?? {};
  return {
    accessToken: typeof accessToken === 'string' ? accessToken : '',
    ...(typeof patient === 'string' && { patient }),
    subscriptionKey,
  };
}

/** Paths to begin with. @param patient the ID that came with the token. */
const examplePaths: Readonly<Record<Interface, (patient: string) => readonly string[]>> = {
  'patient-access': (patient) => [
    `Patient/${patient}`,
    'Coverage',
    'ExplanationOfBenefit?_count=5',
    'Condition?_count=5',
    'Observation?category=laboratory&_count=5',
    `Patient/${patient}/$everything`,
    'fhir/metadata',
  ],
  'payer-access': () => ['Group', 'fhir/metadata'],
  'provider-directory': () => [
    'Practitioner?_count=5',
    'PractitionerRole?location.address-city=Washington&_count=5',
    'Organization?_count=5',
    'metadata',
  ],
};

export function pathsOf(product: Interface, { patient }: TokenAtHand): readonly string[] {
  const paths = examplePaths[product](patient ?? '');
  return patient === undefined ? paths.filter((path) => !path.startsWith('Patient/')) : paths;
}

type Headers = Readonly<Record<string, string>>;

interface Change {
  readonly name: string;
  /** Headers of the call, changed. */
  readonly headers: (headers: Headers) => Headers;
  /** Meaning of the response that follows. */
  readonly words: string;
}

const without = (name: string) => (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));

/** Changes of a call that an application must be ready for. */
export const changes = {
  none: { name: 'As it is', headers: (headers) => headers, words: '' },
  'wrong-key': {
    name: 'With a wrong subscription key',
    headers: (headers) => ({ ...headers, 'x-api-subscription-key': 'a-subscription-key-nobody-has-0000' }),
    words: 'The gateway does not know the subscription key, so no application is identified.',
  },
  'no-key': {
    name: 'Without a subscription key',
    headers: without('x-api-subscription-key'),
    words: 'The call has no subscription key.',
  },
  'wrong-token': {
    name: 'With a changed token',
    headers: (headers) =>
      headers.authorization === undefined
        ? headers
        : { ...headers, authorization: `${headers.authorization}x` },
    words: 'The signature of the token no longer fits. Delete such a token and get a new one.',
  },
  'no-token': {
    name: 'Without a token',
    headers: without('authorization'),
    words: 'The call has no access token.',
  },
  strict: {
    name: 'Strictly: refuse unknown parameters',
    headers: (headers) => ({ ...headers, prefer: 'handling=strict' }),
    words:
      'With `Prefer: handling=strict`, a parameter that is not supported is refused. Otherwise it is ignored.',
  },
  fhir: {
    name: 'As application/fhir+json',
    headers: (headers) => ({ ...headers, accept: 'application/fhir+json' }),
    words: 'In `application/fhir+json`, an unknown month or day is omitted. In `application/json` it is 00.',
  },
} as const satisfies Readonly<Record<string, Change>>;
export type ChangeName = keyof typeof changes;
export const changeNames = Object.keys(changes) as readonly ChangeName[];

/** Says what is wrong with a typed path; undefined where it can be sent. */
export function pathFault(path: string): string | undefined {
  if (path.trim() === '') return 'Enter a path, like Coverage or Patient/123.';
  if (/^[a-z][a-z0-9+.-]*:/i.test(path.trim()) || path.trim().startsWith('//')) {
    return 'Enter the path below the base only, without the host.';
  }
  return /^\/?(?:[A-Z][A-Za-z]+|fhir\/metadata|metadata|\.well-known\/)/.test(path.trim())
    ? undefined
    : 'Begin with a resource type, like Coverage, or with metadata.';
}

/** A call of the workbench. The Provider Directory takes no token. @param path below the base of the interface */
export function workbenchCall(
  origins: Origins,
  lob: LineOfBusiness,
  product: Interface,
  path: string,
  { accessToken, subscriptionKey }: TokenAtHand,
  change: ChangeName = 'none',
): HttpCall {
  const below = path.trim().replace(/^\/+/, '');
  const headers: Headers = {
    accept: 'application/json',
    ...(product !== 'provider-directory' && { authorization: `Bearer ${accessToken}` }),
    'x-api-subscription-key': subscriptionKey,
  };
  return {
    title: change === 'none' ? `GET ${below}` : `GET ${below}, ${lowered(changes[change].name)}`,
    method: 'GET',
    url: `${fhirBase(origins, lob, product)}/${below}`,
    headers: changes[change].headers(headers),
  };
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The base of the interface that an address belongs to; empty for another address. */
export function baseOf(origins: Origins, lob: LineOfBusiness, url: string): string {
  const place = placeOf(origins, lob, url);
  return place === undefined ? '' : fhirBase(origins, lob, place.product);
}

/** The interface that an address belongs to, and the path below its base; undefined for another address. */
export function placeOf(
  origins: Origins,
  lob: LineOfBusiness,
  url: string,
): { readonly product: Interface; readonly path: string } | undefined {
  for (const product of interfaceNames) {
    const base = `${fhirBase(origins, lob, product)}/`;
    if (url.startsWith(base)) return { product, path: url.slice(base.length) };
  }
  return undefined;
}

export const productName = (product: Interface) => interfaceFamilies[product].name;

const statusWords: Readonly<Record<number, string>> = {
  200: 'The call succeeded.',
  400: 'The request has a mistake. Each issue of the OperationOutcome names one, and what is supported.',
  401: 'The access token is missing, expired, changed, or its grant has ended.',
  403: 'The subscription key or the scope does not allow the call.',
  404: 'There is no such resource, or it is of another member, or of a category that the member did not share.',
  429: 'Too many calls. Wait the number of seconds in `Retry-After`.',
  503: 'The service is busy. Wait the number of seconds in `Retry-After`, then send the call again.',
};

/** Says what a response means. @param status undefined where there was none */
export function explained(status: number | undefined, change: ChangeName): string {
  if (status === undefined) return 'There was no response. Check your connection, then send the call again.';
  const meaning = statusWords[status] ?? 'See `diagnostics` in the response.';
  return [changes[change].words, meaning].filter((words) => words !== '').join(' ');
}
