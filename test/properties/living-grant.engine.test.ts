import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { rfc7636, theRedirectUri } from '../authorization/builders.ts';
import { cookieOf, eventOf, headerOf, hiddenFields, redirectOf } from '../authorization/events.ts';
import { authorizationQuery, basic, consentForm, openSignIn, signInForm } from '../authorization/journey.ts';
import { keeping } from '../authorization/sso-session-journey.ts';
import { runsInTurn } from '../support/matrix-turn.ts';
import fc from '../support/property.ts';
import { type Application, startWholeWorld, type WholeWorld } from '../support/whole-world.ts';
import { chosen, type Event, event, mostly, type Of, type Run, scopeOf } from './events.ts';
import { endGrant, lives, type Model, newModel, reads, redeem, refresh, seconds, share } from './model.ts';
import { goOn, goSilently, signOut, stop } from './sso-session-acts.ts';

/**
 * No sequence of events gives a token that reads data without an active grant. Random sequences run against the real handlers over the real
 * engine and against a model; both must agree on every answer.
 */

const startMs = Date.UTC(2026, 10, 20, 12);
let nowMs = startMs;
let world: WholeWorld;
let thief: Application;
beforeAll(async () => {
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
  world = await startWholeWorld();
  thief = await world.application();
});
afterAll(async () => {
  await world.stop();
  vi.restoreAllMocks();
});

async function post(run: Run, own: boolean, end: string, json: Record<string, string>) {
  const { client } = own ? run.application : thief;
  return await world.token(
    eventOf({
      path: `/fhir-oauth2/pub/dsnp/${end}`,
      headers: { authorization: basic(client.clientId), 'x-request-id': run.requestId },
      json,
    }),
  );
}

function keep(run: Run, answer: APIGatewayProxyResult, expected: 'issued' | 'refused'): void {
  const body = JSON.parse(answer.body);
  expect(answer.statusCode === 200 ? 'issued' : 'refused').toBe(expected);
  if (expected === 'refused') return void expect(body.access_token).toBeUndefined();
  run.accessTokens.push(body.access_token);
  const { model } = run;
  expect(body.expires_in).toBe((model.accessTokens.at(-1)?.expiresAt ?? 0) - model.now);
  const { refresh_token } = body;
  if (refresh_token === undefined) return;
  // Within the grace period a refresh token gives the same successor again.
  if (!run.refreshTokens.includes(refresh_token)) run.refreshTokens.push(refresh_token);
  expect(run.refreshTokens).toHaveLength(run.model.refreshTokens.length);
}

async function authorize({ model, application, opened }: Run, { lasting }: Of<'authorize'>): Promise<void> {
  const query = authorizationQuery(application.client.clientId, { scope: scopeOf(lasting) });
  const page = await openSignIn(world, query);
  expect(page.page.statusCode).toBe(model.suspended ? 400 : 200);
  if (model.suspended) return;
  opened.push({ ...page, cookie: cookieOf(page.page), fields: hiddenFields(page.page.body) });
  const expiresAt = model.now + seconds.interaction;
  model.interactions.push({ state: 'signing-in', expiresAt, lasting, continued: false });
}

/** The interaction that an event is about, if it is at this step. */
function movable(run: Run, at: number, from: 'signing-in' | 'consenting') {
  const index = chosen(run.model.interactions, at);
  if (index === undefined) return undefined;
  const interaction = run.model.interactions[index];
  const opened = run.opened[index];
  if (interaction === undefined || opened === undefined) throw new Error('model and world differ');
  const { model } = run;
  const left = interaction.continued && model.ssoSessions[interaction.ssoSession ?? -1]?.open !== true;
  const inTime = interaction.expiresAt > model.now && !left;
  return { interaction, opened, moves: interaction.state === from && inTime && !model.suspended };
}

