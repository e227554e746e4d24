import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect, vi } from 'vitest';
import { connectedAppsFormToken } from '../../lambdas/authorization/authorize/connected-apps-session.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import { theMember } from '../authorization/builders.ts';
import { aClientKey, assertionClaims, assertionType } from '../authorization/client-keys.ts';
import { type Call, cookieOf, eventOf, headerOf, hiddenFields } from '../authorization/events.ts';
import { origins } from '../authorization/handler-world.ts';
import { authorizationQuery, obtainCode, signInForm, tokenCall } from '../authorization/journey.ts';
import type { Application, WholeWorld } from '../support/whole-world.ts';
import { type Act, endpointCall, lastingTokens, named, onRecord, recorded } from './act.ts';

/** Acts with tokens after they were issued, and client authentication by a signed assertion. */

const key = await aClientKey();
const keysRememberedMs = 60_000;

/** Redeems a code with a client assertion. */
const assertion: Act = {
  name: 'a code redeemed by a signed assertion',
  dialect: 'oauth',
  client: { tokenEndpointAuthMethod: 'private_key_jwt', secrets: [], jwks: { keys: [key.jwk] } },
  async ready(world, application) {
    const { clientId } = application.client;
    const sign = () =>
      key.sign(assertionClaims(clientId, `${origins.auth}/fhir-oauth2/pub/dsnp/token`, Date.now()));
    const { requestId, count } = onRecord(world, application);
    const send = (code: string, client_assertion: string) => {
      const { json } = tokenCall(clientId, code);
      const body = { ...(json as object), client_assertion_type: assertionType, client_assertion };
      return world.token(eventOf(named(tokenCall(clientId, code, { headers: {}, json: body }), requestId)));
    };
    const code = await obtainCode(world, authorizationQuery(clientId));
    const signed = await sign();
    return {
      run: () => send(code, signed),
      async settle(first) {
        if (first.statusCode === 200) expect(await count()).toBe(1);
        // An assertion authenticates its client at most once, so a third use is refused.
        const again = await send(code, signed);
        const uses = [first, again].filter(({ statusCode }) => statusCode === 200);
        expect(uses.length).toBeLessThanOrEqual(1);
        expect((await send(code, signed)).statusCode).toBe(401);
        // A new assertion authenticates the client, and the code is redeemed once, whether or not the first assertion was used up.
        const redeemed = await count();
        expect((await send(code, await sign())).statusCode).toBe(redeemed === 1 ? 400 : 200);
        expect(await count()).toBe(1);
      },
    };
  },
};

/** Opens a member's session at the connected apps. */
async function visit(world: WholeWorld): Promise<string> {
  const path = '/fhir-oauth2/sec/dsnp/connected-apps';
  const page = await world.authorize(eventOf({ path }));
  const opened = { cookie: cookieOf(page), fields: hiddenFields(page.body) };
  const answer = await world.authorize(eventOf(signInForm(opened)));
  const cookies = [headerOf(answer, 'set-cookie'), ...(answer.multiValueHeaders?.['Set-Cookie'] ?? [])];
  return /__Host-member-session-dsnp=([^;]+)/.exec(cookies.join('\n'))?.[1] ?? '';
}

const stop: Act = {
  name: 'an app stopped by its member',
  dialect: 'page',
  async ready(world, application) {
    const { clientId } = application.client;
    const issued = await lastingTokens(world, application);
    const secret = await visit(world);
    const call: Call = {
      ...signInForm({ cookie: `__Host-member-session-dsnp=${secret}`, fields: {} }),
      path: '/fhir-oauth2/sec/dsnp/connected-apps',
      form: { form_token: connectedAppsFormToken(secret, digests), app: clientId, answer: 'stop' },
    };
    const { run, count } = recorded(world, application, 'authorize', call);
    return {
      run,
      async settle(first) {
        if (first.statusCode !== 303) expect((await run()).statusCode).toBe(303);
        expect(await count()).toBe(1);
        expect(await world.grantOf(issued.access_token)).toMatchObject({ state: 'revoked' });
        expect(await world.read(application, issued.access_token)).toBe(401);
        const refresh = { grant_type: 'refresh_token', refresh_token: issued.refresh_token };
        expect((await world.token(eventOf(endpointCall(application, 'token', refresh)))).statusCode).toBe(
          400,
        );
      },
    };
  },
};

/** Acts that present a token: answered only with an active grant, and recorded before the answer is sent. */
function asked(options: {
  readonly name: string;
  readonly grant: 'living' | 'ended';
  readonly ask: (world: WholeWorld, application: Application, token: string) => [ask: Ask, call: Call];
  readonly told: (answer: APIGatewayProxyResult) => boolean;
  /** Outcome in the audit event of the answer. */
  readonly outcome: string;
}): Act {
  const { name, grant, told } = options;
  return {
    name,
    dialect: 'oauth',
    async ready(world, application) {
      const { access_token: token } = await lastingTokens(world, application);
      if (grant === 'ended') await world.token(eventOf(endpointCall(application, 'revoke', { token })));
      const { requestId, count } = onRecord(world, application);
      const [ask, call] = options.ask(world, application, token);
      // Moves the clock past the cache of published keys, so that each run reads them.
      const run = () => {
        vi.setSystemTime(Date.now() + keysRememberedMs + 1);
        return ask(eventOf(named(call, requestId)));
      };
      const answers = () => count({ outcome: options.outcome });
      return {
        run,
        async settle(first) {
          const before = await answers();
          if (first.statusCode === 503) expect(before).toBeLessThanOrEqual(1);
          else expect([told(first), before]).toEqual([grant === 'living', 1]);
          expect(told(await run())).toBe(grant === 'living');
          expect(await answers()).toBe(before + 1);
        },
      };
    },
  };
}

type Ask = WholeWorld['token'];

const introspected = (grant: 'living' | 'ended') =>
  asked({
    name: `an introspection, its grant ${grant}`,
    grant,
    ask: (world, application, token) => [world.token, endpointCall(application, 'introspect', { token })],
    told: ({ body }) => JSON.parse(body).active === true && body.includes(theMember.patientId),
    outcome: 'permitted',
  });

const userInfo = (grant: 'living' | 'ended') =>
  asked({
    name: `UserInfo, its grant ${grant}`,
    grant,
    ask: (world, _application, token) => [
      world.userinfo,
      { path: '/fhir-oauth2/pub/dsnp/userinfo', headers: { authorization: `Bearer ${token}` } },
    ],
    told: ({ body, statusCode }) => statusCode === 200 && JSON.parse(body).sub === theMember.sub,
    outcome: grant === 'living' ? 'disclosed' : 'refused',
  });

export const tokenActs: readonly Act[] = [
  assertion,
  stop,
  introspected('living'),
  introspected('ended'),
  userInfo('living'),
  userInfo('ended'),
];
