import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Returns a port on which nothing listens, below those that the system gives to outgoing connections (Linux: from 32768), so that none of
 * these takes it, even while the caller's server is restarted.
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
    // A machine without IPv6 has no ::1, so nothing listens there.
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'));
    server.listen({ port, host, ipv6Only: true }, () => server.close(() => resolve(true)));
  });
}
