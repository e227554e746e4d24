import { describe, expect, it } from 'vitest';
import { statusComponents } from '../../../lambdas/portal/catalog/status.ts';
import type { Incident } from '../../../lambdas/portal/status/incident.ts';
import { readStatus, statusView } from '../../../lambdas/portal/status/read-status.ts';
import { statusFeed } from '../../../lambdas/portal/status/status-feed.ts';
import { statusPage } from '../../../lambdas/portal/status/status-page.ts';
import type { Measurement } from '../../../lambdas/portal/status/status-ports.ts';
import { memoryStatusStore } from './status-store.ts';

const now = Date.parse('2026-11-27T20:00:00Z');

function measurement(at: number, fails: readonly string[] = []): Measurement {
  return {
    measuredAt: new Date(at).toISOString(),
    components: statusComponents.map(({ id }) => ({ id, answers: !fails.includes(id) })),
    data: [
      {
        environment: 'production',
        lob: 'DSNP',
        late: false,
        freshUntil: '2026-11-27T00:00:00.000Z',
        reconciledAt: '2026-11-25T02:00:00.000Z',
      },
    ],
    directories: [{ environment: 'production', lob: 'DSNP', builtAt: '2026-11-25T04:00:00.000Z' }],
  };
}

const incident = (changed: Partial<Incident> = {}): Incident => ({
  id: '20261127-0a0b0c0d',
  severity: 'outage',
  title: 'Sign-in <fails> for $& DSNP',
  scope: { kinds: ['sign-in'], environments: ['production'], lobs: ['DSNP'] },
  startsAt: '2026-11-27T19:00:00.000Z',
  updates: [{ at: '2026-11-27T19:05:00.000Z', text: 'We are looking & trying.', by: 'Olga Secret' }],
  version: 1,
  ...changed,
});

/** The text of the page as a reader has it. */
const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('the status page', () => {
  it('says that nothing has been measured, and has no share and no bar', async () => {
    const page = statusPage(await readStatus(memoryStatusStore(), now));
    expect(textOf(page)).toContain('The status is unknown: nothing has been measured yet.');
    expect(textOf(page)).toContain('Not measured in the last 90 days.');
    expect(page).not.toContain('<svg');
    expect(page).not.toMatch(/\d %/);
    expect(page).not.toContain('Answers<');
  });

  it('counts the checks of each day, and rounds no failure away', async () => {
    const store = memoryStatusStore();
    const day = 86_400_000;
    await store.record(measurement(now - 2 * day), 1);
    for (let round = 2; round < 300; round += 1)
      await store.record(measurement(now, round === 2 ? ['production/DSNP/patient-access'] : []), round);
    const page = statusPage(await readStatus(store, now));
    // Four components, 299 rounds, on two days.
    expect(textOf(page)).toContain('99.91 % of 1,196 checks answered on 2 measured days of the last 90.');
    expect(textOf(page)).toContain(
      '1 day with failed checks Nov 27, 2026: Patient Access, 1 of 298 checks failed',
    );
    expect(textOf(page)).toContain('100 % of 299 checks answered');
    expect(page).toContain('class="day-bars__unknown"');
    expect(page).toContain('class="day-bars__most"');
  });

  it('says unknown again once measurements stop', async () => {
    const store = memoryStatusStore();
    await store.record(measurement(now), 1);
    const fresh = await readStatus(store, now + 14 * 60_000);
    expect(textOf(statusPage(fresh))).toContain('All 49 measured components answer.');
    const stale = await readStatus(store, now + 16 * 60_000);
    expect(textOf(statusPage(stale))).toContain('The status is unknown: the last measurement is of');
    expect(statusView(stale).parts).toEqual([]);
  });

  it('says which component does not answer, when data was loaded and that it is late by now', async () => {
    const store = memoryStatusStore();
    await store.record(measurement(now, ['production/DSNP/sign-in']), 1);
    const text = textOf(statusPage(await readStatus(store, now)));
    expect(text).toContain('1 of 49 measured components does not answer.');
    expect(text).toContain('Sign-in and consent Does not answer');
    expect(text).toContain('Late loaded Nov 25, 2026, 2:00 AM UTC , next due by Nov 27, 2026, 12:00 AM UTC');
    expect(text).toContain('published Nov 25, 2026, 4:00 AM UTC');
    expect(text).toContain('no load by a drop yet');
  });

  it('shows incidents as text, marks the components they touch, and names no operator', async () => {
    const store = memoryStatusStore();
    await store.record(measurement(now), 1);
    await store.putIncident(incident());
    const status = await readStatus(store, now);
    const page = statusPage(status);
    expect(page).toContain('Sign-in &lt;fails&gt; for $&amp; DSNP');
    expect(textOf(page)).toContain('Touches: Sign-in and consent; production; DSNP.');
    expect(textOf(page)).toContain('Sign-in and consent Answers Outage');
    expect(
      `${page}${JSON.stringify(statusView(status))}${statusFeed(status, 'https://p.example')}`,
    ).not.toContain('Olga');
    expect(statusView(status).incidents).toMatchObject([
      { state: 'open', parts: ['production/DSNP/sign-in'], updates: [{ text: 'We are looking & trying.' }] },
    ]);
  });

  it('leaves out incidents that ended before the days it shows', async () => {
    const store = memoryStatusStore();
    await store.putIncident(incident({ id: '20260801-0a0b0c0d', resolvedAt: '2026-08-01T02:00:00.000Z' }));
    await store.putIncident(incident({ resolvedAt: '2026-11-01T02:00:00.000Z' }));
    expect((await readStatus(store, now)).incidents.map(({ id }) => id)).toEqual(['20261127-0a0b0c0d']);
  });
});

describe('the feed of incidents', () => {
  it('has an entry for each incident, with an ID that stays and the time of its last update', async () => {
    const store = memoryStatusStore();
    await store.putIncident(
      incident({
        resolvedAt: '2026-11-27T19:30:00.000Z',
        updates: [
          { at: '2026-11-27T19:05:00.000Z', text: 'Looking.', by: 'Olga' },
          { at: '2026-11-27T19:30:00.000Z', text: 'Restarted.', by: 'Olga' },
        ],
      }),
    );
    const feed = statusFeed(await readStatus(store, now), 'https://p.example');
    expect(feed).toContain('<id>https://p.example/status#20261127-0a0b0c0d</id>');
    expect(feed).toContain('<title>Resolved: Sign-in &lt;fails&gt; for $&amp; DSNP (outage)</title>');
    expect(feed.match(/<updated>2026-11-27T19:30:00.000Z<\/updated>/g)).toHaveLength(2);
    expect(feed.indexOf('Restarted.')).toBeLessThan(feed.indexOf('Looking.'));
  });

  it('is valid without incidents: it has a time of update', async () => {
    const feed = statusFeed(await readStatus(memoryStatusStore(), now), 'https://p.example');
    expect(feed).toContain('<updated>2026-11-27T00:00:00.000Z</updated>');
    expect(feed).not.toContain('<entry>');
  });
});
