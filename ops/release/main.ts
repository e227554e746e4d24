/** Entry of the delivery of a release (`npm run release`). */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { processTerminal } from '../command-line/terminal.ts';
import { releaseCommand } from './release.ts';

const root = join(import.meta.dirname, '../..');

process.exitCode = await releaseCommand(process.argv.slice(2), {
  terminal: processTerminal,
  root,
  run: ([program = '', ...args]) =>
    spawnSync(program, args, { cwd: root, stdio: 'inherit', shell: false }).status ?? 1,
});
