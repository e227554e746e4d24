/** The changelog as an Atom feed (RFC 4287): an entry for each release. */

import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import { changelogFeedPath } from '../../../lambdas/portal/catalog/documentation-pages.ts';
import { documentationPage } from './documentation.ts';

/** @throws Error where the heading of a release has no date. */
export function changelogFeed(service: PublishedService): string {
  const { path, title, html } = documentationPage('changelog', service);
  const address = `${service.portal}${path}`;
  const releases = [...html.matchAll(/<h2 id="([^"]+)">([^<]+)<\/h2>(.*?)(?=<h2 |$)/gs)].map(
    ([, id = '', heading = '', changes = '']) => ({ id, heading, changes, updated: dateOf(heading) }),
  );
  const entries = releases.map(({ id, heading, changes, updated }) => [
    '<entry>',
    `<id>${address}#${id}</id>`,
    `<title>${escapedXml(heading)}</title>`,
    `<link href="${address}#${id}"/>`,
    `<updated>${updated}</updated>`,
    ...categoriesOf(changes).map((term) => `<category term="${term}"/>`),
    `<content type="html">${escapedXml(absolute(changes.trim(), service.portal))}</content>`,
    '</entry>',
  ]);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${service.portal}${changelogFeedPath}</id>`,
    `<title>Member Data Developer Portal: ${escapedXml(title)}</title>`,
    `<link href="${address}"/>`,
    `<link rel="self" type="application/atom+xml" href="${service.portal}${changelogFeedPath}"/>`,
    `<updated>${releases[0]?.updated ?? ''}</updated>`,
    '<author><name>Developer support</name></author>',
    ...entries.flat(),
    '</feed>',
    '',
  ].join('\n');
}

/** The label of a change: the part of the service, and what happened to it. */
export const changeLabel = /<li><strong>(API|Portal) · (New|Changed|Deprecated|Fixed)<\/strong> /g;

/** The parts and kinds of a release's changes, each once. */
function categoriesOf(changes: string): readonly string[] {
  return [...new Set([...changes.matchAll(changeLabel)].flatMap(([, part = '', kind = '']) => [part, kind]))];
}

/** Parses the date of a release's heading, such as `1.3.0, November 23, 2026`: the start of that day in UTC. */
function dateOf(heading: string): string {
  const time = Date.parse(`${heading.replace(/^[^,]*,/, '')} UTC`);
  if (Number.isNaN(time))
    throw new Error(`The release “${heading}” has no date, such as “1.0.0, November 20, 2026”.`);
  return new Date(time).toISOString();
}

/** Makes links absolute, because feed readers show the text on other sites. */
function absolute(html: string, portal: string): string {
  return html.replaceAll('href="/', `href="${portal}/`);
}

function escapedXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
