import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startRunningSystem } from '../support/running-system.ts';

const running = await startRunningSystem();
afterAll(() => running.stop());

/** Sends a call that a function answers. Returns the status, or the connection's error. `sent` is called when the request has been sent. */
async function ask(port: number, sent: () => void = () => {}): Promise<number | string> {
  return await new Promise((resolve) => {
    const headers = { host: `auth.sandbox.localhost:${port}` };
    const path = '/fhir-oauth2/sec/dsnp/authorize?client_id=nobody';
    const asking = request({ host: '127.0.0.1', port, path, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    asking.once('finish', sent);
    asking.once('error', (error: NodeJS.ErrnoException) => {
      sent();
      resolve(error.code ?? error.name);
    });
    asking.end();
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('Ctrl-C', () => {
  it('lets every call under way be answered, and leaves no engine behind', async () => {
    const { port } = running.system;
    const enginePid = Number(readFileSync(join(running.stateDirectory, 'dynamodb.pid'), 'utf8'));
    const first = await ask(port);
    const together: Promise<number | string>[] = [];
    const sent = Array.from(
      { length: 30 },
      () => new Promise<void>((resolve) => together.push(ask(port, resolve))),
    );
    await Promise.all(sent);
    await running.interrupt();
    expect(new Set(await Promise.all(together))).toEqual(new Set([first]));
    expect(first).toBe(400);
    expect(isAlive(enginePid)).toBe(false);
    expect(existsSync(join(running.stateDirectory, 'system.json'))).toBe(false);
  });
});
