import { expect, it, vi } from 'vitest';
import { lateJobServices } from '../../../lambdas/payer-access/aws/late-job-services.ts';
import type { PayerJobServices } from '../../../lambdas/payer-access/jobs/job-ports.ts';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';

function services(): PayerJobServices {
  return {
    files: {
      put: async () => undefined,
      readText: async (key) => `text of ${key}`,
      keys: async (prefix) => [`${prefix}1`],
      remove: async () => undefined,
      signedUrl: async (key) => await Promise.reject(new Error(`no ${key}`)),
    },
    machine: { start: async () => undefined, isRunning: async () => true },
  };
}

it('loads the clients with the first call, once', async () => {
  const load = vi.fn(async () => services());
  const { files, machine } = lateJobServices(load);
  expect(load).not.toHaveBeenCalled();
  expect(await Promise.all([files.readText('a'), files.keys('b'), machine.isRunning('job')])).toEqual([
    'text of a',
    ['b1'],
    true,
  ]);
  expect(load).toHaveBeenCalledOnce();
});

it('tells that a service is unavailable in the words of this bundle', async () => {
  const { files } = lateJobServices(async () => services());
  const answer = files.signedUrl('file', 'text/plain', 60);
  await expect(answer).rejects.toThrow(StoreUnavailable);
});
