import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startEngine } from '../dynamodb/engine.ts';
import { endOrphan, recordEngine } from '../dynamodb/orphan.ts';

/** The DynamoDB behind the proxy. */
export interface DatabaseEngine {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * The embedded engine on a file of the state folder, or the DynamoDB the person named. An engine that a killed runner
 * left on the same file is ended first: two on one file would each believe in their own.
 */
export async function databaseEngine(stateDirectory: string, foreign?: string): Promise<DatabaseEngine> {
  if (foreign !== undefined) return { endpoint: foreign, stop: async () => {} };
  mkdirSync(stateDirectory, { recursive: true });
  const file = join(stateDirectory, 'dynamodb.sqlite');
  const pidFile = join(stateDirectory, 'dynamodb.pid');
  await endOrphan(pidFile, file);
  const engine = await startEngine({ file });
  recordEngine(pidFile, engine.pid);
  return engine;
}
