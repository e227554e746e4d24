/** Local DynamoDB: starts the thread in which calls are checked and forwarded to the engine. */

import { Worker } from 'node:worker_threads';
import type { PublishMetric } from '../../cloudwatch/metrics.ts';
import type { ServiceData, ServiceMessage } from './service-messages.ts';
import { type SupervisedService, supervised } from './supervised.ts';

export interface DynamoDbListeners {
  /** Logs a refusal or a failure. */
  readonly log: (line: string) => void;
  /** Logs each call. */
  readonly callLog?: (line: string) => void;
  readonly publish: PublishMetric;
}

/**
 * Starts DynamoDB in a thread of its own. A load's calls to DynamoDB take as much time as everything else in the system's main thread,
 * which keeps responding to requests meanwhile. A thread that ends by itself is started again at the same address; the capacity to which
 * tables had grown is lost then.
 *
 * @param shortestMs the shortest run after which a thread is started again.
 * @throws Error if the thread ends before it responds.
 */
export async function startDynamoDb(
  data: Omit<ServiceData, 'tellsCalls' | 'port'>,
  listeners: DynamoDbListeners,
  shortestMs?: number,
): Promise<Omit<SupervisedService, 'ended'>> {
  const { log, callLog } = listeners;
  const start = (port = 0) => startThread({ ...data, port, tellsCalls: callLog !== undefined }, listeners);
  return await supervised('thread', start, log, shortestMs);
}

async function startThread(
  data: ServiceData,
  { log, publish, callLog }: DynamoDbListeners,
): Promise<SupervisedService> {
  const worker = new Worker(new URL('./service-thread.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    workerData: data,
  });
  const ended = new Promise<string>((resolve) => {
    worker.once('error', (error) => resolve(error.message));
    worker.once('exit', (code) => resolve(`exit code ${code}`));
  });
  const endpoint = await new Promise<string>((resolve, reject) => {
    worker.on('message', (message: ServiceMessage) => {
      if (message.kind === 'listening') resolve(message.endpoint);
      else if (message.kind === 'log') log(message.line);
      else if (message.kind === 'metric') publish(...message.metric);
      else callLog?.(message.line);
    });
    void ended.then((how) => reject(new Error(`the local DynamoDB did not start: ${how}`)));
  });
  return {
    endpoint,
    ended,
    async stop() {
      await worker.terminate();
    },
  };
}
