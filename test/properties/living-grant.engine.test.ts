import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { rfc7636, theRedirectUri } from '../oauth/builders.ts';
import { cookieOf, eventOf, headerOf, hiddenFields, redirectOf } from '../oauth/events.ts';
import { authorizationQuery, basic, consentForm, openSignIn, signInForm } from '../oauth/journey.ts';
import { type Application, startWholeWorld, type WholeWorld } from '../support/whole-world.ts';
import { endGrant, lives, type Model, newModel, reads, redeem, refresh, seconds } from './model.ts';

/**
 * No sequence of events yields a token that reads without a living grant: random sequences run against the real handlers
 * over the real engine and against the model, which must agree on every answer.
 */

const pick = fc.nat({ max: 4 });
/** Mostly true: a thief or a wrong verifier ends most of what could still happen. */
const mostly = fc.nat({ max: 6 }).map((drawn) => drawn > 0);
const event = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('authorize' as const), lasting: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sign-in' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('share' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('decline' as const), pick }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('redeem' as const),
      pick,
      own: mostly,
      proven: mostly,
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('refresh' as const), pick, own: mostly }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), pick, own: mostly }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('suspend' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      seconds: fc.constantFrom(
        1,
        29,
        30,
        31,
        59,
        60,
        899,
        900,
        1_799,
        1_800,
        99 * 86_400,
        100 * 86_400,
        300 * 86_400,
      ),
    }),
  },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;
type Of<Kind extends Event['kind']> = Extract<Event, { kind: Kind }>;

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

/** One run: the model, the application, and what the world gave out, in the model's order. */
interface Run {
  readonly model: Model;
  readonly application: Application;
  /** Stands in the audit events of every request at the token endpoints. */
  readonly requestId: string;
  readonly opened: Awaited<ReturnType<typeof openSignIn>>[];
  readonly codes: string[];
  readonly accessTokens: string[];
  readonly refreshTokens: string[];
}

/** The element an event is about; with none there is nothing to do. */
function chosen(list: readonly unknown[], at: number): number | undefined {
  return list.length === 0 ? undefined : at % list.length;
}

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
  const { refresh_token } = body;
  if (refresh_token === undefined) return;
  // In its grace a token brings its successor again: it is one we have.
  if (!run.refreshTokens.includes(refresh_token)) run.refreshTokens.push(refresh_token);
  expect(run.refreshTokens).toHaveLength(run.model.refreshTokens.length);
}

async function authorize({ model, application, opened }: Run, { lasting }: Of<'authorize'>): Promise<void> {
  const scope = lasting ? 'openid patient/*.read offline_access' : 'openid patient/*.read';
  const page = await openSignIn(world, authorizationQuery(application.client.clientId, { scope }));
  expect(page.page.statusCode).toBe(model.suspended ? 400 : 200);
  if (model.suspended) return;
  opened.push({ ...page, cookie: cookieOf(page.page), fields: hiddenFields(page.page.body) });
  model.interactions.push({ state: 'signing-in', expiresAt: model.now + seconds.interaction, lasting });
}

/** The interaction an event is about, if the event can move it on. */
function movable(run: Run, at: number, from: 'signing-in' | 'consenting') {
  const index = chosen(run.model.interactions, at);
  if (index === undefined) return undefined;
  const interaction = run.model.interactions[index];
  const opened = run.opened[index];
  if (interaction === undefined || opened === undefined) throw new Error('model and world differ');
  const { model } = run;
  const moves = interaction.state === from && interaction.expiresAt > model.now && !model.suspended;
  return { interaction, opened, moves };
}

async function signIn(run: Run, { pick: at }: Of<'sign-in'>): Promise<void> {
  const found = movable(run, at, 'signing-in');
  if (found === undefined) return;
  const answer = await world.authorize(eventOf(signInForm(found.opened)));
  if (found.moves) {
    expect(answer.statusCode).toBe(303);
    found.interaction.state = 'consenting';
  } else expect(headerOf(answer, 'location')).not.toContain('code=');
}

async function decide(run: Run, { kind, pick: at }: Of<'share' | 'decline'>): Promise<void> {
  const found = movable(run, at, 'consenting');
  if (found === undefined) return;
  const { model, codes } = run;
  const answer = await world.authorize(eventOf(consentForm(found.opened, kind)));
  expect(answer.statusCode).toBe(found.moves ? 303 : 400);
  if (!found.moves) return;
  found.interaction.state = 'answered';
  const code = redirectOf(answer).get('code');
  expect(code === null).toBe(kind === 'decline');
  if (code === null) return;
  codes.push(code);
  model.grants.push({ state: 'pending', expiresAt: 0, lasting: found.interaction.lasting });
  model.codes.push({ state: 'issued', expiresAt: model.now + seconds.code, grant: model.grants.length - 1 });
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
    // An older token of the family may end it too: that only takes away.
    endGrant(model, grant);
  }
}

/** How the table has a grant. */
async function stateOf(accessTokens: readonly string[], model: Model, grant: number): Promise<unknown> {
  const token = accessTokens[model.accessTokens.findIndex((each) => each.grant === grant)];
  return token === undefined ? undefined : (await world.grantOf(token))?.state;
}

async function readOne(run: Run, index: number): Promise<void> {
  const status = await world.read(run.application, run.accessTokens[index] ?? '');
  expect(status === 200).toBe(reads(run.model, index));
  if (status === 200) expect(lives(run.model, run.model.accessTokens[index]?.grant ?? -1)).toBe(true);
}

/** As many events that say a token was issued as tokens were. */
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

/** The straight way to a code, so that most runs come to tokens. */
const beginning = (lasting: boolean): readonly Event[] => [
  { kind: 'authorize', lasting },
  { kind: 'sign-in', pick: 0 },
  { kind: 'share', pick: 0 },
];

it('no sequence of events yields a token that reads without a living grant', async () => {
  let issued = 0;
  await fc.assert(
    fc.asyncProperty(
      mostly,
      mostly,
      fc.array(event, { maxLength: 14 }),
      async (lasting, straight, events) => {
        const run: Run = {
          model: newModel(),
          application: await world.application(),
          requestId: randomUUID(),
          opened: [],
          codes: [],
          accessTokens: [],
          refreshTokens: [],
        };
        const redemption: readonly Event[] = straight
          ? [{ kind: 'redeem', pick: 0, own: true, proven: true }]
          : [];
        for (const one of [...beginning(lasting), ...redemption, ...events]) await step(run, one);
        for (const index of run.accessTokens.keys()) await readOne(run, index);
        await expectOnRecord(run);
        issued += run.accessTokens.length;
      },
    ),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 200) },
  );
  // The runs came to tokens at all.
  expect(issued).toBeGreaterThan(50);
}, 600_000);
