/** Loads the personal representative of the sandbox, who comes in a drop as from the plan's systems. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { syntheticSource } from '../lambdas/loads/ledger/freshness.ts';
import { environmentOf, UsageError } from './command-line/command-line.ts';
import type { CommandContext } from './command-line/operation.ts';
import type { ExitCode } from './command-line/terminal.ts';
import { representationRow, sandboxRepresentation } from './generator/sandbox-representation.ts';
import { startLoad } from './loads/loads.ts';

/** `members represent`: uploads the drop, and waits until it is loaded. The members must be loaded before. */
export async function loadRepresentation(operation: CommandContext): Promise<ExitCode> {
  if (environmentOf(operation.values) === 'production') {
    throw new UsageError(
      'the representative is one of the sandbox’s synthetic members, whom production does not have',
    );
  }
  const representation = sandboxRepresentation();
  const folder = mkdtempSync(join(tmpdir(), 'representation-'));
  try {
    writeFileSync(
      join(folder, 'Parameters.ndjson'),
      `${JSON.stringify(representationRow(representation))}\n`,
    );
    const { lob } = representation;
    const values = { ...operation.values, lob: [lob], source: syntheticSource, drop: 'representatives' };
    return await startLoad({ ...operation, words: [folder], values: { ...values, kind: 'delta' } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
