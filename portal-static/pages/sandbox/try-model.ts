/** Requests of the guided first call, built as an application would build them. Pure: `exchange-view.tsx` shows them, the page sends them. */

import {
  authorizationServerEndpoints,
  fhirBase,
  machineTokenEndpoint,
} from '../../../lambdas/catalog/addresses.ts';
import type { Interface } from '../../../lambdas/catalog/interface-families.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { ApplicationConfiguration } from '../../../lambdas/portal/api/applications.ts';
import type { AddressesView, TestMemberView } from '../../../lambdas/portal/api/views.ts';
import type { AskedCall } from './asked-call.ts';
import type { HttpCall } from './http-call.ts';

/**
 * The guided first call: the requests an application makes, built as its developer would build them. Pure; the page sends them.
 * @see https://www.rfc-editor.org/rfc/rfc7636 (PKCE)
 */

export type Origins = AddressesView['environments']['sandbox'];

/** The view that a response is shown in. */
export const lessons = {
  plain: {
    name: 'Successful call',
    about: 'Sign in as the member, consent, and read the member’s Patient resource.',
  },
  'expired-token': {
    name: 'Expired token',
    about: 'The token is valid for one second. The read follows two seconds later.',
  },
  'revoked-grant': {
    name: 'Revoked grant',
    about: 'The grant is revoked, as when a member stops sharing. The next read fails.',
  },
  throttling: {
    name: 'Throttling',
    about: 'The page sends many reads at the same time, until the gateway refuses one.',
  },
  'category-not-shared': {
    name: 'Category not shared',
    about: 'Leave “Your notes and documents” unchecked on the consent page. A search of documents fails.',
  },
  'partial-birth-date': {
    name: 'Partial birth date',
    about: 'Read a member with an unknown birth month or day, in both formats.',
  },
} as const;
export type Lesson = keyof typeof lessons;
export const lessonNames = Object.keys(lessons) as readonly Lesson[];

/** Kept in this tab over the visit to the authorization server; never a secret of the application. */
export interface Attempt {
  readonly applicationId: string;
  readonly lob: LineOfBusiness;
  readonly patientId: string;
  readonly lesson: Lesson;
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
  /** The call that the workbench begins with. */
  readonly asked?: AskedCall;
}

export const attemptKey = 'guided-first-call';

/** Reads the stored state; undefined if this page did not write it. */
export function readAttempt(text: string | null): Attempt | undefined {
  try {
    const kept = JSON.parse(text ?? 'null') as Partial<Attempt> | null;
    const { applicationId, lob, patientId, lesson, state, verifier, redirectUri } = kept ?? {};
    const strings = [applicationId, lob, patientId, lesson, state, verifier, redirectUri];
    if (!strings.every((it) => typeof it === 'string') || !((lesson ?? '') in lessons)) return undefined;
    return kept as Attempt;
  } catch {
    return undefined;
  }
}

/** RFC 4648 section 5, without padding. */
export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** RFC 7636 section 4.2, method S256. */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64Url(new Uint8Array(digest));
}

/** Scope of the first call, with `offline_access`, so that the workbench can renew the token. */
export const askedScope = 'openid offline_access launch/patient patient/*.read';

export function authorizationUrl(
  origins: Origins,
  attempt: Attempt,
  {
    clientId,
    challenge,
    loginHint,
  }: {
    readonly clientId: string;
    /** `challengeOf` the attempt's verifier. */
    readonly challenge: string;
    /** The user name that the sign-in page fills in. */
    readonly loginHint: string;
  },
): string {
  const url = new URL(authorizationServerEndpoints(origins, attempt.lob).authorization);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: attempt.redirectUri,
    scope: askedScope,
    state: attempt.state,
    aud: fhirBase(origins, attempt.lob, 'patient-access'),
    code_challenge: challenge,
    code_challenge_method: 'S256',
    login_hint: loginHint,
  }).toString();
  return url.toString();
}

/** Parameters that came back to `/try/callback` (RFC 6749 section 4.1.2). */
export type Callback =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'refused'; readonly error: string; readonly description: string }
  | { readonly kind: 'unknown' };

export function readCallback(search: string, state: string | undefined): Callback {
  const answer = new URLSearchParams(search);
  const [code, error] = [answer.get('code'), answer.get('error')];
  if (state === undefined || answer.get('state') !== state) return { kind: 'unknown' };
  if (error !== null) {
    return { kind: 'refused', error, description: answer.get('error_description') ?? '' };
  }
  return code === null ? { kind: 'unknown' } : { kind: 'code', code };
}

export interface SandboxClient {
  readonly clientId: string;
  readonly method: ApplicationConfiguration['tokenEndpointAuthMethod'];
  readonly secret?: string | undefined;
  /** Client assertion of `private_key_jwt`: a fresh one for each request (RFC 7523). */
  readonly assertion?: string | undefined;
  readonly subscriptionKey: string;
}

