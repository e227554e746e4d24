/** HTTP calls of a trading partner's client: token requests with `private_key_jwt`, and requests with a token and key. */

import { randomUUID } from 'node:crypto';
import { type CryptoKey, importJWK, type JWK, SignJWT } from 'jose';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { type Http, type HttpRequest, type HttpResponse, headerText } from '../http/client.ts';
import { CheckFailure, expectStatus, jsonBody } from './expectations.ts';

/** Credentials of the partner's application in the sandbox. */
export interface PartnerCredentials {
  /** FHIR base URL of Payer Access, without a trailing slash. */
  readonly base: string;
  readonly lob: LineOfBusiness;
  readonly subscriptionKey: string;
  readonly clientId: string;
  /** Private key as a JWK with `kid`. */
  readonly jwk: JWK;
}

/** HTTP connections and clock of a self-test. */
export interface PartnerPorts {
  readonly http: Http;
  /** Fetches a file from the URL of a redirect, without the partner's credentials. The body is decompressed. */
  readonly download: (url: string) => Promise<HttpResponse>;
  readonly wait: (seconds: number) => Promise<void>;
}

/** Most repeats of a call that is answered with 429 or 503. */
const mostRepeats = 5;

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const fhirJson = 'application/fhir+json';

/** Makes the calls. The token and the discovery documents are fetched once. */
export function createPartnerCalls(
  { base, subscriptionKey, clientId, jwk }: PartnerCredentials,
  { http, wait }: Pick<PartnerPorts, 'http' | 'wait'>,
) {
  const algorithm = jwk.alg ?? (jwk.kty === 'RSA' ? 'RS384' : 'ES384');
  const keyHeader = { 'x-api-subscription-key': subscriptionKey };

  /** Sends a request; after 429 or 503 repeats it when `Retry-After` says. */
  async function sendPatiently(request: HttpRequest): Promise<HttpResponse> {
    for (let repeat = 0; ; repeat += 1) {
      const response = await http(request);
      const seconds = retryAfterOf(response);
      if (seconds === undefined || repeat === mostRepeats) return response;
      await wait(seconds);
    }
  }

  /** Resolves a path against the base URL; an absolute URL is returned unchanged. */
  const addressOf = (path: string) => (path.includes('://') ? path : `${base}/${path}`);

  /** Sends a GET without a token or key. */
  const open = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    sendPatiently({ method: 'GET', url: addressOf(path), headers: { accept: fhirJson, ...headers } });

  const smartConfiguration = once(async () => jsonBody(await open('.well-known/smart-configuration')));
  const capabilities = once(async () => jsonBody(await open('metadata')));

  const tokenEndpoint = once(async () => {
    const { token_endpoint: endpoint } = await smartConfiguration();
    if (typeof endpoint !== 'string')
      throw new CheckFailure('a token_endpoint in the SMART configuration', 'none');
    return endpoint;
  });

  /**
   * Makes a client assertion (RFC 7523).
   *
   * @param claims those that a check changes.
   */
  async function assertion(claims: Readonly<Record<string, unknown>> = {}, key?: CryptoKey): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const own = {
      iss: clientId,
      sub: clientId,
      aud: await tokenEndpoint(),
      jti: randomUUID(),
      exp: now + 240,
    };
    return await new SignJWT({ ...own, ...claims })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT', ...(jwk.kid !== undefined && { kid: jwk.kid }) })
      .sign(key ?? (await importJWK(jwk, algorithm)));
  }

  /** Requests a token. */
  async function requestToken(clientAssertion: string, scope = 'system/*.rs'): Promise<HttpResponse> {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      ...{ scope, client_assertion_type: assertionType, client_assertion: clientAssertion },
    });
    const headers = { ...keyHeader, 'content-type': 'application/x-www-form-urlencoded' };
    return await sendPatiently({
      method: 'POST',
      url: await tokenEndpoint(),
      headers,
      body: form.toString(),
    });
  }

  const token = once(async () => {
    const response = await requestToken(await assertion());
    expectStatus(response, 200);
    const { access_token: found } = jsonBody(response);
    if (typeof found !== 'string') throw new CheckFailure('an access_token', response.body);
    return found;
  });

  const credentials = async () => ({ ...keyHeader, authorization: `Bearer ${await token()}` });

  async function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> {
    return await sendPatiently({
      method: 'GET',
      url: addressOf(path),
      headers: { ...(await credentials()), accept: fhirJson, ...headers },
    });
  }

  /**
   * Sends a POST.
   *
   * @param body a text is sent unchanged.
   * @param isPatient whether to repeat the request after 429 or 503.
   */
  async function post(
    path: string,
    body: object | string,
    {
      headers = {},
      isPatient = true,
    }: { readonly headers?: Readonly<Record<string, string>>; readonly isPatient?: boolean } = {},
  ): Promise<HttpResponse> {
    const send = isPatient ? sendPatiently : http;
    return await send({
      method: 'POST',
      url: addressOf(path),
      headers: { ...(await credentials()), accept: fhirJson, 'content-type': fhirJson, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  async function remove(address: string): Promise<HttpResponse> {
    return await sendPatiently({
      method: 'DELETE',
      url: address,
      headers: { ...(await credentials()), accept: fhirJson },
    });
  }

  return {
    ...{ algorithm, smartConfiguration, capabilities, assertion, requestToken },
    ...{ open, get, post, remove },
  };
}

/**
 * Seconds after which a refused request may be repeated; undefined for other responses. A 503 without the header is repeated after one
 * second.
 */
export function retryAfterOf(response: HttpResponse): number | undefined {
  if (response.status !== 429 && response.status !== 503) return undefined;
  const seconds = Number(headerText(response, 'retry-after'));
  if (seconds > 0) return seconds;
  return response.status === 503 ? 1 : undefined;
}

/** Wraps a function so that it is called once, and its result or failure is kept. */
export function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
