import { html } from 'hono/html';
import { english } from './english.ts';
import { layout } from './layout.ts';
import type { MessageReason } from './strings.ts';

/** A page that only says why it can't go on. It leads nowhere: there is no address that could be trusted. */
export function messagePage(
  status: number,
  reason: MessageReason,
): { readonly status: number; readonly html: string } {
  const { title, advice } = english.messages[reason];
  const main = html`<h1>${title}</h1>
<p>${advice}</p>`;
  return { status, html: layout({ language: english.language, title, owner: 'Member sign-in', main }) };
}
