import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  documentationDownloads,
  documentationPages,
  payerCheckFile,
} from '../../lambdas/portal/catalog/documentation-pages.ts';
import { findADoctorPath, portalPages } from '../../lambdas/portal/catalog/pages.ts';
import { portalProblems } from '../../lambdas/portal/catalog/problems.ts';
import { expectAccessible, openPortalBrowser, type PortalBrowser } from './applications-browser.ts';

let portal: PortalBrowser;

beforeAll(async () => {
  portal = await openPortalBrowser();
});
afterAll(async () => {
  await portal.close();
});

const paths = ['/docs', ...documentationPages.map((name) => `/docs/${name}`)];

// A browser on a busy machine takes its time.
describe('the public documentation', { timeout: 120_000 }, () => {
  it.each(paths)('shows %s to everybody, on any screen, without a script', async (path) => {
    const page = await portal.open(path);
    await expect.poll(() => page.locator('h1').count()).toBe(1);
    expect(await page.locator('script').count()).toBe(0);
    await expectAccessible(page, `docs${path.slice('/docs'.length).replaceAll('/', '-')}`);
    expect(portal.complaints).toEqual([]);
  });

  it('leads nowhere that is not there', async () => {
    const page = await portal.open('/docs');
    const known = new Set<string>([
      ...portalPages.prerendered,
      ...[...documentationDownloads, payerCheckFile].map((name) => `/docs/${name}`),
      findADoctorPath,
    ]);
    const application = portalPages.application as readonly string[];
    for (const path of paths) {
      await page.goto(portal.site.origin + path);
      const links = (await page.$$eval('a[href]', (all) =>
        all.map((a) => a.getAttribute('href')),
      )) as string[];
      for (const href of links.filter((link) => link.startsWith('/'))) {
        const [target = '', fragment] = href.split('#');
        const found =
          known.has(target) || application.some((each) => target === each || target.startsWith(`${each}/`));
        expect(found, `${href} on ${path}`).toBe(true);
        if (fragment !== undefined) {
          const there = await (await fetch(portal.site.origin + target)).text();
          expect(there.includes(`id="${fragment}"`), `${href} on ${path}`).toBe(true);
        }
      }
      for (const href of links.filter((link) => link.startsWith('#'))) {
        expect(await page.locator(`[id="${href.slice(1)}"]`).count(), `${href} on ${path}`).toBe(1);
      }
      const ids = (await page.$$eval('[id]', (all) => all.map(({ id }) => id))) as string[];
      expect(new Set(ids).size, path).toBe(ids.length);
    }
  });

  it('can be read in its order, from each page to the next', async () => {
    const page = await portal.open(paths[1] ?? '');
    for (const next of paths.slice(2)) {
      await page.getByRole('navigation', { name: 'Previous and next page' }).getByText('Next').click();
      await page.waitForURL(`**${next}`);
      const current = page.locator('.docs__side [aria-current="page"]');
      await expect.poll(() => current.getAttribute('href')).toBe(next);
    }
  });

  it('opens a problem’s address at its own row', async () => {
    const page = await portal.open('/docs/errors');
    for (const code of Object.keys(portalProblems)) {
      await expect.poll(() => page.locator(`#${code}`).textContent()).toBe(code);
    }
    await page.goto(`${portal.site.origin}/docs/errors#four_eyes`);
    await expect.poll(() => page.locator('#four_eyes').isVisible()).toBe(true);
  });

  it('scrolls what is wide by keyboard, by itself', async () => {
    const page = await portal.open('/docs/errors', { viewport: { width: 320, height: 640 } });
    const table = page.locator('.table-frame').first();
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
    const kept = JSON.parse(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')) as object;
    expect(document).toEqual(kept);
  });
});
