import { describe, expect, it } from 'vitest';
import type { CloudAccount } from '../../../ops/preflight/account.ts';
import type { StageNeeds } from '../../../ops/preflight/needs.ts';
import { inspect, policyDocument } from '../../../ops/preflight/preflight.ts';

const now = new Date('2026-11-27T12:00:00Z');
const arn = 'arn:aws:acm:us-east-2:111122223333:certificate/one';

const needs: StageNeeds = {
  stage: 'production',
  account: '111122223333',
  region: 'us-east-2',
  stacks: ['production-Data'],
  reservedConcurrency: 879,
  memoryMegabytes: 3_008,
  runtimes: ['nodejs24.x'],
  certificates: [{ arn, hosts: ['auth.plan.example', 'dsnp.api.plan.example'] }],
  hostedZones: [],
  bootstrap: { parameter: '/cdk-bootstrap/hnb659fds/version', version: 6 },
  usagePlans: 1,
  named: [],
};

const prepared: CloudAccount = {
  callerAccount: async () => '111122223333',
  concurrency: async () => ({ limit: 1_000, unreserved: 1_000 }),
  knowsRuntime: async () => true,
  mail: async () => ({ productionAccess: true, sending: true }),
  textMessages: async () => ({ sandbox: false, monthlyDollars: 500, originationNumbers: 1 }),
  certificate: async () => ({
    status: 'ISSUED',
    names: ['auth.plan.example', '*.api.plan.example'],
    expiresAt: new Date('2027-05-01T00:00:00Z'),
  }),
  hostedZone: async () => 'plan.example',
  gatewayLogRole: async () => undefined,
  gatewayUse: async () => ({ apiKeys: 40, usagePlans: 2 }),
  bootstrapVersion: async () => 28,
  stackStatus: async () => undefined,
  named: async () => undefined,
};

/** The findings that are not ready, of an account that differs from the prepared one. */
async function open(
  account: Partial<CloudAccount>,
  stage: Partial<StageNeeds> = {},
): Promise<readonly string[]> {
  const results = await inspect({ ...needs, ...stage }, { ...prepared, ...account }, now);
  return results.filter(({ state }) => state !== 'ready').map(({ state, found }) => `${state}: ${found}`);
}

const issued = await prepared.certificate(arn);

describe('the checks of an account', () => {
  it('have nothing to do in a prepared account', async () => {
    expect(await open({})).toEqual([]);
  });

  it('count what other functions of the account reserve', async () => {
    expect(await open({ concurrency: async () => ({ limit: 1_000, unreserved: 979 }) })).toEqual([]);
    expect(await open({ concurrency: async () => ({ limit: 1_000, unreserved: 978 }) })).toEqual([
      'todo: Lambda allows 1000 concurrent executions in us-east-2. The stage reserves 879, other functions of the account reserve 22, and Lambda keeps 100.',
    ]);
  });

  it('do not count the reservations of a stage twice that exists', async () => {
    const deployed = {
      concurrency: async () => ({ limit: 1_000, unreserved: 121 }),
      stackStatus: async () => 'UPDATE_COMPLETE',
    };
    expect(await open(deployed)).toEqual([]);
  });

  it('do not know whether an account allows more memory than a new one', async () => {
    expect(await open({}, { memoryMegabytes: 8_192 })).toEqual([
      'unknown: The largest function has 8192 MB. A new account allows 3008 MB, and no call tells what this one allows.',
    ]);
  });

  it('take a star in a certificate for one label', async () => {
    const certificates = [{ arn, hosts: ['a.dsnp.api.plan.example', 'api.plan.example'] }];
    expect(await open({}, { certificates })).toEqual([
      `todo: The certificate ${arn} does not name a.dsnp.api.plan.example, api.plan.example.`,
    ]);
  });

  it('warn of a certificate that was not renewed', async () => {
    const expiresAt = new Date('2026-12-20T12:00:00Z');
    expect(await open({ certificate: async () => issued && { ...issued, expiresAt } })).toEqual([
      `todo: The certificate ${arn} ends in 23 days and was not renewed.`,
    ]);
  });

  it('miss a certificate and a hosted zone that do not exist', async () => {
    const missing = { certificate: async () => undefined, hostedZone: async () => undefined };
    expect(await open(missing, { hostedZones: ['Z0123'] })).toEqual([
      `todo: There is no certificate ${arn}.`,
      'todo: Route 53 of this account has no hosted zone Z0123.',
    ]);
  });

  it('want room for a hundred applications, each with three keys during a rotation', async () => {
    expect(await open({ gatewayUse: async () => ({ apiKeys: 9_700, usagePlans: 299 }) })).toEqual([]);
    expect(await open({ gatewayUse: async () => ({ apiKeys: 9_701, usagePlans: 300 }) })).toEqual([
      'todo: The account has 9701 of 10000 API keys in us-east-2; that leaves room for 99 applications.',
      'todo: The account needs 301 usage plans in us-east-2; 300 are allowed.',
    ]);
  });

  it.each([
    ['UPDATE_COMPLETE', undefined],
    ['UPDATE_ROLLBACK_COMPLETE', undefined],
    ['UPDATE_IN_PROGRESS', 'is in work'],
    ['ROLLBACK_COMPLETE', 'was never created whole'],
    ['UPDATE_ROLLBACK_FAILED', "can't be updated"],
    ['DELETE_FAILED', "can't be updated"],
  ])('read the status %s of a stack', async (status, says) => {
    const found = await open({ stackStatus: async () => status });
    expect(found).toEqual(says === undefined ? [] : [expect.stringContaining(says)]);
  });

  it('ask with rights that change nothing, all of which the policy has', () => {
    const { Statement } = JSON.parse(policyDocument());
    const [{ Action }] = Statement;
    expect(Action).toContain('cloudformation:DescribeStacks');
    expect(Action.filter((action: string) => !/:(Get|GET|Describe|List)/.test(action))).toEqual([]);
  });
});
