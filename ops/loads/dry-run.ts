/** Carries out `loads start --dry-run`: validates a drop locally. */

import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { isDirectoryType } from '../../lambdas/catalog/fhir/directory-types.ts';
import { nameOf } from '../../lambdas/catalog/fhir/resource-name.ts';
import { isLoadedType } from '../../lambdas/loads/ledger/load-products.ts';
import { productOf } from '../../lambdas/loads/ledger/manifest.ts';
import { createRangeCutter } from '../../lambdas/loads/ledger/ranges.ts';
import { type FileRefusal, type RowReject, rejectLine } from '../../lambdas/loads/ledger/rejects.ts';
import { type DirectoryRow, readDirectoryRow } from '../../lambdas/loads/rows/directory-rows.ts';
import { referencesIn } from '../../lambdas/loads/rows/fhir-json.ts';
import { type ResourceRow, readRow } from '../../lambdas/loads/rows/rows.ts';
import { createLineSplitter } from '../../lambdas/platform/kernel/ndjson-lines.ts';
import { type DropFolder, totalsOf } from './drop-folder.ts';

export interface DryRunFile {
  readonly name: string;
  readonly controlTotal: number;
  readonly rows: number;
  readonly rejected: number;
  readonly refusal?: FileRefusal;
}

/** A resource that rows refer to but no file of the drop contains, with the first of those rows. */
export interface OutsideReference {
  readonly target: string;
  readonly file: string;
  readonly line: number;
  readonly element: string;
  readonly rows: number;
}

export interface DryRun {
  readonly files: readonly DryRunFile[];
  readonly outside: readonly OutsideReference[];
}

/**
 * Validates a drop locally, and writes nothing: hashes, counts, encodings, all rules that need no store, and references within the drop.
 * Comparisons with stored resources and versions are made only by a load.
 *
 * @param rejected gets each reject as a line of NDJSON.
 */
export async function checkDrop(
  { path, place, manifest }: DropFolder,
  rejected: (line: string) => void,
): Promise<DryRun> {
  const now = Date.now();
  const files: DryRunFile[] = [];
  const product = productOf(manifest);
  const references = createReferenceCheck();
  for (const { name, type, rows: controlTotal, sha256 } of manifest.files) {
    const file = join(path, name);
    const totals = await totalsOf(file);
    const refusal = isLoadedType(product, type)
      ? ((await encodingFault(file)) ?? (totals.sha256 === sha256 ? undefined : 'file_sha256_differs'))
      : 'file_of_unknown_type';
    let count = 0;
    const tell = (reject: RowReject) => {
      count += 1;
      rejected(rejectLine(name, reject));
    };
    if (refusal === undefined) {
      const splitter = createLineSplitter();
      const read = (lines: ReturnType<typeof splitter.push>) => {
        for (const line of lines) {
          const row =
            product === 'directory'
              ? readDirectoryRow(line, type, now)
              : readRow(line, type, { lob: place.lob, now, product });
          if (row.kind === 'reject') tell(row.reject);
          else if (row.kind === 'resource') references.add(name, row);
        }
      };
      for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }))
        read(splitter.push(chunk));
      read(splitter.end());
    }
    files.push({ name, controlTotal, rows: totals.rows, rejected: count, ...(refusal && { refusal }) });
  }
  return { files, outside: references.outside() };
}

/** Collects the names of a drop's rows and of the resources they refer to. Memory holds a name for each row and each target. */
function createReferenceCheck() {
  const names = new Set<string>();
  const targets = new Map<string, OutsideReference>();

  return {
    add(file: string, row: ResourceRow | DirectoryRow): void {
      names.add(nameOf(row));
      for (const { target, element } of referencesOf(row)) {
        const known = targets.get(target);
        if (known !== undefined) targets.set(target, { ...known, rows: known.rows + 1 });
        else targets.set(target, { target, file, line: row.line, element, rows: 1 });
      }
    },
    outside: (): readonly OutsideReference[] =>
      [...targets.values()].filter(({ target }) => !names.has(target)),
  };
}

function referencesOf(row: ResourceRow | DirectoryRow): readonly { target: string; element: string }[] {
  if ('references' in row) {
    const owner = { target: `Patient/${row.patientId}`, element: 'the reference to the Patient' };
    const others = row.references.map((each) => ({ target: nameOf(each), element: each.element }));
    return row.patientId === undefined ? others : [owner, ...others];
  }
  return referencesIn(JSON.parse(row.json), isDirectoryType).flatMap(({ target, element }) =>
    target === undefined ? [] : [{ target: nameOf(target), element }],
  );
}

async function encodingFault(file: string): Promise<FileRefusal | undefined> {
  const cutter = createRangeCutter(Number.POSITIVE_INFINITY);
  for await (const chunk of createReadStream(file, { end: 2 })) cutter.push(chunk);
  return cutter.end().refusal;
}
