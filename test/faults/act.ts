import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { type Call, eventOf } from '../authorization/events.ts';
import { authorizationQuery, basic, obtainCode, tokenCall } from '../authorization/journey.ts';
import type { Application, WholeWorld } from '../support/whole-world.ts';

/** One act made ready: it can be run, and run again; `settle` looks at what became of it once the store is well. */
export interface Ready {
  readonly run: () => Promise<APIGatewayProxyResult>;
  /** @param first answer of the run with the fault */
  readonly settle: (first: APIGatewayProxyResult) => Promise<void>;
}

export interface Act {
  readonly name: string;
  readonly dialect: 'page' | 'oauth';
  /** Settings of the acting application. */
  readonly client?: Parameters<WholeWorld['application']>[0];
  readonly ready: (world: WholeWorld, application: Application) => Promise<Ready>;
}

export const lasting = { scope: 'openid launch/patient patient/*.read offline_access' };

/** The call under a request id of its own, by which its audit events are found. */
export function named(call: Call, requestId: string): Call {
  return { ...call, headers: { ...call.headers, 'x-request-id': requestId } };
}

/** A request id, and how many events say under it what is asked for. */
export function onRecord(world: WholeWorld, application: Application) {
  const requestId = randomUUID();
  return {
    requestId,
    async count(wanted: Readonly<Record<string, unknown>> = { outcome: 'succeeded' }): Promise<number> {
      const events = await world.eventsOf(application, requestId);
      return events.filter((event) => Object.entries(wanted).every(([name, is]) => event[name] === is))
        .length;
    },
  };
}

/** A call of an application under a request id of its own, to be run and run again; and how many events say so. */
export function recorded(
  world: WholeWorld,
  application: Application,
  endpoint: 'authorize' | 'token',
  call: Call,
) {
  const { requestId, count } = onRecord(world, application);
  return { run: () => world[endpoint](eventOf(named(call, requestId))), count };
}

/**
 * Redeems a code: the first use succeeds, the second is refused.
 *
 * @param twice what ends when the code is used twice, if the first use was answered or not
 */
export async function redemption(
  world: WholeWorld,
  application: Application,
  code: string,
  twice: (first: APIGatewayProxyResult, applied: number) => Promise<void>,
): Promise<Ready> {
  const call = tokenCall(application.client.clientId, code);
  const { run, count } = recorded(world, application, 'token', call);
  return {
    run,
    async settle(first) {
      const applied = await count();
      if (first.statusCode === 200) {
        expect(applied).toBe(1);
        expect(await world.read(application, JSON.parse(first.body).access_token)).toBe(200);
      }
      const again = await run();
      expect(again.statusCode).toBe(applied === 1 ? 400 : 200);
      expect(await count()).toBe(1);
      await twice(first, applied);
    },
  };
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Obtains the tokens of an application with long-term access. */
export async function lastingTokens(world: WholeWorld, { client }: Application): Promise<Tokens> {
  const code = await obtainCode(world, authorizationQuery(client.clientId, lasting));
  return JSON.parse((await world.token(eventOf(tokenCall(client.clientId, code)))).body);
}

/** A call of the application at one of the endpoints beside the authorization endpoint. */
export function endpointCall({ client }: Application, endpoint: string, json: unknown): Call {
  const headers = { authorization: basic(client.clientId) };
  return { path: `/fhir-oauth2/pub/dsnp/${endpoint}`, headers, json };
}
