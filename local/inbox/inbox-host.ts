/** Host of the local inbox of e-mail and text messages. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpHost } from '../gateway/server.ts';

/** Host name of the page that shows what SES and SNS were asked to send. */
export const inboxHost = 'inbox.localhost';

/** A `Request` can't be of every method HTTP has: of TRACE it throws. */
const methods = new Set(['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH', 'OPTIONS']);

/** Serves a handler of the Fetch API's kind on Node's HTTP server; the inbox takes no request bodies. */
export function fetchHost(handle: (request: Request) => Response): HttpHost {
  return {
    handle(incoming, outgoing) {
      incoming.resume();
      void answer(handle, incoming, outgoing).catch(() => outgoing.destroy());
    },
  };
}

async function answer(
  handle: (request: Request) => Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const url = URL.parse(incoming.url ?? '/', `http://${inboxHost}`);
  if (url === null) {
    outgoing.writeHead(400).end();
    return;
  }
  const method = incoming.method ?? 'GET';
  if (!methods.has(method)) {
    outgoing.writeHead(405, { allow: [...methods].join(', ') }).end();
    return;
  }
  const response = handle(new Request(url, { method }));
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'content-length': body.length,
  });
  outgoing.end(method === 'HEAD' ? undefined : body);
}
