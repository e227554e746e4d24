import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  changelogFeedPath,
  documentationDownloads,
  documentationPages,
  payerCheckFile,
} from '../../lambdas/portal/catalog/documentation-pages.ts';
import { functionPages, portalPages } from '../../lambdas/portal/catalog/pages.ts';
import { portalProblems } from '../../lambdas/portal/catalog/problems.ts';
import { downloads } from '../../portal-static/build/documents/downloads.ts';
import { recordsPath, sandboxRecords } from '../../portal-static/build/members/sandbox-members.ts';
import { service } from '../docs/documents.ts';
import { expectAccessible } from '../support/accessible-page.ts';
import { openPortalBrowser, type PortalBrowser } from './applications-browser.ts';

let portal: PortalBrowser;

beforeAll(async () => {
  portal = await openPortalBrowser();
});
afterAll(async () => {
  await portal.close();
});

const paths = ['/docs', ...documentationPages.map((name) => `/docs/${name}`)];
/** Contents, the longest page, one without an example, and one of a host of its own; the others are made in the same way. */
const referenceSamples = [
  '/reference',
  '/reference/patient-access/Patient',
  '/reference/payer-access/export',
  '/reference/authorization/token',
];

/** The HTML of a page, as it is served. */
const htmlOf = async (path: string) => await (await fetch(portal.site.origin + path)).text();
/** Values of an attribute in HTML that the build has made. */
const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  );

describe('the public documentation', () => {
  it.each([...paths, ...referenceSamples])('shows %s to everybody, on any screen', async (path) => {
    const page = await portal.open(path);
    await expect.poll(() => page.locator('h1').count()).toBe(1);
    expect(await page.locator('.header__nav [aria-current="page"]').allTextContents()).toEqual([
      'Documentation',
    ]);
    await page.evaluate('for (const it of document.querySelectorAll("article details")) it.open = true');
    await expectAccessible(page, path.slice(1).replaceAll('/', '-'));
    expect(portal.complaints).toEqual([]);
    await portal.leave();
  });

  it('leads nowhere that is not there', async () => {
    const known = new Set<string>([
      ...portalPages.prerendered,
      ...[...documentationDownloads, payerCheckFile].map((name) => `/docs/${name}`),
      ...documentationPages.map((name) => `/docs/${name}.md`),
      ...functionPages,
      changelogFeedPath,
      ...sandboxRecords(service).members.map(({ memberId }) => `${recordsPath}/${memberId}.json.gz`),
    ]);
    const application = portalPages.application as readonly string[];
    const ids = new Map<string, readonly string[]>();
    const idsOf = async (path: string) => {
      const found = ids.get(path) ?? attributes(await htmlOf(path), 'id');
      ids.set(path, found);
      return found;
    };
    for (const path of paths) {
      const links = attributes(await htmlOf(path), 'href').filter((href) => /^[/#]/.test(href));
      expect(links.length).toBeGreaterThan(10);
      for (const href of links) {
        const [target = '', fragment] = href.split('#');
        const page = target === '' ? path : target;
        const found =
          known.has(page) || application.some((each) => page === each || page.startsWith(`${each}/`));
        // Assets are named by the build, and `size.test.ts` reads them.
        expect(found || page.startsWith('/assets/'), `${href} on ${path}`).toBe(true);
        if (fragment !== undefined) expect(await idsOf(page), `${href} on ${path}`).toContain(fragment);
      }
      const own = await idsOf(path);
      expect(new Set(own).size, path).toBe(own.length);
    }
  });

  it('can be read in its order, from each page to the next', async () => {
    for (const [index, path] of paths.slice(1).entries()) {
      const html = await htmlOf(path);
      const turn = html.slice(html.indexOf('class="docs__turn"'));
      const around = [paths.slice(1)[index - 1], paths.slice(1)[index + 1]];
      expect(attributes(turn.slice(0, turn.indexOf('</nav>')), 'href'), path).toEqual(
        around.filter((it) => it !== undefined),
      );
      expect(html.match(/href="([^"]+)" aria-current="page"/g), path).toContain(
        `href="${path}" aria-current="page"`,
      );
    }
  });

  it('opens a problem’s address at its own row', async () => {
    const html = await htmlOf('/docs/errors');
    for (const code of Object.keys(portalProblems))
      expect(html).toContain(`<code id="${code}">${code}</code>`);
    const page = await portal.open('/docs/errors#four_eyes');
    await expect.poll(() => page.locator('#four_eyes').isVisible()).toBe(true);
  });

  it('scrolls what is wide by keyboard, by itself', async () => {
    const page = await portal.open('/docs/errors#four_eyes', { viewport: { width: 320, height: 640 } });
    const table = page.locator('.table-frame', { has: page.locator('#four_eyes') });
    await table.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => table.evaluate((it) => it.scrollLeft)).toBeGreaterThan(0);
  });

  it('prints the text and leaves the navigation out', async () => {
    const page = await portal.open('/docs/authorization');
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator('.docs__side').isVisible()).toBe(false);
    await expect.poll(() => page.locator('.docs__turn').isVisible()).toBe(false);
    await expect.poll(() => page.getByRole('heading', { name: 'Code exchange' }).isVisible()).toBe(true);
  });

  it.each(documentationDownloads)('offers %s for download', async (name) => {
    const response = await fetch(`${portal.site.origin}/docs/${name}`);
    expect(response.status).toBe(200);
    const document = (await response.json()) as object;
    expect(document).toEqual(JSON.parse(downloads(service)[name]));
  });
});

