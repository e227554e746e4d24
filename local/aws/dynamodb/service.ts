/** Local DynamoDB: starts the thread of its own in which calls are checked and passed to the engine. */

import { Worker } from 'node:worker_threads';
import type { PublishMetric } from '../../cloudwatch/metrics.ts';
import type { ServiceData, ServiceMessage } from './service-messages.ts';

/** The local DynamoDB, answering. */
export interface DynamoDbService {
  readonly endpoint: string;
  stop(): Promise<void>;
}

export interface DynamoDbListeners {
  /** Takes one line about a refusal or a failure. */
  readonly log: (line: string) => void;
  /** Takes one line for each call. */
  readonly callLog?: (line: string) => void;
  readonly publish: PublishMetric;
}

/**
 * Starts DynamoDB in a thread of its own. A load's calls to it cost as much as all the rest of the system's main thread, which goes on answering requests beside them.
 *
 * @throws Error where the thread ends before it answers.
 */
export async function startDynamoDb(
  data: Omit<ServiceData, 'tellsCalls'>,
  { log, publish, callLog }: DynamoDbListeners,
): Promise<DynamoDbService> {
  const worker = new Worker(new URL('./service-thread.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    workerData: { ...data, tellsCalls: callLog !== undefined } satisfies ServiceData,
  });
  let stopping = false;
  const endpoint = await new Promise<string>((resolve, reject) => {
    worker.on('message', (message: ServiceMessage) => {
      if (message.kind === 'listening') resolve(message.endpoint);
      else if (message.kind === 'log') log(message.line);
      else if (message.kind === 'metric') publish(...message.metric);
      else callLog?.(message.line);
    });
    worker.once('error', (error) => {
      log(`aws: the local DynamoDB is gone, start the system again: ${error.message}`);
      reject(error);
    });
    worker.once('exit', (code) => {
      if (!stopping) reject(new Error(`the local DynamoDB ended with ${code}`));
    });
  });
  return {
    endpoint,
    async stop() {
      stopping = true;
      await worker.terminate();
    },
  };
}
