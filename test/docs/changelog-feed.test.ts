import { describe, expect, it } from 'vitest';
import { changelogFeed, changeLabel } from '../../portal-static/build/documents/changelog-feed.ts';
import { documentationPage } from '../../portal-static/build/documents/documentation.ts';
import { service } from './documents.ts';

const feed = changelogFeed(service);
const { headings } = documentationPage('changelog', service);

describe('a change in the changelog', () => {
  const changes = [...documentationPage('changelog', service).html.matchAll(/<li>.*?<\/li>/gs)].map(
    ([item]) => item,
  );

  it('has a label with its part of the service and its kind', () => {
    expect(changes.filter((change) => change.search(changeLabel) !== 0)).toEqual([]);
  });

  it('says the day until which a deprecated interface is served at least', () => {
    const deprecated = changes.filter((change) => change.includes('· Deprecated'));
    expect(deprecated.length).toBeGreaterThan(0);
    for (const change of deprecated) expect(change).toMatch(/at least until \w+ \d{1,2}, \d{4}/);
  });
});

describe('the feed of the changelog', () => {
  it('has what Atom requires of a feed: an ID, a title, a time, an author, a link to itself (RFC 4287 section 4.1.1)', () => {
    const [head = ''] = feed.split('<entry>');
    for (const element of ['id', 'title', 'updated']) {
      expect(head.match(new RegExp(`<${element}>[^<]+</${element}>`, 'g')), element).toHaveLength(1);
    }
    expect(head).toContain('<author><name>');
    expect(head).toContain(
      `rel="self" type="application/atom+xml" href="${service.portal}/docs/changelog.xml"`,
    );
  });

  it('has an entry for each release, newest first, which leads to its section', () => {
    const ids = [...feed.matchAll(/<id>[^<]+#([^<]+)<\/id>/g)].map(([, id]) => id);
    expect(ids).toEqual(headings.map(({ id }) => id));
    const times = [...feed.matchAll(/<updated>([^<]+)<\/updated>/g)].map(([, time]) => time);
    expect(times[0]).toBe(times[1]);
    expect(times.slice(1)).toEqual([...times.slice(1)].sort().reverse());
    expect(times.at(-1)).toBe('2026-11-20T00:00:00.000Z');
  });

  it('has what its changes are about as categories', () => {
    const [, newest = ''] = feed.split('<entry>');
    const terms = [...newest.matchAll(/<category term="(\w+)"\/>/g)].map(([, term]) => term);
    expect([...terms].sort()).toEqual(['API', 'Changed', 'New', 'Portal']);
    expect(feed).toContain('<category term="Deprecated"/>');
  });

  it('says the changes as HTML that leads to the portal wherever it is read', () => {
    expect(feed).toContain(`&lt;a href="${service.portal}/docs/prior-authorizations"&gt;`);
    expect(feed).not.toContain('href="/');
    expect(
      feed.replace(
        /<\/?(?:feed|entry|id|title|link|updated|author|name|category|content)\b[^>]*>|<\?xml[^>]*>/g,
        '',
      ),
    ).not.toMatch(/[<>]/);
  });
});
