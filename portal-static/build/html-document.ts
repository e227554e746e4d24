/** HTML document around every portal page. */

import type { PrerenderedPage } from './prerendered-page.ts';

/** Addresses of what a document loads. */
export interface DocumentAssets {
  readonly style: string;
  readonly scripts: Readonly<Record<NonNullable<PrerenderedPage['script']>, string>>;
}

/** One HTML file. Everything it loads has an address of its own host; nothing runs or styles from inside it. */
export function htmlDocument(page: PrerenderedPage, assets: DocumentAssets): string {
  const script = page.script === undefined ? undefined : assets.scripts[page.script];
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escaped(page.title)}</title>`,
    `<meta name="description" content="${escaped(page.description)}">`,
    ...(page.unlisted === true ? ['<meta name="robots" content="noindex">'] : []),
    ...(page.feed === undefined
      ? []
      : [`<link rel="alternate" type="application/atom+xml" href="${page.feed}">`]),
    `<link rel="icon" href="${icon}">`,
    `<link rel="stylesheet" href="${assets.style}">`,
    ...(script === undefined ? [] : [`<script type="module" src="${script}"></script>`]),
    '</head>',
    '<body>',
    page.body,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="10" fill="#0f6460"/><path d="M9 14h14a5 5 0 0 1 0 10H15M9 28h11" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/><circle cx="29.5" cy="28" r="3.5" fill="#ffbe2e"/></svg>';
const icon = `data:image/svg+xml;base64,${btoa(mark)}`;

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
