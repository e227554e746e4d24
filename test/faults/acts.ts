import { expect } from 'vitest';
import { type Call, eventOf, headerOf, redirectOf } from '../authorization/events.ts';
import {
  authorizationQuery,
  consentForm,
  obtainCode,
  openConsent,
  openSignIn,
  signInForm,
  tokenCall,
} from '../authorization/journey.ts';
import type { Application, WholeWorld } from '../support/whole-world.ts';
import {
  type Act,
  endpointCall,
  lasting,
  lastingTokens,
  named,
  onRecord,
  recorded,
  redemption,
} from './act.ts';

const begin: Act = {
  name: 'an authorization request',
  dialect: 'page',
  async ready(world, { client }) {
    const query = authorizationQuery(client.clientId);
    const run = () => world.authorize(eventOf({ path: '/fhir-oauth2/sec/dsnp/authorize', query }));
    return {
      run,
      async settle(first) {
        const page = first.statusCode === 200 ? first : await run();
        expect(page.statusCode).toBe(200);
        const opened = await openSignIn({ ...world, authorize: async () => page }, query);
        expect((await world.authorize(eventOf(signInForm(opened)))).statusCode).toBe(303);
      },
    };
  },
};

const signIn: Act = {
  name: 'a sign-in',
  dialect: 'page',
  async ready(world, application) {
    const opened = await openSignIn(world, authorizationQuery(application.client.clientId));
    const { run, count } = recorded(world, application, 'authorize', signInForm(opened));
    return {
      run,
      async settle(first) {
        if (first.statusCode === 303) expect(await count()).toBe(1);
        // A browser that has passed the page is redirected to its present page.
        const again = await run();
        expect(again.statusCode).toBe(303);
        expect(await count()).toBe(1);
        const { pathname, search } = new URL(headerOf(again, 'location'));
        const consent = await world.authorize(
          eventOf({ path: pathname, query: search.slice(1), headers: { cookie: opened.cookie } }),
        );
        expect(consent.statusCode).toBe(200);
      },
    };
  },
};

/** The access token for a code; undefined if the code is refused. */
async function bought(world: WholeWorld, { client }: Application, code: string): Promise<string | undefined> {
  const answer = await world.token(eventOf(tokenCall(client.clientId, code)));
  return JSON.parse(answer.body).access_token;
}

const share: Act = {
  name: 'a consent',
  dialect: 'page',
  async ready(world, application) {
    const opened = await openConsent(world, authorizationQuery(application.client.clientId));
    const { run, count } = recorded(world, application, 'authorize', consentForm(opened, 'share'));
    return {
      run,
      async settle(first) {
        const applied = await count();
        if (first.statusCode === 303) expect(applied).toBe(1);
        const again = await run();
        // The repeat gets the response of the first answer, and has no effect unless the first one had none.
        expect(again.statusCode).toBe(303);
        expect(await count()).toBe(1);
        const code = redirectOf(again).get('code') ?? '';
        if (first.statusCode === 303) expect(redirectOf(first).get('code')).toBe(code);
        const token = await bought(world, application, code);
        expect(await world.read(application, token ?? '')).toBe(200);
      },
    };
  },
};

const decline: Act = {
  name: 'a refusal by the member',
  dialect: 'page',
  async ready(world, application) {
    const opened = await openConsent(world, authorizationQuery(application.client.clientId));
    const { run, count } = recorded(world, application, 'authorize', consentForm(opened, 'decline'));
    return {
      run,
      async settle(first) {
        const declined = () => count({ reason: 'member_declined' });
        if (first.statusCode === 303) {
          expect(redirectOf(first).get('error')).toBe('access_denied');
          expect(await declined()).toBe(1);
        }
        await run();
        expect(await declined()).toBe(1);
        const late = await world.authorize(eventOf(consentForm(opened, 'share')));
        expect([late.statusCode, headerOf(late, 'location')]).toEqual([400, '']);
      },
    };
  },
};

const redeem: Act = {
  name: 'the redemption of a code',
  dialect: 'oauth',
  async ready(world, application) {
    const code = await obtainCode(world, authorizationQuery(application.client.clientId));
    return await redemption(world, application, code, async (first) => {
      if (first.statusCode !== 200) return;
      // A second use of a code ends the tokens that the first use gave.
      expect(await world.read(application, JSON.parse(first.body).access_token)).toBe(401);
    });
  },
};

