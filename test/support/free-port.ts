import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port nobody listens on, below those the system gives to outgoing connections (Linux: from 32768): nothing takes it before whoever
 * asked listens there, not even while it is started again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if ((await isFree(port, '127.0.0.1')) && (await isFree(port, '::1'))) return port;
  }
}

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    // A machine without IPv6 has no ::1, and nobody there to take the port.
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'));
    server.listen({ port, host, ipv6Only: true }, () => server.close(() => resolve(true)));
  });
}
