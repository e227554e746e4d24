/** The phase of a run that makes a drop of the downloaded files, one file a step. */

import { jsonEntries } from '../../platform/kernel/json-members.ts';
import { createLineSplitter, type NdjsonLine } from '../../platform/kernel/ndjson-lines.ts';
import type { OtherPayer } from '../payers/other-payer.ts';
import { payerProvenances } from '../receive/payer-provenance.ts';
import { translateRow } from '../receive/translate-row.ts';
import type { TranslationContext } from '../receive/translation-context.ts';
import {
  type DropFile,
  dropSource,
  type ExchangeRun,
  type ExportFile,
  runChunkKey,
  runFolder,
  runLimits,
  runRejectsKey,
} from './exchange-run.ts';
import { membersThere, permittedOf, readJson } from './run-members.ts';
import type { StepOutcome } from './run-outcome.ts';
import type { RunDependencies } from './run-ports.ts';

/** Bytes of a file of the drop, after which another is begun. */
const dropFileBytes = 32 * 1024 * 1024;
/** Resources that one round of Provenances is about at most, which bounds the memory of a step. */
const resourcesInRound = 200_000;

/** Key of the exchanges whose rows were taken over, as they were permitted when the translation began. */
const permittedKey = (runId: string) => `${runFolder(runId)}permitted.json`;
/** Key of the names of each member's resources in a file: a JSON object, Patient ID → `Type/id`. */
const namesKey = (runId: string, file: number) => `${runFolder(runId)}names-${file}.json`;

export async function translatePhase(
  deps: RunDependencies,
  run: ExchangeRun,
  payer: OtherPayer,
): Promise<StepOutcome> {
  const file = run.files[run.translated];
  const matches = await membersThere(deps, run);
  if (file === undefined) return { kind: 'again', run: { ...run, phase: 'load' } };
  const permitted = await permittedOf(deps, run, matches);
  if (run.translated === 0) {
    await deps.files.put(
      permittedKey(run.runId),
      JSON.stringify(permitted.map(({ exchangeId }) => exchangeId)),
    );
  }
  const context: TranslationContext = {
    payer,
    members: new Map(permitted.map(({ there, patientId }) => [there, patientId])),
    transactionTime: file.transactionTime,
    sha256: deps.sha256,
  };
  const made = await translateFile(deps, run, context, run.translated, file);
  if (made === undefined) return { kind: 'failed', run, reason: 'file_too_large' };
  return {
    kind: 'again',
    run: {
      ...run,
      drop: [...run.drop, ...made.drop],
      translated: run.translated + 1,
      counts: {
        ...run.counts,
        rows: run.counts.rows + made.rows,
        rejected: run.counts.rejected + made.rejected,
      },
    },
  };
}

/** Whether a member whose rows were taken over has ended the permission since. The translation then begins again without them. */
export async function hasLostPermission(deps: RunDependencies, run: ExchangeRun): Promise<boolean> {
  const permitted = new Set(
    (await permittedOf(deps, run, await membersThere(deps, run))).map(({ exchangeId }) => exchangeId),
  );
  const taken = await readJson(deps.files, permittedKey(run.runId));
  return Array.isArray(taken) && taken.some((exchangeId) => !permitted.has(String(exchangeId)));
}

/** The run with the drop forgotten, so that it is made once more. */
export function translatedAgain(run: ExchangeRun): ExchangeRun {
  return {
    ...run,
    phase: 'translate',
    drop: [],
    translated: 0,
    counts: { ...run.counts, rows: 0, rejected: 0 },
  };
}

/** The names of the received resources of each member, by Patient ID. */
export async function resourcesOfMembers(
  { files }: RunDependencies,
  run: ExchangeRun,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const all = new Map<string, string[]>();
  for (const [at] of run.files.entries()) {
    const names = await readJson(files, namesKey(run.runId, at));
    for (const [patientId, more] of Object.entries(Object(names))) {
      const known = all.get(patientId) ?? [];
      known.push(...jsonEntries(more).map(String));
      all.set(patientId, known);
    }
  }
  return all;
}