/** HTTP Basic of RFC 6749 section 2.3.1; our ids and secrets are of characters that form encoding leaves alone. */
function authentication({ clientId, method, secret = '', assertion = '' }: SandboxClient): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, string>>;
} {
  if (method === 'client_secret_basic') {
    return { headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` }, body: {} };
  }
  if (method === 'client_secret_post') {
    return { headers: {}, body: { client_id: clientId, client_secret: secret } };
  }
  if (method === 'private_key_jwt') {
    // RFC 7523 section 2.2.
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    return { headers: {}, body: { client_assertion_type: type, client_assertion: assertion } };
  }
  return { headers: {}, body: { client_id: clientId } };
}

export function tokenCall(origins: Origins, attempt: Attempt, client: SandboxClient, code: string): HttpCall {
  const { headers, body } = authentication(client);
  return {
    title: 'Exchange the code for an access token',
    method: 'POST',
    url: authorizationServerEndpoints(origins, attempt.lob).token,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: attempt.redirectUri,
      code_verifier: attempt.verifier,
      ...body,
      ...lifetime(attempt.lesson === 'expired-token' ? 1 : undefined),
    },
  };
}

/** Renews the access token (RFC 6749 section 6). @param seconds lifetime to ask for; the longest by default. */
export function refreshCall(
  origins: Origins,
  lob: LineOfBusiness,
  client: SandboxClient,
  refreshToken: string,
  seconds?: number,
): HttpCall {
  const { headers, body } = authentication(client);
  return {
    title: 'Renew the access token',
    method: 'POST',
    url: authorizationServerEndpoints(origins, lob).token,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: { grant_type: 'refresh_token', refresh_token: refreshToken, ...body, ...lifetime(seconds) },
  };
}

function lifetime(seconds: number | undefined): { readonly expires_in?: string } {
  return seconds === undefined ? {} : { expires_in: String(seconds) };
}

export function patientCall(
  origins: Origins,
  lob: LineOfBusiness,
  patient: string,
  { accessToken, subscriptionKey }: { readonly accessToken: string; readonly subscriptionKey: string },
  accept = 'application/json',
): HttpCall {
  return {
    title: `Read the Patient as ${accept}`,
    method: 'GET',
    url: `${fhirBase(origins, lob, 'patient-access')}/Patient/${encodeURIComponent(patient)}`,
    headers: {
      accept,
      authorization: `Bearer ${accessToken}`,
      'x-api-subscription-key': subscriptionKey,
    },
  };
}

/** RFC 7009: whichever of a grant's tokens is revoked, the grant ends. */
export function revocationCall(
  origins: Origins,
  lob: LineOfBusiness,
  client: SandboxClient,
  accessToken: string,
): HttpCall {
  const { headers, body } = authentication(client);
  return {
    title: 'Revoke the grant',
    method: 'POST',
    url: authorizationServerEndpoints(origins, lob).revocation,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: { token: accessToken, ...body },
  };
}

/** Builds the request of a machine-to-machine token; a secret goes into the body (docs/service.md S6.3). */
export function machineTokenCall(
  origins: Origins,
  client: SandboxClient,
  scope: string,
  seconds?: number,
): HttpCall {
  const byKey = client.method === 'private_key_jwt';
  const { body } = authentication(byKey ? client : { ...client, method: 'client_secret_post' });
  return {
    title: 'Get a machine-to-machine token',
    method: 'POST',
    url: machineTokenEndpoint(origins),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-api-subscription-key': client.subscriptionKey,
    },
    body: { grant_type: 'client_credentials', ...body, scope, ...lifetime(seconds) },
  };
}

/** Credentials of a call without a member; no token where a subscription key alone is asked for. */
export interface OwnCredentials {
  readonly accessToken?: string;
  readonly subscriptionKey: string;
}

/** The first call of each product that an application makes without a member. Of Patient Access there is the metadata only. */
const ownCalls = {
  'patient-access': { title: 'Read the metadata of Patient Access', path: '/fhir/metadata' },
  'payer-access': { title: 'Search the groups of your matched members in Payer Access', path: '/Group' },
  'provider-directory': {
    title: 'Search the organizations of the Provider Directory',
    path: '/Organization?_count=1',
  },
} as const satisfies Readonly<Record<Interface, { readonly title: string; readonly path: string }>>;

/** The first call of a product without a member. The Provider Directory takes no token. */
export function ownCall(
  origins: Origins,
  lob: LineOfBusiness,
  product: Interface,
  { accessToken, subscriptionKey }: OwnCredentials,
): HttpCall {
  const { title, path } = ownCalls[product];
  const token = product === 'provider-directory' ? undefined : accessToken;
  return {
    title,
    method: 'GET',
    url: `${fhirBase(origins, lob, product)}${path}`,
    headers: {
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'x-api-subscription-key': subscriptionKey,
    },
  };
}

/**
 * Scopes of a service's token. A payer asks for the scopes of SMART Backend Services too: they are left out of the token until an operator
 * has verified its organization.
 */
export function machineScope(standard: string, products: readonly Interface[]): string {
  return products.includes('payer-access') ? `${standard} system/*.rs` : standard;
}

/** The member that shows a lesson; the first one where any will do. */
export function memberFor(lesson: Lesson, members: readonly TestMemberView[]): TestMemberView | undefined {
  if (lesson !== 'partial-birth-date') return members[0];
  return members.find(({ about }) => /unknown[^;]*birth/i.test(about)) ?? members[0];
}
