/** Local DynamoDB: restarts its services that end by themselves. */

/** A service of the local DynamoDB with an address: the engine's process, or the thread in front of it. */
export interface SupervisedService {
  readonly endpoint: string;
  /** Resolves when it ends, with the reason. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** Shortest run in milliseconds after which a service is restarted; one that ended sooner would end again. */
const shortestLifeMs = 5_000;

/**
 * Starts a service, and restarts it on the same port if it ends by itself. It must have no state outside of files.
 *
 * @param start gets the port; any free port if absent.
 * @param shortestMs the shortest run after which it is restarted.
 * @throws the error of the first start; the error of a later one is logged by `log`.
 */
export async function supervised(
  what: string,
  start: (port?: number) => Promise<SupervisedService>,
  log: (line: string) => void,
  shortestMs = shortestLifeMs,
): Promise<Omit<SupervisedService, 'ended'>> {
  let stopping = false;
  let running = await start();
  const { endpoint } = running;

  async function supervise(): Promise<void> {
    while (!stopping) {
      const startedAt = performance.now();
      const how = await running.ended;
      if (stopping) return;
      if (performance.now() - startedAt < shortestMs) throw new Error(`it ended at once (${how})`);
      log(`aws: the DynamoDB ${what} ended (${how}): it is started again`);
      running = await start(Number(new URL(endpoint).port));
      if (stopping) await running.stop();
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
      await running.stop();
    },
  };
}
