/** Local DynamoDB: starts a part of it again that ends by itself. */

/** A part of the local DynamoDB that answers at an address: the engine's process, or the thread before it. */
export interface Part {
  readonly endpoint: string;
  /** Resolves when it ends, with the reason. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** Shortest life of a part that is started again, in milliseconds: one that ended sooner would end again. */
const shortestLifeMs = 5_000;

/**
 * Starts a part, and again on the same port where it ends by itself. It has no state that is not in a file.
 *
 * @param start takes the port that it has to answer at; any free one where absent.
 * @param shortestMs how long it has to have run to be started again.
 * @throws what kept it from its first start. Later, a part that can't be started again is told to `log`.
 */
export async function supervised(
  what: string,
  start: (port?: number) => Promise<Part>,
  log: (line: string) => void,
  shortestMs = shortestLifeMs,
): Promise<Omit<Part, 'ended'>> {
  let stopping = false;
  let part = await start();
  const { endpoint } = part;

  async function supervise(): Promise<void> {
    while (!stopping) {
      const startedAt = performance.now();
      const how = await part.ended;
      if (stopping) return;
      if (performance.now() - startedAt < shortestMs) throw new Error(`it ended at once (${how})`);
      log(`aws: the DynamoDB ${what} ended (${how}): it is started again`);
      part = await start(Number(new URL(endpoint).port));
      if (stopping) await part.stop();
    }
  }
  supervise().catch((error: unknown) => {
    const because = error instanceof Error ? error.message : 'unknown';
    log(`aws: the DynamoDB ${what} is gone, start the system again: ${because}`);
  });

  return {
    endpoint,
    async stop() {
      stopping = true;
      await part.stop();
    },
  };
}
