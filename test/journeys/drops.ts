import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { runOps } from '../../ops/program.ts';
import { systemFile } from './system-file.ts';

/** Loads a drop of these rows with the operator's command and waits until it is reconciled. */
export async function loadDrop(
  lob: LineOfBusiness,
  rows: Readonly<Record<string, readonly object[]>>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'member-data-drop-'));
  const drop = join(folder, `drop-${Date.now()}`);
  mkdirSync(drop);
  for (const [type, each] of Object.entries(rows)) {
    const text = each.map((row) => `${JSON.stringify(row)}\n`).join('');
    writeFileSync(join(drop, `${type}.ndjson`), text);
  }
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
  const args = ['loads', 'start', drop, '--lob', lob, '--source', 'eligibility'];
  const code = await runOps([...args, '--system', systemFile()], {}, terminal);
  rmSync(folder, { recursive: true, force: true });
  expect(code, lines.join('\n')).toBe(0);
}
