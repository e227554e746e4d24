import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { startDynamoDb } from '../../../local/aws/dynamodb/service.ts';
import { assembly, table } from './declarations.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Starts the local DynamoDB without an engine, which is enough for unsigned calls: it refuses them itself. */
async function started(shortestMs: number) {
  const threads: Worker[] = [];
  const created = (thread: Worker) => threads.push(thread);
  process.on('worker', created);
  const lines: string[] = [];
  const { resources } = assembly(table());
  const service = await startDynamoDb(
    { resources, callers: new Map(), engineEndpoint: 'http://127.0.0.1:1' },
    { log: (line) => lines.push(line), publish: () => {} },
    shortestMs,
  );
  ends.push(async () => {
    process.off('worker', created);
    await service.stop();
  });
  const answers = async () => {
    const answer = await fetch(service.endpoint, { method: 'POST', body: '{}' }).catch(() => undefined);
    return await answer?.text();
  };
  return { service, threads, lines, answers };
}

const unsigned = expect.stringContaining('MissingAuthenticationTokenException');

describe('the thread of the local DynamoDB', () => {
  it('is started again at its address where it ends by itself', async () => {
    const { threads, lines, answers } = await started(0);
    expect(await answers()).toEqual(unsigned);
    await threads[0]?.terminate();
    await expect.poll(answers).toEqual(unsigned);
    expect(threads).toHaveLength(2);
    expect(lines).toEqual(['aws: the DynamoDB thread ended (exit code 1): it is started again']);
  });

  it('is not started again where it ends at once, and the log says what to do', async () => {
    const { threads, lines, answers } = await started(60_000);
    await threads[0]?.terminate();
    await expect
      .poll(() => lines)
      .toEqual(['aws: the DynamoDB thread is gone, start the system again: it ended at once (exit code 1)']);
    expect(await answers()).toBeUndefined();
  });

  it('stays ended where the system stops it', async () => {
    const { service, threads, lines, answers } = await started(0);
    await service.stop();
    expect(await answers()).toBeUndefined();
    expect(threads).toHaveLength(1);
    expect(lines).toEqual([]);
  });
});