describe('the record of a member of the sandbox', () => {
  it('is a Bundle of all that the page counts', async () => {
    const { members } = sandboxRecords(service);
    expect(members).toHaveLength(24);
    for (const { memberId, counts } of [members[0], members.at(-1)] as typeof members) {
      const answer = await fetch(`${portal.site.origin}${recordsPath}/${memberId}.json.gz`);
      expect(answer.status).toBe(200);
      const text = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString();
      const { type, entry } = JSON.parse(text) as { type: string; entry: readonly object[] };
      expect(type).toBe('collection');
      expect(entry).toHaveLength(Object.values(counts).reduce((sum, each) => sum + each, 0));
    }
  });
});

describe('the search of the documentation', () => {
  const results = (page: Page) => page.locator('.docs-search__results a');

  it('finds by the first keystrokes, leads there by keyboard, and shows the same again on the way back', async () => {
    const page = await portal.open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('invalid_gr');
    await expect.poll(() => results(page).first().textContent()).toBe('invalid_grant');
    await expectAccessible(page, 'docs-search');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#token-invalid_grant');
    await page.goBack();
    await expect.poll(() => results(page).first().textContent()).toBe('invalid_grant');
    expect(portal.complaints).toEqual([]);
  });

  it.each([
    ['lastUpdated', '/docs/search#'],
    ['patient everything', '/reference/patient-access/Patient#'],
    ['GET Coverage beneficiary', '/reference/patient-access/Coverage#search-coverage'],
    ['rotate secret', '/docs/'],
    ['DSNP69775922', '/docs/members#gloria-standin-dsnp69775922'],
    ['redirct uri', '/docs/errors#page-redirect_uri'],
  ])('finds %s', async (query, path) => {
    const page = await portal.open(`/docs/limits?q=${encodeURIComponent(query)}`);
    await expect.poll(() => results(page).first().getAttribute('href')).toContain(path);
  });

  it('says that nothing was found, and takes markup as words', async () => {
    const page = await portal.open('/docs/search');
    await page.getByLabel('Search the documentation').fill('<img src=x> qqqq');
    await expect.poll(() => page.locator('.docs-search__said').textContent()).toContain('Nothing found');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.docs-search__said').textContent()).toBe('');
    expect(page.url()).not.toContain('q=');
  });

  it('says so where it can not be loaded, and tries again', async () => {
    const page = await portal.open('/docs/limits');
    await page.route('**/docs/search.json', (route) => route.abort());
    await page.getByLabel('Search the documentation').fill('quota');
    await expect
      .poll(() => page.locator('.docs-search__said').textContent())
      .toContain('could not be loaded');
    await page.unroute('**/docs/search.json');
    await page.getByLabel('Search the documentation').fill('quotas');
    await expect.poll(() => results(page).count()).toBeGreaterThan(0);
  });

  it('is not offered without a script, and every page can be read', async () => {
    const page = await portal.open('/docs/get-started', { javaScriptEnabled: false });
    await expect.poll(() => page.locator('h1').isVisible()).toBe(true);
    expect(await page.locator('.docs-search').isVisible()).toBe(false);
    expect(await page.locator('.code-frame__copy').count()).toBe(0);
  });
});

describe('a block of code', () => {
  it('is copied as it is, and selected where there is no clipboard', async () => {
    const page = await portal.open('/docs/get-started', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const frame = page.locator('.code-frame').first();
    const text = (await frame.locator('code').textContent()) ?? '';
    await frame.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => frame.getByRole('button').textContent()).toBe('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("refused"))');
    await frame.getByRole('button').click();
    await expect.poll(() => frame.getByRole('button').textContent()).toBe('Selected');
    expect(await page.evaluate('String(getSelection())')).toContain(text.trim().slice(0, 40));
  });
});

describe('the feed of the changelog', () => {
  it('is named by the changelog alone, and is there', async () => {
    const named = async (path: string) => {
      const page = await portal.open(path);
      return await page.$$eval('link[type="application/atom+xml"]', (all) =>
        all.map((link) => link.getAttribute('href')),
      );
    };
    expect(await named('/docs/changelog')).toEqual([changelogFeedPath]);
    expect(await named('/docs/errors')).toEqual([]);
    expect((await fetch(portal.site.origin + changelogFeedPath)).status).toBe(200);
  });
});

describe('the files for programs', () => {
  const file = async (path: string) => await fetch(`${portal.site.origin}${path}`);

  it.each(documentationPages)('have the page %s as Markdown', async (name) => {
    const answer = await file(`/docs/${name}.md`);
    const text = await answer.text();
    expect(text).toMatch(/^# \S/);
    expect(text).not.toContain('{{');
  });

  it('list each page: llms.txt and sitemap.xml', async () => {
    const [llms, sitemap] = await Promise.all(
      ['/llms.txt', '/sitemap.xml'].map(async (path) => await (await file(path)).text()),
    );
    for (const name of documentationPages) {
      expect(llms).toContain(`/docs/${name}.md)`);
      expect(sitemap).toMatch(new RegExp(`<loc>https?://[^<]+/docs/${name}</loc>`));
    }
  });

  it('name the sitemap for crawlers, and who hears of vulnerabilities: RFC 9309, RFC 9116', async () => {
    expect(await (await file('/robots.txt')).text()).toMatch(/^Sitemap: https?:\/\/\S+\/sitemap\.xml$/m);
    const text = await (await file('/.well-known/security.txt')).text();
    expect(text).toMatch(/^Contact: mailto:\S+@\S+$/m);
    const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '');
    expect(expires).toBeGreaterThan(Date.now() + 30 * 86_400_000);
  });
});
