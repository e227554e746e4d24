import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { headerOf } from '../authorization/events.ts';
import type { WholeWorld } from '../support/whole-world.ts';
import type { Act } from './act.ts';
import { type cases, planAt } from './faults.ts';

type Case = (typeof cases)[number];

/** Most rounds over the calls of an act. A function may cache a value after its first run, and then the same call has another number. */
const mostRounds = 3;

/**
 * Runs an act again and again, each time with a new application, and breaks another store call in each run. Ends when a run has no call of
 * a kind that was not broken yet.
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
  // Each act reads before it writes; with fewer calls nothing would have been tested.
  expect(broken.size).toBeGreaterThanOrEqual(2);
}

/** The kind of a call: its first telling member and its partition without IDs, such as `Key DSNP#CODE`, `Item AUDIT#DSNP`. */
function kindOf(body: string): string {
  const call = JSON.parse(body) as Record<string, unknown>;
  const what = ['TransactItems', 'Item', 'UpdateExpression', 'KeyConditionExpression', 'RequestItems', 'Key'];
  const partition = /"S":"([A-Z0-9]+#(?:[A-Z0-9]+(?=#))?)/.exec(body)?.[1] ?? '';
  return `${what.find((member) => member in call)} ${partition}`;
}

/** Expects 503 in the host's dialect with `Retry-After`, or an answer of the act without a fault. */
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
