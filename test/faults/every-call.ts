import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { headerOf } from '../authorization/events.ts';
import type { WholeWorld } from '../support/whole-world.ts';
import type { Act } from './act.ts';
import { type cases, planAt } from './faults.ts';

type Case = (typeof cases)[number];

/** Most rounds over the calls of an act: a function that caches a value reads it in one run and not in the next, which shifts the calls' numbers. */
const mostRounds = 3;

/**
 * Runs an act again and again, each time by an application of its own; in each run another of its store calls meets the fault.
 * Ends with a run in which nothing is broken, once each kind of call of that run was.
 */
export async function breakEveryCall(world: WholeWorld, act: Act, { met, duration }: Case): Promise<void> {
  const broken = new Set<string>();
  let rounds = 0;
  for (let at = 0; ; at += 1) {
    const { run, settle } = await act.ready(world, await world.application(act.client));
    world.proxy.plan(...planAt(at, met, duration));
    const answer = await run();
    const calls = world.proxy.calls.map(kindOf);
    world.proxy.plan();
    const hit = calls[at];
    if (hit !== undefined) {
      broken.add(hit);
      expectClear(act, answer);
      await settle(answer);
      continue;
    }
    const missed = calls.filter((call) => !broken.has(call));
    if (missed.length === 0) break;
    rounds += 1;
    expect(rounds, `never broken: ${missed.join(', ')}`).toBeLessThan(mostRounds);
    at = -1;
  }
  // Each act reads before it writes: fewer calls, and nothing was tried.
  expect(broken.size).toBeGreaterThanOrEqual(2);
}

/** Description of a call without its ids: `get DSNP#CODE`, `put AUDIT#DSNP`. */
function kindOf(body: string): string {
  const call = JSON.parse(body) as Record<string, unknown>;
  const what = ['TransactItems', 'Item', 'UpdateExpression', 'KeyConditionExpression', 'RequestItems', 'Key'];
  const partition = /"S":"([A-Z0-9]+#(?:[A-Z0-9]+(?=#))?)/.exec(body)?.[1] ?? '';
  return `${what.find((member) => member in call)} ${partition}`;
}

/** 503 with the host's own words and when to try again, or what the act answers anyway. */
function expectClear({ dialect }: Act, answer: APIGatewayProxyResult): void {
  expect([200, 303, 400, 401, 503]).toContain(answer.statusCode);
  expect(answer.body).not.toMatch(/dynamo|table|node:|stack|ProvisionedThroughput|InternalServer/i);
  if (dialect === 'oauth') {
    // A revocation's answer has no body.
    const { error, access_token } = answer.body === '' ? { error: undefined } : JSON.parse(answer.body);
    expect(error === undefined).toBe(answer.statusCode === 200);
    if (answer.statusCode !== 200) expect(access_token).toBeUndefined();
  } else if (answer.statusCode !== 303) {
    expect(headerOf(answer, 'content-type')).toBe('text/html; charset=utf-8');
  }
  if (answer.statusCode !== 503) return;
  expect(headerOf(answer, 'location')).toBe('');
  if (dialect === 'oauth') expect(JSON.parse(answer.body).error).toBe('temporarily_unavailable');
}
