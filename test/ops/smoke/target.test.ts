import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readSmokeTarget } from '../../../ops/smoke/target.ts';

const folder = mkdtempSync(join(tmpdir(), 'target-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Outputs of an environment's stacks, as `cdk deploy --outputs-file` writes them. */
const outputsOf = (environment: string) => ({
  [`${environment}-Data`]: {
    AlarmTopicArn: 'arn:aws:sns:us-east-2:111122223333:alarms',
    KeyRotationFunctionName: `${environment}-key-rotation`,
  },
  [`${environment}-Authorization`]: {
    AuthUrl: 'https://auth.plan.example',
    TokenUrl: 'https://token.plan.example',
  },
  [`${environment}-LobDSNP`]: { BaseUrl: 'https://dsnp.api.plan.example' },
  [`${environment}-LobEGWP`]: { BaseUrl: 'https://egwp.api.plan.example' },
  [`${environment}-Loads`]: { LoadOperationsFunctionName: `${environment}-load-operations` },
  [`${environment}-Subscriptions`]: { ProvisioningFunctionName: `${environment}-provisioning` },
});

function fileWith(content: unknown): string {
  const file = join(folder, 'outputs.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const read = (content: unknown) => () => readSmokeTarget(fileWith(content), 'sandbox', {});

describe('the target of a smoke test', () => {
  it('has the hosts, functions, account and Region of the stage’s outputs', () => {
    const target = readSmokeTarget(
      fileWith({ ...outputsOf('production'), ...outputsOf('sandbox') }),
      'sandbox',
      {},
    );
    expect(target).toMatchObject({
      account: '111122223333',
      region: 'us-east-2',
      linesOfBusiness: ['DSNP', 'EGWP'],
      origins: { auth: 'https://auth.plan.example', apiTemplate: 'https://{lob}.api.plan.example' },
      provisioningFunction: 'sandbox-provisioning',
      local: undefined,
    });
    // An empty AWS_PROFILE keeps the operator's commands from choosing a local system that happens to run.
    expect(target.variables).toEqual({
      AWS_PROFILE: '',
      KEY_ROTATION_FUNCTION: 'sandbox-key-rotation',
      LOAD_OPERATIONS_FUNCTION: 'sandbox-load-operations',
      PROVISIONING_FUNCTION: 'sandbox-provisioning',
    });
  });

  it.each([
    ['another stage’s outputs', outputsOf('production'), 'has stacks of production, none of sandbox'],
    ['part of the stacks', { 'sandbox-Data': outputsOf('sandbox')['sandbox-Data'] }, 'no stack of a line of'],
    ['something else', { a: 1 }, 'has no outputs of stacks'],
    ['text', 'outputs', 'is not JSON'],
  ])('refuses a file with %s, and says what it expects', (_what, content, message) => {
    expect(read(content)).toThrow(message);
  });

  it('refuses a file that lacks an output, by its name', () => {
    const { 'sandbox-Authorization': _without, ...others } = outputsOf('sandbox');
    expect(read(others)).toThrow('no output AuthUrl of sandbox');
  });
});
