/** The incidents of the status page as an Atom feed (RFC 4287): an entry for each, which every update changes. */

import { incidentSeverities, statusFeedPath, statusPath } from '../catalog/status.ts';
import { changedAt, type Incident } from './incident.ts';
import type { IncidentNow, Status } from './read-status.ts';
import { scopeWords, timeWords } from './status-words.ts';

/** @param origin of the portal. */
export function statusFeed({ incidents, now }: Status, origin: string): string {
  const page = `${origin}${statusPath}`;
  const feed = `${origin}${statusFeedPath}`;
  const newest = incidents.map(changedAt).sort().at(-1) ?? new Date(now - (now % 86_400_000)).toISOString();
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${feed}</id>`,
    '<title>Member Data Developer Portal: Status</title>',
    `<link href="${page}"/>`,
    `<link rel="self" type="application/atom+xml" href="${feed}"/>`,
    `<updated>${newest}</updated>`,
    '<author><name>Developer support</name></author>',
    ...incidents.flatMap((incident) => [
      '<entry>',
      `<id>${page}#${incident.id}</id>`,
      `<title>${escaped(titleOf(incident))}</title>`,
      `<link href="${page}#${incident.id}"/>`,
      `<published>${incident.updates[0]?.at ?? incident.startsAt}</published>`,
      `<updated>${changedAt(incident)}</updated>`,
      `<content type="text">${escaped(contentOf(incident))}</content>`,
      '</entry>',
    ]),
    '</feed>',
    '',
  ].join('\n');
}

function titleOf({ title, severity, resolvedAt }: Incident): string {
  return `${resolvedAt === undefined ? '' : 'Resolved: '}${title} (${incidentSeverities[severity].name.toLowerCase()})`;
}

/** The scope, the period, and the updates, newest first. */
function contentOf({ scope, startsAt, endsAt, resolvedAt, updates }: IncidentNow): string {
  const end = resolvedAt ?? endsAt;
  const period = `${timeWords(startsAt)}${end === undefined ? ', not over' : ` to ${timeWords(end)}`}`;
  return [
    `${period}. Touches: ${scopeWords(scope)}.`,
    ...updates.toReversed().map(({ at, text }) => `${timeWords(at)}\n${text}`),
  ].join('\n\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
