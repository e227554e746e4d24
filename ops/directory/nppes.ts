/** Command `directory nppes FILE`: uploads the NPIs of an NPPES file, with which later builds compare a directory's NPIs. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { npiNumber, nppesKey, packNpis } from '../../lambdas/provider-directory/files/nppes-contract.ts';
import { UsageError } from '../command-line/command-line.ts';
import type { CommandContext } from '../command-line/operation.ts';
import type { ExitCode } from '../command-line/terminal.ts';
import { s3Client } from '../loads/loads.ts';

/** Most NPIs of a file: far more than were ever issued, 8.9 million in 2026. */
const mostNpis = 50_000_000;

/**
 * Uploads the NPIs.
 *
 * @param path of NPPES's monthly CSV, whose first column is the NPI.
 */
export async function uploadNppes(
  operation: CommandContext,
  bucket: string,
  path: string,
): Promise<ExitCode> {
  const numbers = await readNpis(path);
  if (numbers.length === 0) throw new UsageError(`${path} has no NPI in its first column`);
  const command = new PutObjectCommand({ Bucket: bucket, Key: nppesKey, Body: packNpis(numbers) });
  await s3Client(operation).send(command);
  operation.print(`uploaded ${numbers.length} NPIs; each build from now on compares the directory with them`);
  return 0;
}

async function readNpis(path: string): Promise<Uint32Array> {
  let numbers = new Uint32Array(65_536);
  let count = 0;
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const number = npiNumber((line.split(',', 1)[0] ?? '').replaceAll('"', ''));
    if (number === undefined) continue;
    if (count === mostNpis) throw new UsageError(`${path} has more than ${mostNpis} NPIs`);
    if (count === numbers.length) {
      const grown = new Uint32Array(numbers.length * 2);
      grown.set(numbers);
      numbers = grown;
    }
    numbers[count] = number;
    count += 1;
  }
  return numbers.subarray(0, count);
}