/** The stored bytes of a file. */
async function* chunksOf(
  { files }: RunDependencies,
  runId: string,
  at: number,
  { chunks }: ExportFile,
): AsyncGenerator<Uint8Array> {
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const bytes = await files.read(runChunkKey(runId, at, chunk));
    if (bytes === undefined) throw new Error('a downloaded chunk is gone');
    yield bytes;
  }
}

/** @returns undefined if the file expands to more than a file may have */
async function translateFile(
  deps: RunDependencies,
  run: ExchangeRun,
  context: TranslationContext,
  at: number,
  file: ExportFile,
): Promise<
  { readonly drop: readonly DropFile[]; readonly rows: number; readonly rejected: number } | undefined
> {
  const { lob, runId, payerId } = run;
  const folder = `${lob}/${dropSource(payerId)}/${runId}/`;
  const writers = createDropFiles(deps, folder, at);
  const names = new Map<string, string[]>();
  const rejects: string[] = [];
  let targets = new Map<string, string[]>();
  let [rows, rejected, waiting] = [0, 0, 0];

  const takeLines = async (lines: readonly NdjsonLine[]): Promise<void> => {
    for (const line of lines) {
      const row = translateRow(line, context);
      if (row.kind === 'skipped') continue;
      if (row.kind === 'reject') {
        rejected += 1;
        if (rejects.length < runLimits.keptRejects) rejects.push(JSON.stringify(row));
        continue;
      }
      rows += 1;
      await writers.add(row.type, row.json);
      const { patientId } = row;
      if (patientId === undefined) continue;
      for (const of of [names, targets]) {
        const named = of.get(patientId) ?? [];
        named.push(`${row.type}/${row.id}`);
        of.set(patientId, named);
      }
      waiting += 1;
      if (waiting === resourcesInRound) await addProvenances();
    }
  };

  const addProvenances = async (): Promise<void> => {
    for (const [patientId, named] of targets) {
      for (const { json } of payerProvenances(context, patientId, named, file.transactionTime)) {
        await writers.add('Provenance', json);
      }
    }
    targets = new Map();
    waiting = 0;
  };

  const splitter = createLineSplitter();
  const stored = chunksOf(deps, runId, at, file);
  let expanded = 0;
  for await (const bytes of file.isGzipped === true ? deps.gunzip(stored) : stored) {
    expanded += bytes.length;
    if (expanded > runLimits.fileBytes) return undefined;
    await takeLines(splitter.push(bytes));
  }
  await takeLines(splitter.end());
  await addProvenances();
  await deps.files.put(namesKey(runId, at), JSON.stringify(Object.fromEntries(names)));
  if (rejects.length > 0) await deps.files.put(runRejectsKey(runId, at), `${rejects.join('\n')}\n`);
  return { drop: await writers.end(), rows, rejected };
}

/** Writes rows to files of a drop, one type a file. The names follow from the file of the export, so that a repeated step replaces them. */
function createDropFiles({ drops, sha256 }: RunDependencies, folder: string, at: number) {
  const open = new Map<string, { rows: string[]; bytes: number }>();
  const made: DropFile[] = [];

  async function write(type: string, rows: readonly string[]): Promise<void> {
    const name = `${type}-${at}-${made.length}.ndjson`;
    const text = `${rows.join('\n')}\n`;
    await drops.put(`${folder}${name}`, text, 'application/x-ndjson');
    made.push({ name, type, rows: rows.length, sha256: sha256(text) });
  }

  return {
    async add(type: string, json: string): Promise<void> {
      const file = open.get(type) ?? { rows: [], bytes: 0 };
      file.rows.push(json);
      file.bytes += json.length;
      open.set(type, file);
      if (file.bytes < dropFileBytes) return;
      open.delete(type);
      await write(type, file.rows);
    },
    async end(): Promise<readonly DropFile[]> {
      for (const [type, { rows }] of open) await write(type, rows);
      return made;
    },
  };
}
