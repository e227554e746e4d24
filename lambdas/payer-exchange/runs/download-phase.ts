/** The phase of a run that downloads the files of an export, chunk by chunk: a killed step resumes after the last chunk it wrote. */

import { type ExchangeRun, type ExportFile, runChunkKey, runLimits } from './exchange-run.ts';
import { actOnMembers, membersThere } from './run-members.ts';
import { afterCalls, isGzipped, type StepOutcome, unexpected } from './run-outcome.ts';
import type { PayerServer, RunDependencies } from './run-ports.ts';

export async function downloadPhase(
  deps: RunDependencies,
  run: ExchangeRun,
  server: PayerServer,
): Promise<StepOutcome> {
  const at = run.files.findIndex(({ isDownloaded }) => isDownloaded !== true);
  const file = run.files[at];
  if (file === undefined) {
    await actOnMembers(deps, await membersThere(deps, run), 'download', () => ({}));
    return { kind: 'again', run: { ...run, phase: 'translate' } };
  }
  return await downloadFile(deps, run, server, at, file);
}

function withFile(run: ExchangeRun, at: number, changed: ExportFile): ExchangeRun {
  return { ...run, files: run.files.map((each, index) => (index === at ? changed : each)) };
}

async function downloadFile(
  deps: RunDependencies,
  run: ExchangeRun,
  server: PayerServer,
  at: number,
  file: ExportFile,
): Promise<StepOutcome> {
  const begun = deps.now();
  const stream = await server.open(file.url, { from: file.bytes, withToken: file.withToken });
  const asked = afterCalls(run, 1);
  let { bytes, chunks } = file;
  let encoding: Pick<ExportFile, 'isGzipped'> = {};
  let parts: Uint8Array[] = [];
  let length = 0;
  const store = async () => {
    if (length === 0) return;
    await deps.files.put(runChunkKey(run.runId, at, chunks), joined(parts, length));
    bytes += length;
    chunks += 1;
    parts = [];
    length = 0;
  };
  const reached = (more: Partial<ExportFile> = {}) =>
    withFile(asked, at, { ...file, ...encoding, bytes, chunks, ...more });
  try {
    // The file ended where the last step stopped.
    if (stream.status === 416 && bytes > 0) return { kind: 'again', run: reached({ isDownloaded: true }) };
    if (stream.status !== 200 && stream.status !== 206) return unexpected(asked, stream);
    const gzipped = isGzipped(stream);
    if (gzipped === undefined) return { kind: 'failed', run: asked, reason: 'encoding_unknown' };
    if (gzipped) encoding = { isGzipped: true };
    // A server without ranges sends the file from its start.
    let skipped = stream.status === 206 ? file.bytes : 0;
    for await (const chunk of stream.body) {
      const kept = chunk.subarray(Math.min(chunk.length, Math.max(0, file.bytes - skipped)));
      skipped += chunk.length;
      if (kept.length === 0) continue;
      parts.push(kept);
      length += kept.length;
      if (bytes + length > runLimits.fileBytes) {
        return { kind: 'failed', run: reached(), reason: 'file_too_large' };
      }
      if (length >= runLimits.chunkBytes) {
        await store();
        if (deps.now() - begun > runLimits.stepSeconds * 1000) return { kind: 'again', run: reached() };
      }
    }
    await store();
    return { kind: 'again', run: reached({ isDownloaded: true }) };
  } catch (error) {
    // A transfer that broke off resumes where it was written down; one that brought nothing is a trouble of the payer.
    await store();
    if (bytes > file.bytes) return { kind: 'again', run: reached() };
    throw error;
  } finally {
    stream.close();
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
