/** Measures the verification of the audit archive (`npm run bench:archive`). */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tokenIssuers } from '../lambdas/catalog/oauth/token-issuer.ts';
import { windowMs } from '../lambdas/audit/trail/windows.ts';
import { archiveDirectory, archivedTrail } from '../test/audit/archived-trail.ts';
import { createSealKey } from '../test/support/seal-key.ts';

/**
 * `npm run bench:archive`: writes a day of the archive, of all issuers, and runs the verifier over it as an auditor does. Exit code 1 if it
 * finds something.
 *
 *   --events N   events of a day, of all issuers together (default 1,000,000)
 *   --days N     days (default 1)
 *   --sample N   verify the events of one in N files (default 1: all)
 *   --issuers N  number of issuers (default all)
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    days: { type: 'string', default: '1' },
    sample: { type: 'string', default: '1' },
    issuers: { type: 'string', default: String(tokenIssuers.length) },
  },
});
const issuers = tokenIssuers.slice(0, Number(values.issuers));
const windows = (Number(values.days) * 86_400_000) / windowMs;
const inWindow = (Number(values.events) * windowMs) / 86_400_000 / issuers.length;

/** Numbers of events in windows, whole and with the right sum. */
function* counts(): Generator<number> {
  for (let at = 0; at < windows; at += 1) yield Math.floor((at + 1) * inWindow) - Math.floor(at * inWindow);
}

const folder = mkdtempSync(join(tmpdir(), 'audit-archive-'));
try {
  const { signer, publicKey } = createSealKey();
  writeFileSync(join(folder, 'key.pem'), publicKey.export({ format: 'pem', type: 'spki' }));
  const directory = join(folder, 'archive');
  const store = archiveDirectory(directory);
  let [files, bytes, text] = [0, 0, 0];
  const startedAt = Date.now();
  for (const issuer of issuers) {
    for await (const file of archivedTrail(signer, issuer, counts())) {
      store.write(file.key, file.text);
      files += 1;
      text += Buffer.byteLength(file.text);
      bytes += statSync(join(directory, file.key)).size;
    }
  }
  const megabytes = (count: number) => `${Math.round(count / 1e6)} MB`;
  console.log(
    `written: ${files} files, ${megabytes(bytes)}, ${megabytes(text)} uncompressed, in ${Date.now() - startedAt} ms`,
  );
  const verifiedAt = Date.now();
  const script = ['ops/verify-audit-archive.mjs', directory, '--key', join(folder, 'key.pem')];
  const output = execFileSync(process.execPath, [...script, '--sample', values.sample], { encoding: 'utf8' });
  console.log(`${output}verified in ${Date.now() - verifiedAt} ms`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
