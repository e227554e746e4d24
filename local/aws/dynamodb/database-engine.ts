/** Local DynamoDB: chooses the engine (the embedded one, or one the person named) and starts it on the state folder. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startEngine } from './engine.ts';
import { recordEngine, stopOrphanedEngine } from './orphaned-engine.ts';
import { supervised } from './supervised.ts';

/** The DynamoDB behind the proxy. */
export interface DatabaseEngine {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * The embedded engine on a file of the state folder, or the DynamoDB the person named. An engine that a killed runner
 * left on the same file is ended first: two processes on one file would each have a state of their own. One that ends by itself is started
 * again on the same port: what it had acknowledged is in its file.
 *
 * @param shortestMs how long an engine has to have run to be started again.
 */
export async function databaseEngine(
  stateDirectory: string,
  log: (line: string) => void,
  foreign?: string,
  shortestMs?: number,
): Promise<DatabaseEngine> {
  if (foreign !== undefined) return { endpoint: foreign, stop: async () => {} };
  mkdirSync(stateDirectory, { recursive: true });
  const file = join(stateDirectory, 'dynamodb.sqlite');
  const pidFile = join(stateDirectory, 'dynamodb.pid');
  await stopOrphanedEngine(pidFile, file);
  const start = async (port?: number) => {
    const engine = await startEngine(port === undefined ? { file } : { file, port });
    recordEngine(pidFile, engine.pid);
    return engine;
  };
  return await supervised('engine', start, log, shortestMs);
}
