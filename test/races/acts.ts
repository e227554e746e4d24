import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { theMember } from '../authorization/builders.ts';
import { type Call, eventOf } from '../authorization/events.ts';
import { anotherName } from '../authorization/handler-world.ts';
import {
  authorizationQuery,
  basic,
  consentForm,
  obtainCode,
  openConsent,
  openSignIn,
  signInForm,
  tokenCall,
  Unprepared,
} from '../authorization/journey.ts';
import { keepAndShare, silently } from '../authorization/sso-session-journey.ts';
import type { Application, WholeWorld } from '../support/whole-world.ts';

/** An act that many try at once. `run` is one try. `verdict` returns what is wrong with the answers, undefined if nothing is. */
export interface RacedAct {
  readonly run: () => Promise<APIGatewayProxyResult>;
  readonly verdict: (answers: readonly APIGatewayProxyResult[]) => Promise<string | undefined>;
}

export interface Race {
  readonly name: string;
  readonly ready: (world: WholeWorld, application: Application) => Promise<RacedAct>;
}

const lasting = { scope: 'openid patient/*.read offline_access' };

function named(call: Call, requestId: string): Call {
  return { ...call, headers: { ...call.headers, 'x-request-id': requestId } };
}

/** Checks the answers of all tries except the winner's: each must be a refusal (400) or say that the store is busy (503). */
function losers(answers: readonly APIGatewayProxyResult[], won: number): string | undefined {
  const strange = answers.find(({ statusCode }) => ![won, 400, 503].includes(statusCode));
  return strange === undefined
    ? undefined
    : `an answer was ${strange.statusCode}: ${strange.body.slice(0, 200)}`;
}

function oneOf(name: string, count: number): string | undefined {
  return count === 1 ? undefined : `${count} ${name}`;
}

async function recorded(
  world: WholeWorld,
  application: Application,
  requestId: string,
  matches: (event: Readonly<Record<string, unknown>>) => boolean,
): Promise<number> {
  return (await world.eventsOf(application, requestId)).filter(matches).length;
}

const succeeded = ({ outcome, reason }: Readonly<Record<string, unknown>>) =>
  outcome === 'succeeded' && reason !== 'repeated';

function redemption(obtain: (world: WholeWorld, clientId: string) => Promise<string>): Race['ready'] {
  return async (world, application) => {
    const { clientId } = application.client;
    const code = await obtain(world, clientId);
    const requestId = randomUUID();
    return {
      run: () => world.token(eventOf(named(tokenCall(clientId, code), requestId))),
      async verdict(answers) {
        const won = answers.filter(({ statusCode }) => statusCode === 200);
        const events = await recorded(world, application, requestId, succeeded);
        const token = JSON.parse(won[0]?.body ?? '{}').access_token ?? '';
        return (
          oneOf('winners', won.length) ??
          oneOf('events', events) ??
          losers(answers, 200) ??
          // The other tries used the code a second time, so the tokens of the first were revoked.
          ((await world.read(application, token)) === 200 ? 'the replays ended nothing' : undefined)
        );
      },
    };
  };
}

/** Obtains another code, without a page, for a grant that is already in use. */
async function silentCode(world: WholeWorld, clientId: string): Promise<string> {
  const { ssoCookie } = await keepAndShare(world, clientId, lasting);
  return (await silently(world, clientId, ssoCookie, lasting)).code ?? '';
}

const rotation: Race = {
  name: 'the rotation of one refresh token',
  async ready(world, application) {
    const { clientId } = application.client;
    const code = await obtainCode(world, authorizationQuery(clientId, lasting));
    const { refresh_token } = JSON.parse((await world.token(eventOf(tokenCall(clientId, code)))).body);
    const requestId = randomUUID();
    const call = (token: string): Call => ({
      path: '/fhir-oauth2/pub/dsnp/token',
      headers: { authorization: basic(clientId) },
      json: { grant_type: 'refresh_token', refresh_token: token },
    });
    return {
      run: () => world.token(eventOf(named(call(refresh_token), requestId))),
      async verdict(answers) {
        const won = answers.filter(({ statusCode }) => statusCode === 200);
        const successors = new Set(won.map(({ body }) => String(JSON.parse(body).refresh_token)));
        const [successor = ''] = successors;
        const rotations = await recorded(world, application, requestId, succeeded);
        const next = await world.token(eventOf(call(successor)));
        return (
          oneOf('successors', successors.size) ??
          oneOf('rotations', rotations) ??
          losers(answers, 200) ??
          (next.statusCode === 200 ? undefined : 'the successor is no good')
        );
      },
    };
  },
};

function consent(answer: 'share' | 'decline' | 'both'): Race['ready'] {
  return async (world, application) => {
    const opened = await openConsent(world, authorizationQuery(application.client.clientId));
    const requestId = randomUUID();
    let tries = 0;
    return {
      run() {
        tries += 1;
        const chosen = answer === 'both' ? (tries % 2 === 0 ? 'share' : 'decline') : answer;
        return world.authorize(eventOf(named(consentForm(opened, chosen), requestId)));
      },
      async verdict(answers) {
        // Further tries with the same answer get the response of the first.
        const won = answers.filter(({ statusCode }) => statusCode === 303);
        const locations = new Set(won.map(({ headers }) => headers?.Location));
        const events = await recorded(world, application, requestId, () => true);
        return oneOf('winners', locations.size) ?? oneOf('events', events) ?? losers(answers, 303);
      },
    };
  };
}