const replay: Act = {
  name: 'the end of a replayed code',
  dialect: 'oauth',
  async ready(world, application) {
    const { clientId } = application.client;
    const code = await obtainCode(world, authorizationQuery(clientId, lasting));
    const issued = JSON.parse((await world.token(eventOf(tokenCall(clientId, code)))).body);
    const run = () => world.token(eventOf(tokenCall(clientId, code)));
    return {
      run,
      async settle(first) {
        // A replay that was answered with 400 has revoked the grant; otherwise the next replay revokes it.
        if (first.statusCode !== 400) expect((await run()).statusCode).toBe(400);
        expect(await world.grantOf(issued.access_token)).toMatchObject({ state: 'revoked' });
        expect(await world.read(application, issued.access_token)).toBe(401);
        const refreshed = await world.token(eventOf(refreshCall(application, issued.refresh_token)));
        expect(refreshed.statusCode).toBe(400);
      },
    };
  },
};

function refreshCall(application: Application, refresh_token: string): Call {
  return endpointCall(application, 'token', { grant_type: 'refresh_token', refresh_token });
}

const rotate: Act = {
  name: 'the rotation of a refresh token',
  dialect: 'oauth',
  async ready(world, application) {
    const issued = await lastingTokens(world, application);
    const { run, count } = recorded(
      world,
      application,
      'token',
      refreshCall(application, issued.refresh_token),
    );
    const rotations = () => count({ outcome: 'succeeded', reason: undefined });
    return {
      run,
      async settle(first) {
        if (first.statusCode === 200) expect(await rotations()).toBe(1);
        // If the answer was lost, the repeat gets the same successor, so the member need not consent again.
        const again = await run();
        expect(again.statusCode).toBe(200);
        expect(await rotations()).toBe(1);
        const successor = JSON.parse(again.body).refresh_token;
        expect(successor).not.toBe(issued.refresh_token);
        if (first.statusCode === 200) expect(JSON.parse(first.body).refresh_token).toBe(successor);
        expect(await world.read(application, JSON.parse(again.body).access_token)).toBe(200);
        expect((await world.token(eventOf(refreshCall(application, successor)))).statusCode).toBe(200);
      },
    };
  },
};

const reuse: Act = {
  name: 'the end of a reused refresh token',
  dialect: 'oauth',
  async ready(world, application) {
    const first = await lastingTokens(world, application);
    const next = async (token: string) =>
      JSON.parse((await world.token(eventOf(refreshCall(application, token)))).body);
    const second = await next(first.refresh_token);
    const third = await next(second.refresh_token);
    const run = () => world.token(eventOf(refreshCall(application, first.refresh_token)));
    return {
      run,
      async settle(answer) {
        if (answer.statusCode !== 400) expect((await run()).statusCode).toBe(400);
        for (const { access_token } of [first, second, third]) {
          expect(await world.read(application, access_token)).toBe(401);
        }
        expect((await next(third.refresh_token)).error).toBe('invalid_grant');
      },
    };
  },
};

const revoke: Act = {
  name: 'a revocation',
  dialect: 'oauth',
  async ready(world, application) {
    const issued = await lastingTokens(world, application);
    const { requestId, count } = onRecord(world, application);
    const call = endpointCall(application, 'revoke', { token: issued.refresh_token });
    const run = () => world.token(eventOf(named(call, requestId)));
    return {
      run,
      async settle(first) {
        if (first.statusCode !== 200) expect((await run()).statusCode).toBe(200);
        expect(await world.grantOf(issued.access_token)).toMatchObject({ state: 'revoked' });
        expect(await count()).toBeGreaterThanOrEqual(1);
        expect(await world.read(application, issued.access_token)).toBe(401);
        const refreshed = await world.token(eventOf(refreshCall(application, issued.refresh_token)));
        expect(refreshed.statusCode).toBe(400);
      },
    };
  },
};

/** Every one-time act of the authorization server. */
export const acts: readonly Act[] = [begin, signIn, share, decline, redeem, replay, rotate, reuse, revoke];
