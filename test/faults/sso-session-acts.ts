import { expect } from 'vitest';
import { cookieOf, eventOf, headerOf, redirectOf } from '../authorization/events.ts';
import { authorizationQuery, openSignIn, signInForm, tokenCall } from '../authorization/journey.ts';
import {
  authorizeWith,
  keepAndShare,
  keeping,
  silently,
  visitConnectedApps,
} from '../authorization/sso-session-journey.ts';
import type { Application, WholeWorld } from '../support/whole-world.ts';
import { type Act, recorded, redemption } from './act.ts';

/** Acts on an SSO session, to be run with broken store calls. */

const path = '/fhir-oauth2/sec/dsnp/authorize';

/** Whether a browser with the cookie gets past the sign-in page without the password. */
async function getsBy(world: WholeWorld, { client }: Application, cookie: string): Promise<boolean> {
  return (await authorizeWith(world, client.clientId, cookie)).statusCode === 303;
}

const keep: Act = {
  name: 'an SSO session',
  dialect: 'page',
  async ready(world, application) {
    const opened = await openSignIn(world, authorizationQuery(application.client.clientId));
    const { run, count } = recorded(world, application, 'authorize', signInForm(opened, keeping));
    return {
      run,
      async settle(first) {
        const signedIn = () => count({ action: 'member.sign-in', reason: 'kept' });
        if (first.statusCode === 303) {
          expect(await signedIn()).toBe(1);
          expect(await getsBy(world, application, cookieOf(first))).toBe(true);
        } else expect(cookieOf(first)).toBe('');
        // A browser that has passed the page is redirected, and a lost cookie is not issued again.
        const again = await run();
        expect(again.statusCode).toBe(303);
        expect(await signedIn()).toBe(1);
        const { pathname, search } = new URL(headerOf(again, 'location'));
        const query = search.slice(1);
        const page = await world.authorize(
          eventOf({ path: pathname, query, headers: { cookie: opened.cookie } }),
        );
        expect(page.statusCode).toBe(200);
      },
    };
  },
};

const goOn: Act = {
  name: 'a request in an SSO session',
  dialect: 'page',
  async ready(world, application) {
    const { clientId } = application.client;
    const { ssoCookie } = await keepAndShare(world, clientId);
    const query = authorizationQuery(clientId);
    const { run, count } = recorded(world, application, 'authorize', {
      path,
      query,
      headers: { cookie: ssoCookie },
    });
    return {
      run,
      async settle(first) {
        const before = await count({ action: 'sign-in.continue' });
        if (first.statusCode === 303) expect(before).toBe(1);
        expect(before).toBeLessThanOrEqual(1);
        // Each repeat begins a new interaction.
        const again = await run();
        expect(again.statusCode).toBe(303);
        expect(await count({ action: 'sign-in.continue' })).toBe(before + 1);
        for (const answer of [first, again].filter(({ statusCode }) => statusCode === 303)) {
          const { pathname, search } = new URL(headerOf(answer, 'location'));
          const call = { path: pathname, query: search.slice(1), headers: { cookie: cookieOf(answer) } };
          expect((await world.authorize(eventOf(call))).statusCode).toBe(200);
        }
      },
    };
  },
};

const renew: Act = {
  name: 'a code without a page',
  dialect: 'page',
  async ready(world, application) {
    const { clientId } = application.client;
    const { ssoCookie } = await keepAndShare(world, clientId);
    const query = authorizationQuery(clientId, { prompt: 'none' });
    const { run, count } = recorded(world, application, 'authorize', {
      path,
      query,
      headers: { cookie: ssoCookie },
    });
    return {
      run,
      async settle(first) {
        const before = await count({ action: 'grant.renew' });
        if (first.statusCode === 303) expect(before).toBe(1);
        expect(before).toBeLessThanOrEqual(1);
        const again = await run();
        expect(await count({ action: 'grant.renew' })).toBe(before + 1);
        for (const answer of [first, again].filter(({ statusCode }) => statusCode === 303)) {
          const code = redirectOf(answer).get('code') ?? '';
          const bought = await world.token(eventOf(tokenCall(clientId, code)));
          expect(await world.read(application, JSON.parse(bought.body).access_token)).toBe(200);
        }
      },
    };
  },
};

const redeem: Act = {
  name: 'the redemption of a code without a page',
  dialect: 'oauth',
  async ready(world, application) {
    const { clientId } = application.client;
    const lasting = { scope: 'openid patient/*.read offline_access' };
    const { ssoCookie, tokens } = await keepAndShare(world, clientId, lasting);
    const { code } = await silently(world, clientId, ssoCookie, lasting);
    return await redemption(world, application, code ?? '', async (_first, applied) => {
      // A second use of the second code also ends the tokens of the first.
      const status = applied === 1 ? 401 : 200;
      expect(await world.read(application, tokens.access_token ?? '')).toBe(status);
    });
  },
};

const signOut: Act = {
  name: 'a sign-out that ends an SSO session',
  dialect: 'page',
  async ready(world, application) {
    const { ssoCookie } = await keepAndShare(world, application.client.clientId);
    const { signOut: run } = await visitConnectedApps(world, ssoCookie);
    return {
      run,
      async settle(first) {
        if (first.statusCode === 303) expect(await getsBy(world, application, ssoCookie)).toBe(false);
        // 400 if the first request signed the member out, 303 if this one did.
        expect([303, 400]).toContain((await run()).statusCode);
        expect(await getsBy(world, application, ssoCookie)).toBe(false);
      },
    };
  },
};

export const ssoSessionActs: readonly Act[] = [keep, goOn, renew, redeem, signOut];
