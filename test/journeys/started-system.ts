/** Before each file of the journeys: waits until this worker's system has started (global-setup.ts). */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOutcomeFile, systemFile } from './system-file.ts';

const outcome = join(dirname(systemFile()), startOutcomeFile);
// Ends: a start takes minutes at most, and then has failed.
while (!existsSync(outcome)) await sleep(100);
const failure = readFileSync(outcome, 'utf8');
if (failure !== '') throw new Error(failure);
