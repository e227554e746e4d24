/**
 * Program that the portal's build runs: writes the record of each sandbox member as `<memberId>.json.gz` into a folder, and their summaries
 * as `members.json`.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { generateSandboxRecords, type SandboxMember } from './sandbox-records.ts';

const [folder = '', month = '', origins = ''] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const members: SandboxMember[] = [];
for (const [member, bundle] of generateSandboxRecords(JSON.parse(origins), month)) {
  const compressed = gzipSync(bundle);
  writeFileSync(join(folder, `${member.memberId}.json.gz`), compressed);
  members.push({ ...member, bytes: compressed.length });
}
writeFileSync(join(folder, 'members.json'), JSON.stringify(members));
