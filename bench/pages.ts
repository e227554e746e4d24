/** First contentful paint and total blocking time of the portal's pages, from Chromium's own traces. */

import type { Browser, Page } from 'playwright-core';
import { account } from '../test/portal-static/accounts.ts';
import { anApplication } from '../test/portal-static/applications-fixtures.ts';
import { siteFiles } from '../test/portal-static/site-files.ts';
import { openSite, type SiteServer } from '../test/portal-static/site-server.ts';
import { openChromium } from '../test/support/chromium.ts';
import { atMost, type Row } from './figures.ts';
import { median } from './process.ts';

/** Factor by which the browser's main thread is slowed, to that of a cheap phone. */
const slowdown = 4;
/** Milliseconds of a task above which it blocks input (https://web.dev/articles/tbt). */
const blockingMs = 50;
/** Milliseconds after a page is shown in which what it still loads may block. */
const restMs = 1500;
/** A page that is read, without a script: the others are compared with it. */
const reference = '/terms';
const signedOut = ['/', '/docs', '/docs/search', '/status', '/sign-in', '/sign-up/individual'];
const signedIn = ['/applications', '/applications/register', '/applications/app-1'];
/** Most times the first paint of the page without a script. */
const mostTimes = 4;

interface Figures {
  readonly paintMs: number;
  readonly blockedMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string; readonly data?: { readonly isOutermostMainFrame?: boolean } };
}

/** A load of a page takes seconds, and its medians settle early. */
const mostRounds = 3;

/** Opens ten pages in turn, up to three times, with the processor slowed four times, and returns the medians of each. */
export async function measurePages({ rounds }: { readonly rounds: number }): Promise<readonly Row[]> {
  const [site, browser] = await Promise.all([siteFiles().then(openSite), openChromium()]);
  const seen = new Map<string, Figures[]>();
  try {
    for (let round = 0; round < Math.min(rounds, mostRounds); round += 1) {
      for (const path of [reference, ...signedOut, ...signedIn]) {
        prepare(site, signedIn.includes(path));
        seen.set(path, [...(seen.get(path) ?? []), await measure(browser, site.origin + path)]);
      }
    }
  } finally {
    await browser.close();
    await site.close();
  }
  const paint = (path: string) => median((seen.get(path) ?? []).map(({ paintMs }) => paintMs));
  return [...seen].flatMap(([path, figures]): Row[] => [
    { section: 'pages', what: `first contentful paint of ${path}`, value: paint(path), unit: 'ms' },
    {
      section: 'pages',
      what: `total blocking time of ${path}`,
      value: median(figures.map(({ blockedMs }) => blockedMs)),
      unit: 'ms',
    },
    ...(path === reference
      ? []
      : [
          atMost(
            {
              section: 'pages',
              what: `first contentful paint of ${path}, compared with ${reference}`,
              value: paint(path) / paint(reference),
              unit: 'ratio',
            },
            mostTimes,
          ),
        ]),
  ]);
}

function prepare(site: SiteServer, isSignedIn: boolean): void {
  site.reset();
  site.answer('status', { body: { checkedAt: '2026-11-20T10:00:00Z', parts: [], data: [] } });
  if (!isSignedIn) return;
  site.answer('account', { body: account() });
  site.answer('applications', { body: { applications: [anApplication()] } });
  site.answer('application', { body: anApplication() });
  site.answer('drafts', { body: { drafts: [] } });
}

/** Loads a page with an empty cache. The page before it sets the cookie of a signed-in browser. */
async function measure(browser: Browser, url: string): Promise<Figures> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(new URL('/accessibility', url).href);
    const session = await context.newCDPSession(page);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    return figuresOf(await trace(browser, page, url));
  } finally {
    await context.close();
  }
}

async function trace(browser: Browser, page: Page, url: string): Promise<readonly TraceEvent[]> {
  const categories = ['loading', 'blink.user_timing', 'devtools.timeline', 'toplevel', '__metadata'];
  await browser.startTracing(page, { categories });
  await page.goto(url);
  await page.locator('h1').waitFor();
  await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${restMs}))`);
  return (JSON.parse((await browser.stopTracing()).toString()) as { readonly traceEvents: TraceEvent[] })
    .traceEvents;
}

function figuresOf(events: readonly TraceEvent[]): Figures {
  const painted = events.filter(({ name }) => name === 'firstContentfulPaint').at(-1);
  if (painted === undefined) throw new Error('Chromium traced no first contentful paint');
  const started = events
    .filter(({ name, pid, ts }) => name === 'navigationStart' && pid === painted.pid && ts < painted.ts)
    .at(-1);
  if (started === undefined) throw new Error('Chromium traced no start of the navigation');
  const main = events.find(
    ({ name, pid, args }) => name === 'thread_name' && pid === painted.pid && args?.name === 'CrRendererMain',
  );
  const blocked = events
    .filter(
      ({ name, pid, tid, ts }) =>
        name.endsWith('RunTask') && pid === painted.pid && tid === main?.tid && ts >= painted.ts,
    )
    .map(({ dur = 0 }) => Math.max(0, dur / 1000 - blockingMs));
  return {
    paintMs: (painted.ts - started.ts) / 1000,
    blockedMs: blocked.reduce((sum, ms) => sum + ms, 0),
  };
}
