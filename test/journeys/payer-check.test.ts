import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { apiOrigin } from '../../lambdas/catalog/addresses.ts';
import { payerCheckFile } from '../../lambdas/portal/catalog/documentation-pages.ts';
import { payerChecks } from '../../ops/payer-check/payer-check.ts';
import { runOps } from '../../ops/program.ts';
import { localFetch, originsOf, runningSystem } from './journey.ts';
import { registerPayer } from './payer-client.ts';
import { systemFile } from './system-file.ts';

/**
 * The payers' self-test as the portal publishes it, against the running sandbox and its cohort, with the credentials of one application.
 */

const lob = 'MAPD';

/** Runs the program in a folder without packages. */
async function run(program: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const printed = await text(child.stdout);
  const [code] = await ended;
  return { code, text: printed };
}

it('passes each check, and names those that fail', async () => {
  const silent = { out: () => {}, err: () => {} };
  expect(await runOps(['seed', '--payer-cohort', '--system', systemFile()], {}, silent)).toBe(0);
  const { clientId, subscriptionKey, kid, privateKey } = await registerPayer(lob);
  const folder = mkdtempSync(join(tmpdir(), 'payer-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'private-key.json');
  writeFileSync(file, JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES384' }));
  const address = `http://portal.localhost:${runningSystem().port}/docs/${payerCheckFile}`;
  const download = await localFetch(address);
  expect(download.headers.get('content-type')).toMatch(/^text\/javascript/);
  const program = join(folder, payerCheckFile);
  writeFileSync(program, await download.text());
  const credentials = ['--key', subscriptionKey, '--client', clientId, '--jwk', file];
  const check = ['--base', apiOrigin(originsOf('sandbox'), lob), ...credentials];

  const passed = await run(program, ...check);
  expect(passed.text).not.toContain('FAIL');
  expect(passed.text).toContain(`${payerChecks.length} of ${payerChecks.length} checks passed`);
  expect(passed.code).toBe(0);

  // With a client ID that does not belong to the key, every check that needs a token fails.
  const failed = await run(program, ...check.map((word) => (word === clientId ? 'nobody' : word)), '--json');
  expect(failed.code).toBe(1);
  const { checks } = JSON.parse(failed.text) as { checks: readonly { name: string; isPassed: boolean }[] };
  expect(checks.filter(({ name }) => name === 'a token by private_key_jwt')).toMatchObject([
    { isPassed: false },
  ]);
});
