import type { APIGatewayProxyResult } from 'aws-lambda';
import { dataGroups } from '../../lambdas/catalog/fhir/data-groups.ts';
import { rfc7636, theMember, theRedirectUri, theSecret } from './builders.ts';
import { type Call, cookieOf, eventOf, headerOf, hiddenFields, redirectOf } from './events.ts';
import type { HandlerWorld } from './handler-world.ts';

/** Handlers that the steps of a journey call. */
export type JourneyWorld = Pick<HandlerWorld, 'authorize' | 'token'>;

export function authorizationQuery(clientId: string, changes: Record<string, string> = {}): string {
  return new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: theRedirectUri,
    scope: 'openid fhirUser launch/patient patient/*.read',
    state: 'state-1',
    nonce: 'nonce-1',
    aud: 'https://dsnp.api.sandbox.example.org/extfhirpatientaccess/v1',
    code_challenge: rfc7636.challenge,
    code_challenge_method: 'S256',
    ...changes,
  }).toString();
}

/** Requests the sign-in page. */
export async function openSignIn(world: JourneyWorld, query: string, lob = 'dsnp') {
  const page = await world.authorize(eventOf({ path: `/fhir-oauth2/sec/${lob}/authorize`, query }));
  return { page, cookie: cookieOf(page), fields: hiddenFields(page.body) };
}

export function signInForm(
  opened: { readonly cookie: string; readonly fields: Record<string, string> },
  credentials = { username: theMember.memberId as string, password: theMember.password as string },
): Call {
  return {
    path: '/fhir-oauth2/sec/dsnp/sign-in',
    form: { ...opened.fields, ...credentials },
    headers: {
      cookie: opened.cookie,
      origin: 'https://auth.sandbox.example.org',
      'sec-fetch-site': 'same-origin',
    },
  };
}

/** Thrown if a step before the one under test failed. */
export class Unprepared extends Error {
  override readonly name = 'Unprepared';
  readonly statusCode: number;
  constructor({ statusCode, body }: APIGatewayProxyResult) {
    super(`a step before was answered with ${statusCode}: ${body.slice(0, 300)}`);
    this.statusCode = statusCode;
  }
}

export async function openConsent(world: JourneyWorld, query: string) {
  const opened = await openSignIn(world, query);
  const signedIn = await world.authorize(eventOf(signInForm(opened)));
  if (signedIn.statusCode !== 303) throw new Unprepared(signedIn);
  const { pathname, search } = new URL(headerOf(signedIn, 'location'));
  const page = await world.authorize(
    eventOf({ path: pathname, query: search.slice(1), headers: { cookie: opened.cookie } }),
  );
  return { page, cookie: opened.cookie, fields: hiddenFields(page.body) };
}

/**
 * @param group the selected boxes of the consent page.
 * @default all, so that everything requested is shared
 */
export function consentForm(
  opened: { readonly cookie: string; readonly fields: Record<string, string> },
  answer: 'share' | 'decline',
  group: readonly string[] = dataGroups.map(({ id }) => id),
): Call {
  const form = { ...opened.fields, group, answer };
  return { ...signInForm(opened), path: '/fhir-oauth2/sec/dsnp/consent', form };
}

/**
 * Signs in, consents and returns the code.
 *
 * @param group the selected boxes of the consent page
 */
export async function obtainCode(
  world: JourneyWorld,
  query: string,
  group?: readonly string[],
): Promise<string> {
  const opened = await openConsent(world, query);
  const answer = await world.authorize(eventOf(consentForm(opened, 'share', group)));
  return redirectOf(answer).get('code') ?? '';
}

export function basic(clientId: string, secret: string = theSecret): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
}

/** A token request with the parameters of the service description, with PKCE. */
export function tokenCall(clientId: string, code: string, changes: Partial<Call> = {}): Call {
  return {
    path: '/fhir-oauth2/pub/dsnp/token',
    headers: { authorization: basic(clientId), accept: 'application/json' },
    json: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: theRedirectUri,
      code_verifier: rfc7636.verifier,
    },
    ...changes,
  };
}

export async function redeem(
  world: JourneyWorld,
  clientId: string,
  code: string,
): Promise<APIGatewayProxyResult> {
  return await world.token(eventOf(tokenCall(clientId, code)));
}
