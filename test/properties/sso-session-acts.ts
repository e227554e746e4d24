import { expect } from 'vitest';
import { cookieOf, eventOf, headerOf, hiddenFields } from '../authorization/events.ts';
import { authorizeWith, silently, visitConnectedApps } from '../authorization/sso-session-journey.ts';
import type { WholeWorld } from '../support/whole-world.ts';
import { chosen, type Of, type Run, scopeOf } from './events.ts';
import { endGrant, lives, seconds, silent, stands } from './model.ts';

/** Acts on an SSO session, done in the model and in the world, which must agree on each answer. */

/** An authorization request in a browser with an SSO session, open or ended. */
export async function goOn(
  world: WholeWorld,
  run: Run,
  { pick: at, lasting }: Of<'continue'>,
): Promise<void> {
  const { model, application, opened } = run;
  const index = chosen(run.ssoSessions, at);
  if (index === undefined) return;
  const scope = scopeOf(lasting);
  const { clientId } = application.client;
  const answer = await authorizeWith(world, clientId, run.ssoSessions[index] ?? '', { scope });
  const expected = model.suspended ? 400 : stands(model, index) ? 303 : 200;
  expect(answer.statusCode).toBe(expected);
  if (expected !== 303) return;
  const { pathname, search } = new URL(headerOf(answer, 'location'));
  const cookie = cookieOf(answer);
  const page = await world.authorize(
    eventOf({ path: pathname, query: search.slice(1), headers: { cookie } }),
  );
  expect(page.statusCode).toBe(200);
  opened.push({ page, cookie, fields: hiddenFields(page.body) });
  const expiresAt = Math.min(model.now + seconds.interaction, model.ssoSessions[index]?.expiresAt ?? 0);
  model.interactions.push({ state: 'consenting', expiresAt, lasting, ssoSession: index, continued: true });
}

export async function goSilently(
  world: WholeWorld,
  run: Run,
  { pick: at, lasting }: Of<'silent'>,
): Promise<void> {
  const { model, application, codes } = run;
  if (model.suspended) return;
  const index = chosen(run.ssoSessions, at);
  const cookie = index === undefined ? '' : (run.ssoSessions[index] ?? '');
  const { clientId } = application.client;
  const answer = await silently(world, clientId, cookie, { scope: scopeOf(lasting) });
  expect(answer.error ?? 'code').toBe(silent(model, index, lasting));
  if (answer.code !== null) codes.push(answer.code);
}

/** Signs out at the connected apps, in a browser with an SSO session. */
export async function signOut(
  world: WholeWorld,
  { model, ssoSessions }: Run,
  { pick: at }: Of<'sign-out'>,
): Promise<void> {
  const index = chosen(ssoSessions, at);
  if (index === undefined) return;
  const visit = await visitConnectedApps(world, ssoSessions[index]);
  expect((await visit.signOut()).statusCode).toBe(303);
  const ended = model.ssoSessions[index];
  // An SSO session that has already ended stays unchanged.
  if (ended !== undefined && stands(model, index)) ended.open = false;
}

/** Stops sharing at the connected apps: ends the application's grants, including those whose code was not redeemed yet. */
export async function stop(world: WholeWorld, { model, application }: Run): Promise<void> {
  const visit = await visitConnectedApps(world);
  expect((await visit.stop(application.client.clientId)).statusCode).toBe(303);
  for (const [grant, { state }] of model.grants.entries())
    if (lives(model, grant) || state === 'pending') endGrant(model, grant);
}
