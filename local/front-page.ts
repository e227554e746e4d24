/** Pages of the machine's own address: the local system's hosts, alarms and metrics. */

import { html } from 'hono/html';
import type { AlarmState } from './cloudwatch/cloudwatch.ts';
import type { NamedHost } from './gateway/gateway.ts';
import { htmlPage, tabs } from './html-page.ts';

/** Names of this machine, at which the local system serves the list of hosts. */
export const frontHosts = ['localhost', '127.0.0.1', '[::1]'] as const;

/** Hosts whose `/` is a page; the others are for programs. */
const pages = /^(portal|inbox)\./;

/**
 * `GET /`: the hosts of this system, for a person who opens the machine's own address. `GET /alarms`: the alarms of the templates and their
 * states as JSON (`{ alarms: AlarmState[] }`), raised alarms first. `GET /metrics`: the dashboards.
 *
 * @param metrics renders the page of metrics for the request's parameters; undefined if there is no such page.
 */
export function frontPage(
  hosts: readonly NamedHost[],
  port: number,
  alarms: () => readonly AlarmState[],
  metrics: (parameters: URLSearchParams) => string | undefined,
): (request: Request) => Response {
  const page = render(hosts, port);
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  return ({ method, url }) => {
    if (method !== 'GET' && method !== 'HEAD')
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
    const { pathname, searchParams } = new URL(url);
    if (pathname === '/alarms') {
      const ringingFirst = alarms().toSorted((left, right) => left.state.localeCompare(right.state));
      return Response.json({ alarms: ringingFirst }, { headers: { 'cache-control': 'no-store' } });
    }
    const shown = pathname === '/metrics' ? metrics(searchParams) : undefined;
    if (shown !== undefined) return new Response(shown, { headers });
    return new Response(page, { status: pathname === '/' ? 200 : 404, headers });
  };
}

function render(hosts: readonly NamedHost[], port: number): string {
  const items = hosts.map(({ name, what }) => {
    const address = `http://${name}:${port}`;
    return html`<dt>${pages.test(name) ? html`<a href="${address}/">${address}</a>` : address}</dt>
      <dd>${what}</dd>`;
  });
  return htmlPage({
    title: 'Member Data API on this machine',
    content: html`${tabs('/')}
      <h1>Member Data API on this machine</h1>
      <p class="lead">The system is running. Use the hosts below, which have the same roles as in the cloud. This host has no content.</p>
      <article><dl class="hosts">${items}</dl></article>`,
  });
}
