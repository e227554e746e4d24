/** Local DynamoDB: chooses the engine (the embedded one, or one the person named) and starts it on the state folder. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startEngine } from './engine.ts';
import { recordEngine, stopOrphanedEngine } from './orphaned-engine.ts';

/** The DynamoDB behind the proxy. */
export interface DatabaseEngine {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Shortest life of an engine that is restarted, in milliseconds: one that ended sooner would end again. */
const shortestLifeMs = 5_000;

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
  shortestMs = shortestLifeMs,
): Promise<DatabaseEngine> {
  if (foreign !== undefined) return { endpoint: foreign, stop: async () => {} };
  mkdirSync(stateDirectory, { recursive: true });
  const file = join(stateDirectory, 'dynamodb.sqlite');
  const pidFile = join(stateDirectory, 'dynamodb.pid');
  await stopOrphanedEngine(pidFile, file);
  let stopping = false;
  let engine = await startEngine({ file });
  const { endpoint } = engine;
  recordEngine(pidFile, engine.pid);

  async function supervise(): Promise<void> {
    while (!stopping) {
      const startedAt = performance.now();
      const how = await engine.ended;
      if (stopping) return;
      if (performance.now() - startedAt < shortestMs) throw new Error(`it ended at once (${how})`);
      log(`aws: the DynamoDB engine ended (${how}): it is started again`);
      engine = await startEngine({ file, port: Number(new URL(endpoint).port) });
      recordEngine(pidFile, engine.pid);
      if (stopping) await engine.stop();
    }
  }
  supervise().catch((error: unknown) => {
    const because = error instanceof Error ? error.message : 'unknown';
    log(`aws: the DynamoDB engine is gone, start the system again: ${because}`);
  });

  return {
    endpoint,
    async stop() {
      stopping = true;
      await engine.stop();
    },
  };
}
