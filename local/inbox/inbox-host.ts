/** Connects the inbox of e-mail and text messages to the HTTP server. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpHost } from '../gateway/server.ts';

/** Host name of the page with the messages that SES and SNS were asked to send. */
export const inboxHost = 'inbox.localhost';

/** Methods that a `Request` can have; its constructor throws for others, such as TRACE. */
const methods = new Set(['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH', 'OPTIONS']);

/** Serves a handler of the Fetch API's form on Node's HTTP server; the inbox reads no request bodies. */
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