/** Signs in in a new browser, so that no sign-in ends another one's session. */
async function signIn(run: Run, { pick: at, keep }: Of<'sign-in'>): Promise<void> {
  const found = movable(run, at, 'signing-in');
  if (found === undefined) return;
  const { model, ssoSessions } = run;
  const call = signInForm(found.opened, keep ? keeping : undefined);
  const answer = await world.authorize(eventOf(call));
  if (!found.moves) return void expect(headerOf(answer, 'location')).not.toContain('code=');
  expect(answer.statusCode).toBe(303);
  found.interaction.state = 'consenting';
  expect(cookieOf(answer) !== '').toBe(keep);
  if (!keep) return;
  ssoSessions.push(cookieOf(answer));
  model.ssoSessions.push({ open: true, expiresAt: model.now + seconds.ssoSession });
  found.interaction.ssoSession = model.ssoSessions.length - 1;
}

/**
 * The code in the response to an answer that was given before: the same, while nobody has presented it; empty for a refusal; undefined where
 * the repeat is refused.
 */
function repeatedCode(
  { model, codes }: Run,
  { answer, expiresAt }: Model['interactions'][number],
  kind: 'share' | 'decline',
): string | undefined {
  if (model.suspended || answer?.kind !== kind) return undefined;
  if (answer.code === undefined) return expiresAt > model.now ? '' : undefined;
  const code = model.codes[answer.code];
  return code?.state === 'issued' && code.expiresAt > model.now ? codes[answer.code] : undefined;
}

async function decide(run: Run, { kind, pick: at }: Of<'share' | 'decline'>): Promise<void> {
  const found = movable(run, at, 'consenting');
  if (found === undefined) return;
  const { model, codes } = run;
  const { interaction, opened } = found;
  const answer = await world.authorize(eventOf(consentForm(opened, kind)));
  const repeated = found.moves ? undefined : repeatedCode(run, interaction, kind);
  expect(answer.statusCode).toBe(found.moves || repeated !== undefined ? 303 : 400);
  if (repeated !== undefined) expect(redirectOf(answer).get('code') ?? '').toBe(repeated);
  if (!found.moves) return;
  interaction.state = 'answered';
  interaction.answer = { kind };
  const ssoSession = model.ssoSessions[interaction.ssoSession ?? -1];
  const code = redirectOf(answer).get('code');
  expect(code === null).toBe(kind === 'decline');
  if (ssoSession !== undefined) ssoSession.grant = undefined;
  if (code === null) return;
  codes.push(code);
  interaction.answer = { kind, code: codes.length - 1 };
  const { lasting } = interaction;
  const grant = share(model, lasting);
  if (ssoSession !== undefined) ssoSession.grant = grant;
  const expiresAt = model.now + seconds.code;
  model.codes.push({ state: 'issued', expiresAt, grant, lasting, silent: false });
}

async function present(run: Run, { pick: at, own, proven }: Of<'redeem'>): Promise<void> {
  const index = chosen(run.codes, at);
  if (index === undefined) return;
  const answer = await post(run, own, 'token', {
    grant_type: 'authorization_code',
    code: run.codes[index] ?? '',
    redirect_uri: theRedirectUri,
    code_verifier: proven ? rfc7636.verifier : 'A'.repeat(43),
  });
  keep(run, answer, redeem(run.model, index, own, proven));
}

async function renew(run: Run, { pick: at, own }: Of<'refresh'>): Promise<void> {
  const index = chosen(run.refreshTokens, at);
  if (index === undefined) return;
  const answer = await post(run, own, 'token', {
    grant_type: 'refresh_token',
    refresh_token: run.refreshTokens[index] ?? '',
  });
  keep(run, answer, refresh(run.model, index, own));
}

async function revoke({ model, ...run }: Run, { pick: at, own }: Of<'revoke'>): Promise<void> {
  const index = chosen(run.refreshTokens, at);
  if (index === undefined) return;
  const { family = -1 } = model.refreshTokens[index] ?? {};
  const { live = 0, grant = -1 } = model.families[family] ?? {};
  const answer = await post({ model, ...run }, own, 'revoke', { token: run.refreshTokens[index] ?? '' });
  if (own && !model.suspended && model.refreshTokens[index]?.serial === live) {
    expect(answer.statusCode).toBe(200);
    endGrant(model, grant);
  } else if (
    own &&
    answer.statusCode === 200 &&
    (await stateOf(run.accessTokens, model, grant)) === 'revoked'
  ) {
    // Revoking an older token of the family may end the grant as well, which only takes access away.
    endGrant(model, grant);
  }
}

