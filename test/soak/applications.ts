/** The applications of a soak: members share with them, they read and refresh, and some members stop sharing. */

import { createHash, randomBytes } from 'node:crypto';
import { authorizationServerEndpoints, fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { App } from '../journeys/app-calls.ts';
import {
  decide,
  localFetch,
  memberOf,
  originsOf,
  redirectUri,
  register,
  registrationOf,
} from '../journeys/journey.ts';
import type { World } from './world.ts';

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

const basic = (app: App) => `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`;

/**
 * Registers an application of the sandbox, with up to five tries.
 *
 * @returns undefined after five failures.
 */
export async function registered(world: World, lob: LineOfBusiness): Promise<App | undefined> {
  for (let tries = 0; tries < 5; tries += 1) {
    const app = await world.act('register an application', () => register('sandbox', registrationOf(lob)));
    if (app !== undefined) return app;
    await world.pause(1_000);
  }
  return undefined;
}

async function tokens(
  world: World,
  app: App,
  lob: LineOfBusiness,
  parameters: Readonly<Record<string, string>>,
  kind: string,
): Promise<Tokens | undefined> {
  const { token } = authorizationServerEndpoints(originsOf('sandbox'), lob);
  const answer = await world.call(kind, () =>
    localFetch(token, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: basic(app) },
      body: new URLSearchParams(parameters),
    }),
  );
  if (answer === undefined) return undefined;
  const { access_token, refresh_token } = (await answer.json()) as Record<string, string | undefined>;
  if (access_token === undefined || refresh_token === undefined) {
    world.tally.broken(`${kind} brought no tokens`);
    return undefined;
  }
  return { access: access_token, refresh: refresh_token };
}

/** Obtains a token: a member signs in and shares, and the code is exchanged. */
async function share(
  world: World,
  app: App,
  lob: LineOfBusiness,
  index: number,
): Promise<Tokens | undefined> {
  await world.up();
  const verifier = randomBytes(32).toString('base64url');
  const back = await world.act('sign in and share', async () => {
    const origins = originsOf('sandbox');
    const { authorization } = authorizationServerEndpoints(origins, lob);
    const url = `${authorization}?${new URLSearchParams({
      client_id: app.clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'launch/patient offline_access patient/*.rs',
      state: 'of-the-app',
      aud: fhirBase(origins, lob, 'patient-access'),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })}`;
    const address = await decide(url, memberOf('sandbox', lob, index), 'Share my data');
    const code = address.searchParams.get('code');
    if (code === null) throw new Error(`no code: ${address.searchParams.get('error')}`);
    return code;
  });
  if (back === undefined) return undefined;
  const exchange = {
    grant_type: 'authorization_code',
    code: back,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return await tokens(world, app, lob, exchange, 'exchange a code');
}

async function get(world: World, app: App, lob: LineOfBusiness, index: number, access: string, path: string) {
  await world.up();
  const { patientId } = memberOf('sandbox', lob, index);
  const about = { lob, patientId, clientId: app.clientId };
  const url = `${fhirBase(originsOf('sandbox'), lob, 'patient-access')}/${path}`;
  const headers = { authorization: `Bearer ${access}`, 'x-api-subscription-key': app.subscriptionKey };
  let isSent = false;
  const answer = await world.call(path.includes('?') ? 'search' : 'read', async () => {
    // An earlier try may have disclosed data although its answer was lost or refused.
    if (isSent) world.disclosure(about, false);
    isSent = true;
    const got = await localFetch(url, { headers });
    if (got.status === 200) await got.clone().text();
    return got;
  });
  world.disclosure(about, answer !== undefined);
}

/** Reads, searches and refreshes until the soak is over. The newest refresh token must work at the end. */
export async function readingApplication(world: World, lob: LineOfBusiness, index: number): Promise<void> {
  const app = await registered(world, lob);
  if (app === undefined) return;
  let held: Tokens | undefined;
  for (let turn = 0; !world.over; turn += 1) {
    held ??= await share(world, app, lob, index);
    if (held !== undefined) {
      const { patientId } = memberOf('sandbox', lob, index);
      await get(
        world,
        app,
        lob,
        index,
        held.access,
        turn % 3 === 2 ? 'Coverage?_count=10' : `Patient/${patientId}`,
      );
      if (turn % 8 === 7) held = (await refresh(world, app, lob, held)) ?? held;
    }
    await world.pause(900);
  }
  if (held !== undefined) await refresh(world, app, lob, held);
}

/** Kinds of calls for which a person waits, as the tally names them. */
export const interactiveKinds = ['sign in and share', 'exchange a code', 'refresh', 'read'] as const;

/** Signs in, refreshes and reads again and again, with one or two calls a second, so that a minute gives a hundred samples. */
export async function interactiveMember(world: World, lob: LineOfBusiness, index: number): Promise<void> {
  const app = await registered(world, lob);
  if (app === undefined) return;
  const { patientId } = memberOf('sandbox', lob, index);
  while (!world.over) {
    let held = await share(world, app, lob, index);
    for (let turn = 0; held !== undefined && turn < 3 && !world.over; turn += 1) {
      await get(world, app, lob, index, held.access, `Patient/${patientId}`);
      held = await refresh(world, app, lob, held);
      await world.pause(500);
    }
  }
}

/** Refreshes the token. A refresh whose answer was lost is repeated with the same token (docs/decisions/0009). */
async function refresh(
  world: World,
  app: App,
  lob: LineOfBusiness,
  held: Tokens,
): Promise<Tokens | undefined> {
  await world.up();
  return await tokens(
    world,
    app,
    lob,
    { grant_type: 'refresh_token', refresh_token: held.refresh },
    'refresh',
  );
}

/** Repeatedly, a member shares and stops sharing; after that the application must get no data. */
export async function stoppedApplication(world: World, lob: LineOfBusiness, index: number): Promise<void> {
  const app = await registered(world, lob);
  if (app === undefined) return;
  const { patientId } = memberOf('sandbox', lob, index);
  while (!world.over) {
    const held = await share(world, app, lob, index);
    if (held !== undefined) {
      await get(world, app, lob, index, held.access, `Patient/${patientId}`);
      const about = ['--lob', lob, '--patient', patientId, '--client', app.clientId];
      const stopped = await world.ops('stop sharing', 'grants', 'end', ...about, '--reason', 'member_asked');
      if (stopped?.code === 0) {
        const { token } = authorizationServerEndpoints(originsOf('sandbox'), lob);
        const parameters = { grant_type: 'refresh_token', refresh_token: held.refresh };
        await world.call(
          'refresh after the end',
          () =>
            localFetch(token, {
              method: 'POST',
              headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: basic(app) },
              body: new URLSearchParams(parameters),
            }),
          [400],
        );
        const url = `${fhirBase(originsOf('sandbox'), lob, 'patient-access')}/Patient/${patientId}`;
        const headers = {
          authorization: `Bearer ${held.access}`,
          'x-api-subscription-key': app.subscriptionKey,
        };
        await world.call('read after the end', () => localFetch(url, { headers }), [401]);
      }
    }
    await world.pause(4_000);
  }
}
