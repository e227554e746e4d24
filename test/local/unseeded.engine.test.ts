import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadedFile } from '../../local/seed.ts';
import { repositoryRoot } from '../architecture/imports.ts';

/** `npm start` if the test members can't be loaded: the terminal says so, and the command that it names helps. */
it('is not called ready without its test members, and says how to load them', async () => {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'unseeded-'));
  // A folder at the path of the file in which the start records that members are loaded, so that recording fails.
  mkdirSync(join(stateDirectory, loadedFile));
  const args = [join(repositoryRoot, 'local', 'start.mjs'), '--port', '0', '--state', stateDirectory];
  const child = spawn(process.execPath, args, { cwd: repositoryRoot, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    said.err += String(chunk);
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    await expect.poll(() => said.err, { timeout: 290_000 }).toMatch(/npm run ops -- seed --system \S+\n/);
    expect(said.out).toContain('Running without the test members after ');
    expect(said.out).not.toMatch(/\bReady\b|npm run demo/);
    expect(said.err).toContain('Some or all test members could not be loaded');
    expect(said.err).toContain('EISDIR');
    const [, command = ''] = /npm run ops -- (.*)/.exec(said.err) ?? [];
    const repeated = spawnSync(process.execPath, ['ops/main.ts', ...command.split(' ')], {
      cwd: repositoryRoot,
      encoding: 'utf8',
    });
    expect([repeated.status, repeated.stdout.split('\n').length > 20]).toEqual([0, true]);
  } finally {
    child.kill('SIGINT');
    await ended;
    rmSync(stateDirectory, { recursive: true, force: true });
  }
}, 360_000);
