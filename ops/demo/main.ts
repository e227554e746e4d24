/** Entry of the demo (`npm run demo`). */

import { processTerminal } from '../command-line/terminal.ts';
import { runDemo } from './program.ts';

process.exitCode = await runDemo(process.argv.slice(2), processTerminal);
