/** Entry of the check of an account before a deployment (`npm run preflight`). */

import { join } from 'node:path';
import { processTerminal } from '../command-line/terminal.ts';
import { preflightCommand } from './preflight.ts';

process.exitCode = await preflightCommand(process.argv.slice(2), {
  variables: process.env,
  terminal: processTerminal,
  assembly: join(import.meta.dirname, '../..', 'cdk.out'),
});
