import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { synthesize, takeLock } from '../../local/synthesize.ts';

let folder = '';
let lock = '';
const lines: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  lock = join(folder, 'bundle.lock');
  lines.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hold = (pid: number) => {
  mkdirSync(lock);
  writeFileSync(join(lock, 'pid'), String(pid));
};
const holder = () => Number(readFileSync(join(lock, 'pid'), 'utf8'));

describe('the lock of the project’s cache', () => {
  it('is taken over at once from a process that was killed', async () => {
    hold(4_194_304);
    await takeLock(lock, (line) => lines.push(line));
    expect(holder()).toBe(process.pid);
  });

  it('is waited for while its process lives, and that is said', async () => {
    hold(process.ppid);
    const taken = takeLock(lock, (line) => lines.push(line));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([holder(), lines]).toEqual([
      process.ppid,
      ['Waiting for another npm start that is bundling or synthesizing …'],
    ]);
    rmSync(lock, { recursive: true });
    await taken;
    expect(holder()).toBe(process.pid);
  });
});

/** A CDK app that counts its runs and writes the addresses of a port, as text and encoded, beside numbers that are no port. */
const app = `
  import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
  const { CDK_OUTDIR, CDK_CONTEXT_JSON } = process.env;
  const { port, ...context } = JSON.parse(CDK_CONTEXT_JSON);
  appendFileSync('runs.txt', 'run ');
  mkdirSync(CDK_OUTDIR + '/asset.1', { recursive: true });
  const addresses = ['http://portal.localhost:' + port + '/', 'http%3A%2F%2Flocalhost%3A' + port];
  writeFileSync(CDK_OUTDIR + '/manifest.json', JSON.stringify({ context, addresses, numbers: [port, 'localhost:' + port + '1'] }));
  writeFileSync(CDK_OUTDIR + '/asset.1/page.html', Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from('localhost:' + port)]));
`;

describe('the assembly of a local system', () => {
  beforeEach(() => {
    writeFileSync(join(folder, 'app.mjs'), app);
    writeFileSync(join(folder, 'cdk.json'), '{"app":"node app.mjs","context":{"flag":true}}');
  });
  const runs = () => readFileSync(join(folder, 'runs.txt'), 'utf8').trim().split(' ').length;
  const manifest = (name: string) => JSON.parse(readFileSync(join(folder, name, 'manifest.json'), 'utf8'));

  it('is synthesized once for all ports', async () => {
    await synthesize(folder, join(folder, 'first'), 8080);
    await synthesize(folder, join(folder, 'second'), 9090);
    expect(runs()).toBe(1);
    for (const [name, port] of [['first', 8080] as const, ['second', 9090] as const]) {
      expect(manifest(name)).toEqual({
        context: { flag: true, configuration: 'local' },
        addresses: [`http://portal.localhost:${port}/`, `http%3A%2F%2Flocalhost%3A${port}`],
        numbers: [65_535, 'localhost:655351'],
      });
      const page = readFileSync(join(folder, name, 'asset.1/page.html'));
      expect(page).toEqual(Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from(`localhost:${port}`)]));
    }
  });

  it('is synthesized for each context', async () => {
    await synthesize(folder, join(folder, 'first'), 8080);
    await synthesize(folder, join(folder, 'first'), 8080, { other: 'value' });
    expect([runs(), manifest('first').context.other]).toEqual([2, 'value']);
  });

  it('is synthesized again after a source has changed', async () => {
    await synthesize(folder, join(folder, 'first'), 8080);
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    await synthesize(folder, join(folder, 'first'), 8080);
    expect(runs()).toBe(2);
  });
});
