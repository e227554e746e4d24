/** `npm run documents`: writes the files that the portal offers for download to `dist/documents`. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configuredService } from '../portal-static/build/build.ts';
import { downloads } from '../portal-static/build/documents/downloads.ts';

const folder = join(import.meta.dirname, '../dist/documents');
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(downloads(configuredService({})))) {
  writeFileSync(join(folder, name), text);
  console.log(`dist/documents/${name}`);
}
