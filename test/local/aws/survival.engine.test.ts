import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { started } from './started.ts';
import { survivingAssembly, UserPoolId } from './surviving-assembly.ts';

const program = fileURLToPath(import.meta.resolve('./killed-runner.ts'));

/** Starts a runner and kills it while it writes. Returns the writes that it had acknowledged. */
async function killedWhileWriting(stateDirectory: string, run: number, writes: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, stateDirectory, String(run)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.split('\n').length > writes) child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return output.split('\n').slice(0, -1);
}

/** The command line of a process; empty if it has ended. */
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

describe('a runner killed while it writes', () => {
  it('has lost nothing it acknowledged, and leaves no engine behind', async () => {
    const stateDirectory = mkdtempSync(join(tmpdir(), 'aws-survival-'));
    const acknowledged: string[] = [];
    for (const run of [1, 2, 3]) {
      acknowledged.push(...(await killedWhileWriting(stateDirectory, run, 10 + 7 * run)));
    }
    const orphan = Number(readFileSync(join(stateDirectory, 'dynamodb.pid'), 'utf8'));
    const endpoint = await started({ assembly: survivingAssembly, stateDirectory, throttled: false });
    await endpoint.deploy();
    expect(commandLine(orphan)).toBe('');
    const dynamoDb = new DynamoDBClient(endpoint.asOperator);
    const cognito = new CognitoIdentityProviderClient(endpoint.asOperator);
    expect(acknowledged.length).toBeGreaterThan(50);
    for (const line of acknowledged) {
      const [kind, name = ''] = line.split(' ');
      const found =
        kind === 'item'
          ? (
              await dynamoDb.send(
                new GetItemCommand({ TableName: 'environment', Key: { pk: { S: name }, sk: { S: 'x' } } }),
              )
            ).Item
          : (await cognito.send(new AdminGetUserCommand({ UserPoolId, Username: name }))).Username;
      expect(found, line).toBeDefined();
    }
    await endpoint.stopAndForget();
  });
});

describe('the endpoint after another start', () => {
  it('has the address it had, and another where a process took it', async () => {
    const stateDirectory = mkdtempSync(join(tmpdir(), 'aws-address-'));
    const start = async () => await started({ assembly: survivingAssembly, stateDirectory });
    const first = await start();
    await first.stop();
    const second = await start();
    expect(second.endpoint).toBe(first.endpoint);
    await second.stop();
    const taker = createServer();
    await once(taker.listen(Number(new URL(first.endpoint).port), '127.0.0.1'), 'listening');
    const third = await start();
    expect(third.endpoint).not.toBe(first.endpoint);
    taker.close();
    await third.stopAndForget();
  });
});