/** The state of a grant in the table. */
async function stateOf(accessTokens: readonly string[], model: Model, grant: number): Promise<unknown> {
  const token = accessTokens[model.accessTokens.findIndex((each) => each.grant === grant)];
  return token === undefined ? undefined : (await world.grantOf(token))?.state;
}

async function readOne(run: Run, index: number): Promise<void> {
  const status = await world.read(run.application, run.accessTokens[index] ?? '');
  expect(status === 200).toBe(reads(run.model, index));
  if (status === 200) expect(lives(run.model, run.model.accessTokens[index]?.grant ?? -1)).toBe(true);
}

/** Checks that the audit has one event for each issued token. */
async function expectOnRecord({ application, requestId, accessTokens }: Run): Promise<void> {
  const events = await world.eventsOf(application, requestId);
  const tokens = events.filter(
    ({ action, outcome }) =>
      ['token.issue', 'token.refresh'].includes(String(action)) && outcome === 'succeeded',
  );
  expect(tokens).toHaveLength(accessTokens.length);
}

async function step(run: Run, one: Event): Promise<void> {
  const { model, application } = run;
  switch (one.kind) {
    case 'authorize':
      return await authorize(run, one);
    case 'sign-in':
      return await signIn(run, one);
    case 'continue':
      return await goOn(world, run, one);
    case 'silent':
      return await goSilently(world, run, one);
    case 'sign-out':
      return await signOut(world, run, one);
    case 'stop':
      return await stop(world, run);
    case 'share':
    case 'decline':
      return await decide(run, one);
    case 'redeem':
      return await present(run, one);
    case 'refresh':
      return await renew(run, one);
    case 'revoke':
      return await revoke(run, one);
    case 'read': {
      const index = chosen(run.accessTokens, one.pick);
      return index === undefined ? undefined : await readOne(run, index);
    }
    case 'wait':
      model.now += one.seconds;
      nowMs += one.seconds * 1_000;
      return;
    case 'suspend':
    case 'resume':
      model.suspended = one.kind === 'suspend';
      return await world.setState(application, model.suspended ? 'suspended' : 'active');
  }
}

/** The events from the sign-in to tokens, of which runs take a beginning. Most runs get tokens, and many a code without a page. */
const straightWay = (lasting: boolean): readonly Event[] => [
  { kind: 'authorize', lasting },
  { kind: 'sign-in', pick: 0, keep: true },
  { kind: 'share', pick: 0 },
  { kind: 'redeem', pick: 0, own: true, proven: true },
  { kind: 'wait', seconds: 29 },
  { kind: 'silent', pick: 0, lasting },
  { kind: 'redeem', pick: 1, own: true, proven: true },
];
const straight = fc.integer({ min: 3, max: 7 });

it('no sequence of events yields a token that reads without a living grant', async () => {
  let issued = 0;
  let silently = 0;
  const drawn = runsInTurn(Number(process.env.PROPERTY_RUNS ?? 200));
  await fc.assert(
    fc.asyncProperty(mostly, straight, fc.array(event, { maxLength: 14 }), async (lasting, steps, events) => {
      const run: Run = {
        model: newModel(),
        application: await world.application(),
        requestId: randomUUID(),
        opened: [],
        ssoSessions: [],
        codes: [],
        accessTokens: [],
        refreshTokens: [],
      };
      for (const one of [...straightWay(lasting).slice(0, steps), ...events]) await step(run, one);
      for (const index of run.accessTokens.keys()) await readOne(run, index);
      await expectOnRecord(run);
      issued += run.accessTokens.length;
      silently += run.model.codes.filter((code) => code.silent && code.state === 'redeemed').length;
    }),
    drawn,
  );
  // The runs must get tokens, and some of them without a page: about 250 and 40 in 200 runs.
  expect(issued).toBeGreaterThan(drawn.numRuns / 4);
  expect(silently).toBeGreaterThan(drawn.numRuns / 40);
}, 600_000);
