import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { RotatedCredential } from '../../lambdas/clients/provisioning/provisioning-contract.ts';
import { type App, createLoad, machineToken, memberToken, read } from './app-calls.ts';
import { provision, register, registrationOf } from './journey.ts';

const lob = 'EGWP';
/** Seconds that old and new credentials both work, beyond the three of the test: a busy machine takes long for a call. */
const overlapSeconds = 15;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function rotate(app: App, action: 'rotate-secret' | 'rotate-key'): Promise<RotatedCredential> {
  const requestId = randomUUID();
  const answer = (await provision('sandbox', {
    action,
    requestId,
    clientId: app.clientId,
    overlapSeconds,
  })) as { rotated?: RotatedCredential };
  if (answer.rotated === undefined) throw new Error(JSON.stringify(answer));
  return answer.rotated;
}

it('loses no call while an application rotates its secret and its subscription key', async () => {
  const before = await register('sandbox', registrationOf(lob));
  const token = await memberToken(before, lob);
  let present: App = before;
  let calls = 0;
  const load = createLoad();
  load.repeatedly(400, async () => {
    calls += 1;
    const status = await read(present, lob, token);
    return status === 200 ? undefined : `a read was answered with ${status}`;
  });
  load.repeatedly(400, async () => {
    calls += 1;
    await machineToken(present);
    return undefined;
  });
  await pause(1_000);
  const { clientSecret = '' } = await rotate(before, 'rotate-secret');
  const { subscriptionKey = '' } = await rotate(before, 'rotate-key');
  // The old credentials are used for some seconds more, as by an application that is being deployed.
  await pause(3_000);
  present = { ...before, clientSecret, subscriptionKey };
  await pause(overlapSeconds * 1_000);
  await load.end();
  expect(load.failures).toEqual([]);
  expect(calls).toBeGreaterThan(10);
  // Each of the two old credentials is refused, beside a new other one.
  await expect(machineToken({ ...present, clientSecret: before.clientSecret })).rejects.toThrow('401');
  // With a new token, for which the gateway has no cached answer of its authorizer.
  expect(await read(before, lob, await memberToken(present, lob))).toBe(403);
});
