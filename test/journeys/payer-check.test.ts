import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { apiOrigin } from '../../lambdas/catalog/addresses.ts';
import { payerChecks } from '../../ops/payer-check/payer-check.ts';
import { runOps } from '../../ops/program.ts';
import { originsOf } from './journey.ts';
import { registerPayer } from './payer-client.ts';
import { systemFile } from './system-file.ts';

/** The self-test of payers against the running sandbox and its cohort, with the credentials of one application alone. */

const lob = 'MAPD';

async function ops(...words: readonly string[]) {
  const lines: string[] = [];
  const terminal = {
    out: (line: string) => void lines.push(line),
    err: (line: string) => void lines.push(line),
  };
  const code = await runOps(words, {}, terminal);
  return { code, text: lines.join('\n') };
}

it('passes each check, and names those that fail', async () => {
  expect(await ops('seed', '--payer-cohort', '--system', systemFile())).toMatchObject({ code: 0 });
  const { clientId, subscriptionKey, kid, privateKey } = await registerPayer(lob);
  const folder = mkdtempSync(join(tmpdir(), 'payer-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'private-key.json');
  writeFileSync(file, JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES384' }));
  const credentials = ['--key', subscriptionKey, '--client', clientId, '--jwk', file];
  const check = ['payer', 'check', '--base', apiOrigin(originsOf('sandbox'), lob), ...credentials];

  const passed = await ops(...check);
  expect(passed.text).not.toContain('FAIL');
  expect(passed.text).toContain(`${payerChecks.length} of ${payerChecks.length} checks passed`);
  expect(passed.code).toBe(0);

  // A client ID that is not the key's: whatever needs a token fails.
  const failed = await ops(...check.map((word) => (word === clientId ? 'nobody' : word)), '--json');
  expect(failed.code).toBe(1);
  const { checks } = JSON.parse(failed.text) as { checks: readonly { name: string; isPassed: boolean }[] };
  expect(checks.filter(({ name }) => name === 'a token by private_key_jwt')).toMatchObject([
    { isPassed: false },
  ]);
}, 300_000);
