/** Composes the status page and the feed of incidents, for the function that serves public pages. */

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { cookiesOf } from '../platform/http/cookies.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import type { HttpGet } from '../platform/runtime/http-get.ts';
import type { Table } from '../platform/table/table.ts';
import { createStatusStore } from './adapters/status-store.ts';
import { signedInMarker } from './catalog/cookies.ts';
import { statusFeedPath, statusFramePath, statusMarker, statusPath } from './catalog/status.ts';
import { rememberedStatus } from './status/read-status.ts';
import { statusFeed } from './status/status-feed.ts';
import { statusPage } from './status/status-page.ts';

export interface StatusPagesProps {
  readonly table: Table;
  readonly get: HttpGet;
  /** Origin of the portal. */
  readonly origin: string;
}

/** Milliseconds for which the frame is kept: a deployment changes it. */
const frameMs = 60_000;

/** Makes the handler of the two paths; it returns undefined for any other. */
export function createStatusPages({ table, get, origin }: StatusPagesProps) {
  const status = rememberedStatus(createStatusStore(table), systemClock);
  const frames = new Map<boolean, { readonly text: string; readonly until: number }>();
  const frame = async (signedIn: boolean): Promise<string> => {
    const kept = frames.get(signedIn);
    if (kept !== undefined && systemClock() < kept.until) return kept.text;
    // CloudFront selects the frame by this cookie, as for any page.
    const headers = signedIn ? { cookie: `${signedInMarker}=1` } : {};
    const answer = await get(`${origin}${statusFramePath}`, headers);
    if (answer?.status !== 200 || !answer.text.includes(statusMarker)) {
      if (kept === undefined) throw new Error('the frame of the status page is missing');
      return kept.text;
    }
    frames.set(signedIn, { text: answer.text, until: systemClock() + frameMs });
    return answer.text;
  };
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult | undefined> => {
    if (event.path === statusFeedPath) {
      return {
        statusCode: 200,
        headers: {
          'Content-Type': 'application/atom+xml; charset=utf-8',
          'Cache-Control': 'public, max-age=60',
        },
        body: statusFeed(await status(), origin),
      };
    }
    if (event.path !== statusPath) return undefined;
    const isSignedIn = cookiesOf(event).has(signedInMarker);
    const [text, main] = await Promise.all([frame(isSignedIn), status().then(statusPage)]);
    return {
      statusCode: 200,
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'private, max-age=30' },
      // A function, as texts of operators may have a dollar sign.
      body: text.replace(statusMarker, () => main),
    };
  };
}
