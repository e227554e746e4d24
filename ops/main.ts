/** Entry of the operator's CLI (`npm run ops`). */

import { processTerminal } from './command-line/terminal.ts';
import { runOps } from './program.ts';

process.exitCode = await runOps(process.argv.slice(2), process.env, processTerminal);
