/** Writes the sandbox's synthetic Provider Directory as a drop into a folder. */
import { createWriteStream, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type DirectoryType, directoryTypes } from '../../lambdas/catalog/fhir/directory-types.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { type DirectorySize, directoryOf } from '../generator/directory/directory.ts';
import { withFault } from '../generator/directory/faulty-records.ts';

/**
 * Writes the files of a LOB's directory, generated from the LOB's own seed.
 *
 * @returns the folder.
 */
export async function writeSyntheticDrop(lob: LineOfBusiness, roles: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'directory-drop-'));
  const size = { seed: lineOfBusinessCodes.indexOf(lob) + 1, roles };
  for (const type of directoryTypes) {
    await pipeline(Readable.from(linesOf(type, size)), createWriteStream(join(folder, `${type}.ndjson`)));
  }
  return folder;
}

function* linesOf(type: DirectoryType, size: DirectorySize): Generator<string> {
  let index = 0;
  for (const resource of directoryOf(type, size)) {
    yield `${JSON.stringify(withFault(resource, index))}\n`;
    index += 1;
  }
}
