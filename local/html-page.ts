/** Renders an HTML page of the local system: the front page, the inbox, the member portal of a plan. */

import { html, raw } from 'hono/html';
import { stylesheet } from './inbox/stylesheet.ts';

/** Escaped HTML. */
export type Html = ReturnType<typeof html>;

const pagesOfMachine = { '/': 'Hosts', '/metrics': 'Metrics', '/alarms': 'Alarms (JSON)' } as const;

/** Links to the pages of the machine's own address, of which one is shown. */
export function tabs(shown: keyof typeof pagesOfMachine): Html {
  return html`<nav class="toolbar" aria-label="This machine">${Object.entries(pagesOfMachine).map(
    ([path, name]) =>
      path === shown ? html`<b aria-current="page">${name}</b>` : html`<a href="${path}">${name}</a>`,
  )}</nav>`;
}

interface PageParts {
  readonly title: string;
  readonly content: Html;
  /** Rules in addition to those of every page. */
  readonly styles?: string;
  /** Seconds until the browser loads the page again; absent for a page that stays. */
  readonly refreshSeconds?: number | undefined;
}

/** The whole document of a page. */
export function htmlPage({ title, content, styles = '', refreshSeconds }: PageParts): string {
  return String(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          ${refreshSeconds === undefined ? '' : html`<meta http-equiv="refresh" content="${refreshSeconds}" />`}
          <title>${title}</title>
          <style>${raw(stylesheet + styles)}</style>
        </head>
        <body>
          <main>${content}</main>
        </body>
      </html>`,
  );
}
