/** HTTP server on the loopback interface that reads each request completely before it is handled. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Listening {
  readonly endpoint: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Largest request body of any of these APIs: a Lambda invocation has 6 MB, a DynamoDB batch 16 MB. */
const bodyLimit = 20_000_000;

/**
 * Starts the server.
 *
 * @param serve handles a request whose body has been read.
 * @param wantedPort used if it is free, else another port.
 * @default any free port
 */
export async function listen(
  serve: (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse) => void,
  wantedPort = 0,
): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimit) chunks.push(chunk);
      else incoming.destroy();
    });
    incoming.once('end', () => {
      serve(
        incoming,
        chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
        outgoing,
      );
    });
  });
  // The SDK keeps its connections open; if the server closed one between two calls, the next call would fail.
  server.keepAliveTimeout = 0;
  const listenOn = (wanted: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listenOn(wantedPort).catch(() => listenOn(0));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
