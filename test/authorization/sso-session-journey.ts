import type { APIGatewayProxyResult } from 'aws-lambda';
import { connectedAppsFormToken } from '../../lambdas/authorization/authorize/connected-apps-session.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import { theMember } from './builders.ts';
import { cookieOf, eventOf, headerOf, hiddenFields, redirectOf } from './events.ts';
import {
  authorizationQuery,
  consentForm,
  type JourneyWorld,
  openSignIn,
  signInForm,
  tokenCall,
  Unprepared,
} from './journey.ts';

/** Journeys of a browser with an SSO session, through the handlers. */

export const keeping = {
  username: theMember.memberId as string,
  password: theMember.password as string,
  keep: 'yes',
};

const authorizePath = '/fhir-oauth2/sec/dsnp/authorize';

/**
 * Signs in with "keep me signed in".
 *
 * @returns the cookie of the SSO session, and the consent page
 */
export async function keepSignIn(world: JourneyWorld, query: string) {
  const opened = await openSignIn(world, query);
  const signedIn = await world.authorize(eventOf(signInForm(opened, keeping)));
  if (signedIn.statusCode !== 303) throw new Unprepared(signedIn);
  return { ...opened, ssoCookie: cookieOf(signedIn), signedIn };
}

/**
 * Signs in with "keep me signed in", shares, and exchanges the code.
 *
 * @param group the data groups left selected
 */
export async function keepAndShare(
  world: JourneyWorld,
  clientId: string,
  changes: Record<string, string> = {},
  group?: readonly string[],
) {
  const opened = await keepSignIn(world, authorizationQuery(clientId, changes));
  const shared = await world.authorize(eventOf(consentForm(opened, 'share', group)));
  const code = redirectOf(shared).get('code') ?? '';
  const answer = await world.token(eventOf(tokenCall(clientId, code)));
  if (answer.statusCode !== 200) throw new Unprepared(answer);
  const tokens = JSON.parse(answer.body) as Readonly<Record<string, string>>;
  return { ssoCookie: opened.ssoCookie, code, tokens };
}

/** Sends an authorization request with these cookies. */
export async function authorizeWith(
  world: JourneyWorld,
  clientId: string,
  cookie: string,
  changes: Record<string, string> = {},
): Promise<APIGatewayProxyResult> {
  const query = authorizationQuery(clientId, changes);
  return await world.authorize(eventOf({ path: authorizePath, query, headers: { cookie } }));
}

/**
 * Sends an authorization request with `prompt=none`.
 *
 * @returns the code or the error
 */
export async function silently(
  world: JourneyWorld,
  clientId: string,
  cookie: string,
  changes: Record<string, string> = {},
): Promise<{ readonly code: string | null; readonly error: string | null }> {
  const answer = await authorizeWith(world, clientId, cookie, { prompt: 'none', ...changes });
  if (answer.statusCode !== 303) throw new Unprepared(answer);
  return { code: redirectOf(answer).get('code'), error: redirectOf(answer).get('error') };
}

/** Opens the member's connected apps in a browser that also has these cookies. */
export async function visitConnectedApps(world: JourneyWorld, cookie = '') {
  const path = '/fhir-oauth2/sec/dsnp/connected-apps';
  const opened = await world.authorize(eventOf({ path }));
  const beside = (own: string) => [own, cookie].filter((each) => each !== '').join('; ');
  const signIn = { cookie: beside(cookieOf(opened)), fields: hiddenFields(opened.body) };
  const signedIn = await world.authorize(eventOf(signInForm(signIn)));
  const several = signedIn.multiValueHeaders?.['Set-Cookie'] ?? [headerOf(signedIn, 'set-cookie')];
  const session = several.map(String).find((each) => each.startsWith('__Host-member-session-')) ?? '';
  const cookies = beside(session.split(';', 1).join());
  // Computed, since the page repeats the form token for each application and gets longer with every test.
  const secret = cookies
    .slice(cookies.indexOf('=') + 1)
    .split(';', 1)
    .join();
  const fields = { form_token: connectedAppsFormToken(secret, digests) };
  const press = (form: Record<string, string>) =>
    world.authorize(
      eventOf({ ...signInForm({ cookie: cookies, fields }), path, form: { ...fields, ...form } }),
    );
  return {
    session: session.split(';', 1).join(),
    stop: (app: string) => press({ answer: 'stop', app }),
    signOut: () => press({ answer: 'sign-out' }),
  };
}
