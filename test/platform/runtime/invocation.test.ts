import { expect, it } from 'vitest';
import { guardInvocation } from '../../../lambdas/platform/runtime/invocation.ts';

it("keeps a defect's message and stack from the caller, and logs its name only", async () => {
  const logged: unknown[] = [];
  const broken = guardInvocation(
    'provisioning',
    async () => {
      throw new RangeError('table sandbox-Data-Table is on fire');
    },
    (...line) => logged.push(line),
  );
  const error: unknown = await broken({}, { awsRequestId: 'request-1' }).catch((thrown: unknown) => thrown);
  const told = `${(error as Error).message} ${(error as Error).stack}`;
  expect(told).toContain('repeating the same request is safe');
  expect(told).not.toMatch(/fire|table|RangeError|invocation/);
  expect(logged).toEqual([
    ['error', 'defect', { route: 'provisioning', errorName: 'RangeError', requestId: 'request-1' }],
  ]);
});

it('passes an answer through', async () => {
  const echo = guardInvocation('echo', async (payload) => payload);
  expect(await echo({ a: 1 })).toEqual({ a: 1 });
});
