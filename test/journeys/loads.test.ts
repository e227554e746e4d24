import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runOps } from '../../ops/program.ts';
import { changeParameters, coverage } from '../loads/drop-rows.ts';
import { memberToken } from './app-calls.ts';
import { createDataCalls, namesOn } from './data-calls.ts';
import { memberOf, register, registrationOf } from './journey.ts';
import { systemFile } from './system-file.ts';

/** A plan's data team sends two drops, and an application reads the loaded data. */

const lob = 'EGWP';
const member = memberOf('sandbox', lob, 1);
const folder = mkdtempSync(join(tmpdir(), 'member-data-drops-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Runs a command of `loads`.
 *
 * @returns its exit code and standard output. Standard error, such as progress, is for people and is left out.
 */
async function loads(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), err: () => undefined };
  const code = await runOps(['loads', ...args, '--system', systemFile()], {}, terminal);
  return { code, text: lines.join('\n') };
}

function drop(name: string, file: string, rows: readonly unknown[]): string {
  const path = join(folder, name);
  mkdirSync(path);
  const lines = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
  writeFileSync(join(path, file), `${lines.join('\n')}\n`);
  return path;
}

it('a drop is loaded when its manifest arrives, tells its bad rows, and is taken back by another', async () => {
  const app = await register('sandbox', registrationOf(lob));
  const token = await memberToken(app, lob, 1, 'launch/patient patient/*.rs');
  const coverages = async () => namesOn(await createDataCalls(app, lob, () => token).page('/Coverage'));
  const nowhere = { ...coverage(member.patientId, 'astray'), payor: [{ reference: 'Organization/nowhere' }] };
  const rows = [coverage(member.patientId, 'from-a-drop'), '{"resourceType":"Coverage"', nowhere];
  const first = drop('first', 'Coverage.ndjson', rows);
  const started = [first, '--lob', lob, '--source', 'eligibility'];

  const checked = await loads('start', ...started, '--dry-run');
  expect(checked).toMatchObject({ code: 1, text: expect.stringContaining('not_json') });
  expect(await coverages()).not.toContain('Coverage/from-a-drop');

  const loaded = await loads('start', ...started, '--json');
  const load = JSON.parse(loaded.text);
  const counts = { loaded: 1, unchanged: 0, older: 0, rejected: 2 };
  expect(load).toMatchObject({ state: 'failed', reason: 'too_many_rejects', controlTotal: 3, counts });
  const rejects = await loads('rejects', load.jobId, '--lob', lob);
  expect(rejects.text.split('\n').map((line) => JSON.parse(line))).toMatchObject([
    { file: 'Coverage.ndjson', line: 2, code: 'not_json' },
    { file: 'Coverage.ndjson', line: 3, code: 'unresolved_reference' },
  ]);
  expect(await coverages()).toContain('Coverage/from-a-drop');

  const withdrawal = { withdraw: 'Coverage/from-a-drop', patient: `Patient/${member.patientId}` };
  const second = drop('second', 'Parameters.ndjson', [changeParameters(withdrawal)]);
  expect((await loads('start', second, '--lob', lob, '--source', 'eligibility')).text).toMatch(/reconciled/);
  expect(await coverages()).not.toContain('Coverage/from-a-drop');
  expect((await loads('list', '--lob', lob)).text).toMatch(/second\.\w{8}[\s\S]*first\.\w{8}/);
  expect((await loads('freshness')).text).toMatch(/EGWP +eligibility .*fresh/);
});
