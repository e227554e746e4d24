import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { headerOf } from '../oauth/events.ts';
import { type Application, startWholeWorld, type WholeWorld } from '../support/whole-world.ts';
import { type Act, acts } from './acts.ts';
import { cases, planAt } from './faults.ts';

/**
 * Every one-shot act × every store call it makes × every fault: never two winners, no acknowledged write lost, no open
 * door, and an answer that says what it is.
 */

// A store that says nothing is given up sooner, and tried again at once: the tests don't wait for it.
vi.mock('../../lambdas/storage/dynamodb-call.ts', async (original) => ({
  ...(await original<typeof import('../../lambdas/storage/dynamodb-call.ts')>()),
  attemptTimeoutMs: 300,
  patience: { random: () => 0, sleep: async () => undefined },
}));

let world: WholeWorld;
let application: Application;
beforeAll(async () => {
  world = await startWholeWorld();
});
afterAll(async () => {
  await world.stop();
});

/** 503 with the host's own words and when to try again, or what the act answers anyway. */
function expectClear({ dialect }: Act, answer: APIGatewayProxyResult): void {
  expect([200, 303, 400, 503]).toContain(answer.statusCode);
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

describe.each(acts)('$name', (act) => {
  it.each(cases)('when $fault, $duration', async ({ met, duration }) => {
    application = await world.application();
    let at = 0;
    for (; ; at += 1) {
      const { run, settle } = await act.ready(world, application);
      world.proxy.plan(...planAt(at, met, duration));
      const answer = await run();
      const calls = world.proxy.calls.length;
      world.proxy.plan();
      if (calls <= at) break;
      expectClear(act, answer);
      await settle(answer);
    }
    // Each act reads before it writes: fewer calls, and nothing was tried.
    expect(at).toBeGreaterThanOrEqual(2);
  });
});
