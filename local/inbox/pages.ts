/** Renders the HTML pages of the inbox. */

import { html } from 'hono/html';
import { type Html, htmlPage } from '../html-page.ts';
import type { StoredMessage } from './message.ts';

/** Seconds between reloads of the page, if the person has turned reloading on. */
const refreshSeconds = 5;

export interface InboxView {
  /** Shows only messages to this recipient. */
  readonly to?: string;
  /** Whether the page reloads itself. The person decides, because not everyone can read a page that changes by itself. */
  readonly watching: boolean;
}

/** The page with all messages, or with those to one recipient. */
export function inboxPage(messages: readonly StoredMessage[], { to, watching }: InboxView): string {
  const newest = messages[0]?.sentAt;
  const title = messages.length === 0 ? 'Inbox' : `(${messages.length}) Inbox`;
  return htmlPage({
    title,
    refreshSeconds: watching ? refreshSeconds : undefined,
    content: html`<h1>Inbox</h1>
      <p class="lead">
        Messages that the service sent through SES and SNS${to === undefined ? '' : html` to <strong>${to}</strong>`}. No message
        leaves this machine.
      </p>
      <p class="toolbar">
        <a href="${address({ to, watching })}">Refresh</a>
        <a href="${address({ to, watching: !watching })}">
          ${watching ? 'Stop refreshing automatically' : `Refresh automatically every ${refreshSeconds} seconds`}
        </a>
        ${to === undefined ? '' : html`<a href="${address({ watching })}">All messages</a>`}
      </p>
      ${
        newest === undefined
          ? html`<p class="empty">No messages yet. Verification codes and notices appear here when they are sent.</p>`
          : html`<ol class="messages">
              ${messages.map(messageItem)}
            </ol>`
      }`,
  });
}

function address({ to, watching }: { readonly to?: string | undefined; readonly watching: boolean }): string {
  const query = new URLSearchParams();
  if (to !== undefined) query.set('to', to);
  if (watching) query.set('watch', 'yes');
  return query.size === 0 ? '/' : `/?${query}`;
}

/** A mail's own HTML, to be shown in a sandboxed frame. */
export function mailBodyPage(body: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Mail</title>${body}`;
}

export function notFoundPage(): string {
  return htmlPage({
    title: 'Not found',
    content: html`<h1>Not found</h1><p><a href="/">Go to the inbox</a></p>`,
  });
}

function messageItem(message: StoredMessage): Html {
  const kind = message.kind === 'email' ? 'Mail' : 'Text';
  const heading = message.subject ?? message.text?.split('\n')[0] ?? '';
  return html`<li>
    <article aria-labelledby="message-${message.id}">
      <h2 id="message-${message.id}"><span class="kind ${message.kind}">${kind}</span> ${heading}</h2>
      <dl>
        ${message.from === undefined ? '' : html`<dt>From</dt><dd>${message.from}</dd>`}
        <dt>To</dt>
        <dd>${message.to.map((address) => html`<a href="/?to=${encodeURIComponent(address)}">${address}</a> `)}</dd>
        <dt>Sent</dt>
        <dd><time datetime="${message.sentAt}">${message.sentAt.slice(0, 19).replace('T', ' ')} UTC</time></dd>
      </dl>
      ${message.text === undefined ? '' : html`<pre>${message.text}</pre>`}
      ${
        message.html === undefined
          ? ''
          : html`<iframe sandbox title="Preview of the e-mail: ${heading}" src="/messages/${message.id}/html" loading="lazy"></iframe>`
      }
    </article>
  </li>`;
}
