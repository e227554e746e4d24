/** Local DynamoDB: chooses the engine (the embedded one, or one given on the command line), and starts it on the state folder. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startEngine } from './engine.ts';
import { recordEngine, stopOrphanedEngine } from './orphaned-engine.ts';
import { supervised } from './supervised.ts';

/** The database behind the local DynamoDB endpoint. */
export interface DatabaseEngine {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Starts the embedded engine on a file of the state folder, or uses the DynamoDB given on the command line. An engine that a killed run
 * left on the same file is ended first, because two processes on one file would each have their own state. An engine that ends by itself is
 * started again on the same port: its file has everything that it acknowledged.
 *
 * @param shortestMs the shortest run after which an engine is started again.
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