/** Each try has a name and an IP address of its own, so that limits of failures do not matter; one try succeeds. */
const signIn: Race = {
  name: 'one sign-in form',
  async ready(world, application) {
    const opened = await openSignIn(world, authorizationQuery(application.client.clientId));
    const requestId = randomUUID();
    let tries = 0;
    return {
      run() {
        tries += 1;
        const credentials = { username: anotherName(), password: theMember.password };
        const call = { ...signInForm(opened, credentials), address: `198.51.100.${tries}` };
        return world.authorize(eventOf(named(call, requestId)));
      },
      async verdict(answers) {
        const events = await recorded(world, application, requestId, succeeded);
        const ledOn = answers.some(({ statusCode }) => statusCode === 303);
        // Later tries are redirected to the winner's next page.
        return oneOf('events', events) ?? (ledOn ? undefined : 'nobody was led on') ?? losers(answers, 303);
      },
    };
  },
};

/**
 * All tries have the same name, so that delays after failures and the code required after three count too. The one success is a sign-in or
 * a request for a code, and others are told to wait.
 */
const signInUnderOneName: Race = {
  name: 'one sign-in form under one name',
  async ready(world, application) {
    const opened = await openSignIn(world, authorizationQuery(application.client.clientId));
    const requestId = randomUUID();
    const credentials = { username: anotherName(), password: theMember.password };
    return {
      run: () => world.authorize(eventOf(named(signInForm(opened, credentials), requestId))),
      async verdict(answers) {
        const step = ({ outcome, reason }: Readonly<Record<string, unknown>>) =>
          outcome === 'succeeded' || reason === 'code_asked';
        const steps = await recorded(world, application, requestId, step);
        const polite = answers.filter(({ statusCode }) => statusCode !== 429);
        return oneOf('steps', steps) ?? losers(polite, 303);
      },
    };
  },
};

const revocation: Race = {
  name: 'the revocation of one grant beside its refreshes',
  async ready(world, application) {
    const { clientId } = application.client;
    const code = await obtainCode(world, authorizationQuery(clientId, lasting));
    const issued = JSON.parse((await world.token(eventOf(tokenCall(clientId, code)))).body);
    const call = (end: string, json: Record<string, string>): Call => ({
      path: `/fhir-oauth2/pub/dsnp/${end}`,
      headers: { authorization: basic(clientId) },
      json,
    });
    let tries = 0;
    return {
      run() {
        tries += 1;
        const refreshes = { grant_type: 'refresh_token', refresh_token: issued.refresh_token };
        return world.token(
          eventOf(
            tries % 10 === 1 ? call('revoke', { token: issued.refresh_token }) : call('token', refreshes),
          ),
        );
      },
      async verdict(answers) {
        const tokens = answers.flatMap(({ body }) => {
          const token: unknown = JSON.parse(body).access_token;
          return typeof token === 'string' ? [token] : [];
        });
        const acknowledged = answers.some(({ statusCode, body }) => statusCode === 200 && body === '{}');
        if (!acknowledged) return 'no revocation was acknowledged';
        for (const token of [issued.access_token, ...tokens.slice(0, 3)]) {
          if ((await world.read(application, token)) === 200) return 'a token reads after the revocation';
        }
        return losers(answers, 200);
      },
    };
  },
};

export const races: readonly Race[] = [
  {
    name: 'the redemption of one code',
    ready: redemption((world, clientId) => obtainCode(world, authorizationQuery(clientId, lasting))),
  },
  { name: 'the redemption of one code without a page', ready: redemption(silentCode) },
  rotation,
  { name: 'one consent, shared', ready: consent('share') },
  { name: 'one consent, declined', ready: consent('decline') },
  { name: 'one consent, shared and declined', ready: consent('both') },
  signIn,
  signInUnderOneName,
  revocation,
];

/** Prepares a race without concurrency, and tries again while the store is busy. */
async function prepared(ready: () => Promise<RacedAct>, attempts = 5): Promise<RacedAct> {
  try {
    return await ready();
  } catch (error) {
    if (error instanceof Unprepared && error.statusCode === 503 && attempts > 1) {
      return await prepared(ready, attempts - 1);
    }
    throw error;
  }
}

/**
 * Result of a race that nobody won and in which some tries were told that the store is busy. The act may have been done while its answer
 * was lost, so this is no fault.
 */
export const nobodyServed = 'nobody was served';

/**
 * Runs a race.
 *
 * @returns what is wrong, undefined if one try won, or `nobodyServed` if the race must be run again.
 */
export async function runRace(
  world: WholeWorld,
  application: Application,
  race: Race,
  tries: number,
): Promise<string | undefined> {
  const act = await prepared(() => race.ready(world, application));
  const answers = await Promise.all(Array.from({ length: tries }, () => act.run()));
  const wrong = await act.verdict(answers);
  if (wrong?.startsWith('0 ') && answers.some(({ statusCode }) => statusCode === 503)) return nobodyServed;
  const defects = world.logLines.filter((line) => line.includes('"code":"defect"'));
  return wrong === undefined ? undefined : [wrong, ...defects].join('\n');
}
