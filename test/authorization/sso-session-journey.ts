import type { APIGatewayProxyResult } from 'aws-lambda';
import { sessionFormToken } from '../../lambdas/authorization/authorize/member-session.ts';
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

/** A browser in which a member keeps a sign-in, over the handlers. */

export const keeping = {
  username: theMember.memberId as string,
  password: theMember.password as string,
  keep: 'yes',
};

const authorizePath = '/fhir-oauth2/sec/dsnp/authorize';

/** Signs in and keeps it. @returns the cookie of the sign-in that is kept, and the consent page */
export async function keepSignIn(world: JourneyWorld, query: string) {
  const opened = await openSignIn(world, query);
  const signedIn = await world.authorize(eventOf(signInForm(opened, keeping)));
  if (signedIn.statusCode !== 303) throw new Unprepared(signedIn);
  return { ...opened, ssoCookie: cookieOf(signedIn), signedIn };
}

/** Signs in, keeps it, shares, and exchanges the code. @param group the data groups left ticked */
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

/** An authorization request of a browser that has these cookies. */
export async function authorizeWith(
  world: JourneyWorld,
  clientId: string,
  cookie: string,
  changes: Record<string, string> = {},
): Promise<APIGatewayProxyResult> {
  const query = authorizationQuery(clientId, changes);
  return await world.authorize(eventOf({ path: authorizePath, query, headers: { cookie } }));
}

/** The response to `prompt=none`: a code or an error. */
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

/** The connected apps of the member, in a browser that has these cookies as well. */
export async function visitConnectedApps(world: JourneyWorld, cookie = '') {
  const path = '/fhir-oauth2/sec/dsnp/connected-apps';
  const opened = await world.authorize(eventOf({ path }));
  const beside = (own: string) => [own, cookie].filter((each) => each !== '').join('; ');
  const signIn = { cookie: beside(cookieOf(opened)), fields: hiddenFields(opened.body) };
  const signedIn = await world.authorize(eventOf(signInForm(signIn)));
  const several = signedIn.multiValueHeaders?.['Set-Cookie'] ?? [headerOf(signedIn, 'set-cookie')];
  const session = several.map(String).find((each) => each.startsWith('__Host-member-session-')) ?? '';
  const cookies = beside(session.split(';', 1).join());
  // As it stands in the page, which lists more with every test.
  const secret = cookies
    .slice(cookies.indexOf('=') + 1)
    .split(';', 1)
    .join();
  const fields = { form_token: sessionFormToken(secret, digests) };
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
