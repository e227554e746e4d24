import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const start = join(import.meta.dirname, '..', '..', 'local', 'start.mjs');
const stateDirectory = mkdtempSync(join(tmpdir(), 'start-'));
afterAll(() => rmSync(stateDirectory, { recursive: true, force: true }));

/** Runs `npm start`'s program to its end. */
async function run(args: readonly string[], nodeArgs: readonly string[] = []) {
  const child = spawn(process.execPath, [...nodeArgs, start, '--state', stateDirectory, ...args]);
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += String(chunk);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, complaint: complaint.trim() };
}

describe('npm start', () => {
  it('names the port that is taken, and what to do', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, complaint } = await run(['--port', String(port)]);
    other.close();
    expect(code).toBe(1);
    expect(complaint).toMatch(new RegExp(`^port ${port} is in use; .*PORT=\\d+.*$`));
  });

  it('refuses a Node that is too old, in one line', async () => {
    const preload = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.11.1'})`;
    const { code, complaint } = await run([], ['--import', preload]);
    expect(code).toBe(1);
    expect(complaint).toMatch(/^Node 24 is required..*$/);
  });

  it('begins in a file that an old Node can read', () => {
    const source = readFileSync(start, 'utf8');
    expect(source).not.toMatch(/^import .*\.ts/m);
    expect(source).not.toMatch(/: string|interface /);
  });

  it('refuses an option it does not know', async () => {
    expect(await run(['--nonsense'])).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('--nonsense'),
    });
  });
});
