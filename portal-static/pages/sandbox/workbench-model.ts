/** Calls of the workbench: any operation with the token at hand, and changes that make it fail. Pure. */

import { fhirBase } from '../../../lambdas/catalog/addresses.ts';
import {
  type Interface,
  interfaceFamilies,
  interfaceNames,
} from '../../../lambdas/catalog/interface-families.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { type AskedCall, bodyType, filled } from './asked-call.ts';
import { answerHeader, type Exchange, jsonOf } from './exchange.ts';
import type { HttpCall } from './http-call.ts';
import type { Origins } from './try-model.ts';

/** Credentials of the page's further calls, kept for as long as it is open. */
export interface TokenAtHand {
  readonly accessToken: string;
  /** The member's Patient ID; absent of a back-end service. */
  readonly patient?: string;
  /** Absent where the grant has none. */
  readonly refreshToken?: string;
  readonly subscriptionKey: string;
}

/** An exchange of this page, or of an earlier visit, which is kept without its secrets. */
interface Made {
  readonly exchange: Exchange;
  readonly kept?: true;
}

/** The newest token and the key of the page's own calls; undefined where no call with a key was made. */
export function tokenAtHand(steps: readonly Made[]): TokenAtHand | undefined {
  const own = steps.filter(({ kept }) => kept === undefined).map(({ exchange }) => exchange);
  const keys = own.map(({ call }) => call.headers['x-api-subscription-key']);
  const subscriptionKey = keys.find((key) => key !== undefined);
  if (subscriptionKey === undefined) return undefined;
  const issued = own.map(jsonOf).filter(({ access_token: token }) => typeof token === 'string');
  const newest = (name: string) => {
    const value = issued.findLast((answer) => typeof answer[name] === 'string')?.[name];
    return typeof value === 'string' ? value : undefined;
  };
  const [patient, refreshToken] = [newest('patient'), newest('refresh_token')];
  return {
    accessToken: newest('access_token') ?? '',
    ...(patient !== undefined && { patient }),
    ...(refreshToken !== undefined && { refreshToken }),
    subscriptionKey,
  };
}

/** IDs that earlier responses brought, by the place in a path that they fill: `{patient}`, `{group}`, `{job}`. */
export function idsAtHand(
  steps: readonly Made[],
  patient: string | undefined,
): Readonly<Record<string, string>> {
  const last = (find: (exchange: Exchange) => string | undefined) =>
    steps.map(({ exchange }) => find(exchange)).findLast((id) => id !== undefined && id !== '');
  const group = last(
    ({ answer }) => /"(?:Group\/|resourceType": ?"Group", ?"id": ?")([\w.-]+)/.exec(answer?.text ?? '')?.[1],
  );
  const job = last(
    (exchange) => /\/jobs\/([\w.-]+)$/.exec(answerHeader(exchange, 'content-location') ?? '')?.[1],
  );
  return {
    ...(patient !== undefined && { patient }),
    ...(group !== undefined && { group }),
    ...(job !== undefined && { job }),
  };
}

/** A call to begin with. `body` names one of `payer-bodies.ts`. */
export interface ExampleCall extends Pick<AskedCall, 'method' | 'path'> {
  readonly body?: 'match' | 'bulk';
}

const get = (path: string): ExampleCall => ({ method: 'GET', path });

const exampleCalls: Readonly<Record<Interface, readonly ExampleCall[]>> = {
  'patient-access': [
    'Patient/{patient}',
    'Coverage',
    'ExplanationOfBenefit?_count=5',
    'Condition?_count=5',
    'Observation?category=laboratory&_count=5',
    'DocumentReference?_count=5',
    'Patient/{patient}/$everything',
    'fhir/metadata',
  ].map(get),
  'payer-access': [
    get('Group'),
    { method: 'POST', path: 'Patient/$member-match', body: 'match' },
    { method: 'POST', path: 'Group/$bulk-member-match', body: 'bulk' },
    get('Group/{group}'),
    get('Patient'),
    get('Group/{group}/$davinci-data-export?exportType=hl7.fhir.us.davinci-pdex%23payertopayer'),
    get('Group/{group}/$export'),
    get('jobs/{job}'),
    { method: 'DELETE', path: 'jobs/{job}' },
    get('fhir/metadata'),
  ],
  'provider-directory': [
    'Practitioner?_count=5',
    'PractitionerRole?location.address-city=Washington&_count=5',
    'Organization?_count=5',
    'metadata',
  ].map(get),
};

