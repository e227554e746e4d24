import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { type Call, eventOf } from '../authorization/events.ts';
import { authorizationQuery, basic, obtainCode, tokenCall } from '../authorization/journey.ts';
import type { Application, WholeWorld } from '../support/whole-world.ts';

/** A prepared act. `run` may be called repeatedly; `settle` checks the result after the fault has passed. */
export interface Ready {
  readonly run: () => Promise<APIGatewayProxyResult>;
  /** @param first answer of the run during the fault */
  readonly settle: (first: APIGatewayProxyResult) => Promise<void>;
}

export interface Act {
  readonly name: string;
  readonly dialect: 'page' | 'oauth';
  /** Changes of the application that acts. */
  readonly client?: Parameters<WholeWorld['application']>[0];
  readonly ready: (world: WholeWorld, application: Application) => Promise<Ready>;
}

export const lasting = { scope: 'openid launch/patient patient/*.read offline_access' };

/** A copy of a call with a request ID of its own, by which its audit events are found. */
export function named(call: Call, requestId: string): Call {
  return { ...call, headers: { ...call.headers, 'x-request-id': requestId } };
}

/** Makes a request ID, and a function that counts the audit events with this ID and the wanted fields. */
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

/** A call with a request ID of its own that may be run repeatedly, and the count of its audit events. */
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
 * @param twice checks what the second use ended, by the first answer and the number of recorded redemptions (0 or 1) before it
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

/** Obtains an application's tokens with offline access. */
export async function lastingTokens(world: WholeWorld, { client }: Application): Promise<Tokens> {
  const code = await obtainCode(world, authorizationQuery(client.clientId, lasting));
  return JSON.parse((await world.token(eventOf(tokenCall(client.clientId, code)))).body);
}

/** A JSON call of the application to an endpoint that members do not open in a browser. */
export function endpointCall({ client }: Application, endpoint: string, json: unknown): Call {
  const headers = { authorization: basic(client.clientId) };
  return { path: `/fhir-oauth2/pub/dsnp/${endpoint}`, headers, json };
}
