import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityViolations, openChromium, screenshot } from '../support/chromium.ts';
import { siteFiles } from './site-files.ts';
import { openSite, type SiteServer } from './site-server.ts';

/** The built site in a browser, for tests of the pages of applications and operators. */
export interface PortalBrowser {
  readonly site: SiteServer;
  /** Opens a page in a session of its own. `complaints` collects its logged errors and what its policy refuses. */
  open(path: string, options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  readonly complaints: string[];
  /** Closes the page. It saves its draft now, and not during the next test. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

export async function openPortalBrowser(): Promise<PortalBrowser> {
  const directory = await siteFiles();
  const [site, browser] = await Promise.all([openSite(directory), openChromium()]);
  const complaints: string[] = [];
  let context: BrowserContext | undefined;
  return {
    site,
    complaints,
    open: async (path, options = {}) => {
      context = await browser.newContext({ timezoneId: 'America/New_York', ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        // Chromium logs each answer of 400 and above; tests script such answers.
        const answered = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !answered) complaints.push(message.text());
      });
      await page.goto(site.origin + path);
      return page;
    },
    leave: async () => {
      await context?.close();
      context = undefined;
    },
    close: async () => {
      await context?.close();
      await browser.close();
      await site.close();
    },
  };
}

/** Checks both color schemes and a narrow page: no violation of WCAG 2.2 AA, nothing wider than 320 CSS pixels. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await screenshot(page, `${name}-${colorScheme}`);
    // Color schemes differ in colors only.
    const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
    expect(await accessibilityViolations(page, rules)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 375, height: 812 });
  await screenshot(page, `${name}-375`);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  await page.setViewportSize(size);
}