/** The examples of an interface, with the IDs at hand; a member's own only where a member signed in. */
export function examplesOf(
  product: Interface,
  ids: Readonly<Record<string, string>>,
): readonly ExampleCall[] {
  return exampleCalls[product]
    .map((example) => ({ ...example, path: filled(example.path, ids) }))
    .filter(({ path }) => !path.includes('{patient}'));
}

type Headers = Readonly<Record<string, string>>;

interface Change {
  readonly name: string;
  /** Headers of the call, changed. */
  readonly headers: (headers: Headers) => Headers;
  /** Meaning of the response that follows. */
  readonly words: string;
  /** Whether the call is sent many times at once, until the gateway refuses one. */
  readonly isVolley?: true;
}

const same = (headers: Headers) => headers;
const without = (name: string) => (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));

/** Changes of a call that an application must be ready for. */
export const changes = {
  none: { name: 'As it is', headers: same, words: '' },
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
  throttled: {
    name: 'Many times at once, until it is throttled',
    headers: same,
    words: '',
    isVolley: true,
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

/** Whether a change sends the call many times. */
export function isVolley(change: ChangeName): boolean {
  return 'isVolley' in changes[change];
}

/** Operations that answer 202 and the address of a job (FHIR, "Asynchronous Request"). */
const startsJob = /\$(?:bulk-member-match|davinci-data-export|export)\b/;

/** A call of the workbench. The Provider Directory takes no token. */
export function workbenchCall(
  origins: Origins,
  lob: LineOfBusiness,
  { product, method, path, body }: AskedCall,
  { accessToken, subscriptionKey }: TokenAtHand,
  change: ChangeName = 'none',
): HttpCall {
  const below = path.trim().replace(/^\/+/, '');
  const isSent = method === 'POST' && body !== undefined && body.trim() !== '';
  const headers: Headers = {
    accept: 'application/json',
    ...(product !== 'provider-directory' && { authorization: `Bearer ${accessToken}` }),
    'x-api-subscription-key': subscriptionKey,
    ...(isSent && { 'content-type': bodyType(body) }),
    ...(product === 'payer-access' && startsJob.test(below) && { prefer: 'respond-async' }),
  };
  const title = `${method} ${below}`;
  return {
    title: change === 'none' ? title : `${title}, ${lowered(changes[change].name)}`,
    method,
    url: `${fhirBase(origins, lob, product)}/${below}`,
    headers: changes[change].headers(headers),
    ...(isSent && { body }),
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
): Pick<AskedCall, 'product' | 'path'> | undefined {
  for (const product of interfaceNames) {
    const base = `${fhirBase(origins, lob, product)}/`;
    if (url.startsWith(base)) return { product, path: url.slice(base.length) };
  }
  return undefined;
}

export const productName = (product: Interface) => interfaceFamilies[product].name;

const statusWords: Readonly<Record<number, string>> = {
  200: 'The call succeeded.',
  202: 'The service works on it. `Content-Location` is the address of the job: ask there until it is complete.',
  400: 'The request has a mistake. Each issue of the OperationOutcome names one, and what is supported.',
  401: 'The access token is missing, expired, changed, or its grant has ended.',
  403: 'The subscription key or the scope does not allow the call.',
  404: 'There is no such resource, or it is of another member, or of a category that the member did not share.',
  422: 'No member matches, or the consent cannot be honored. The issues say what the request lacks.',
  429: 'Too many calls. Wait the number of seconds in `Retry-After`.',
  503: 'The service is busy. Wait the number of seconds in `Retry-After`, then send the call again.',
};

/** Says what a response means. @param status undefined where there was none that the page may read */
export function explained(status: number | undefined, change: ChangeName): string {
  if (status === undefined) return 'There was no response. Check your connection, then send the call again.';
  const meaning = statusWords[status] ?? 'See `diagnostics` in the response.';
  return [changes[change].words, meaning].filter((words) => words !== '').join(' ');
}
