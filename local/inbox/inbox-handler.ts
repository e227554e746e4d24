/** Host of the inbox, with the e-mail and text messages that were sent on this machine. */

import type { Inbox } from './message.ts';
import { inboxPage, mailBodyPage, notFoundPage } from './pages.ts';

/** Allows only content of the page itself; a mail's own HTML is shown in a frame that may not run or load anything. */
const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/**
 * The inbox's host: `GET /` is a page of all messages, newest first; `GET /messages?to=…` returns the same as JSON (`{ messages:
 * StoredMessage[] }`); `DELETE /messages` empties the inbox; `GET /messages/{id}/html` is a mail's own HTML. For one machine only, since it
 * shows verification codes to anyone who can reach the port.
 */
export function inboxHandler(inbox: Inbox): (request: Request) => Response {
  return (request) => {
    const url = new URL(request.url);
    const route = `${request.method === 'HEAD' ? 'GET' : request.method} ${url.pathname}`;
    const to = url.searchParams.get('to') ?? undefined;
    if (route === 'GET /') {
      const watching = url.searchParams.has('watch');
      return page(inboxPage(inbox.list(to), { watching, ...(to === undefined ? {} : { to }) }));
    }
    if (route === 'GET /messages')
      return Response.json({ messages: inbox.list(to) }, { headers: securityHeaders });
    if (route === 'DELETE /messages') {
      inbox.clear();
      return new Response(null, { status: 204 });
    }
    const mail = /^GET \/messages\/(\d+)\/html$/.exec(route);
    const html = inbox.list().find(({ id }) => String(id) === mail?.[1])?.html;
    if (html !== undefined)
      return page(mailBodyPage(html), 200, `${securityHeaders['content-security-policy']}; sandbox`);
    if (url.pathname !== '/' && url.pathname !== '/messages') return page(notFoundPage(), 404);
    const allow = url.pathname === '/' ? 'GET, HEAD' : 'GET, HEAD, DELETE';
    return new Response(null, { status: 405, headers: { allow } });
  };
}

function page(html: string, status = 200, policy = securityHeaders['content-security-policy']): Response {
  const headers = {
    ...securityHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
  };
  return new Response(html, { status, headers });
}
