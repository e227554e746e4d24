/** Setup of each file of journeys: waits until the system of the worker has started, which happens while other tests run. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { failedFile, startedFile } from './global-setup.ts';
import { systemFile } from './system-file.ts';

const stateDirectory = dirname(systemFile());
while (!existsSync(join(stateDirectory, startedFile))) {
  const failed = join(stateDirectory, failedFile);
  if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'));
  await sleep(100);
}
