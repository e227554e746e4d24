import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openChromium } from '../support/chromium.ts';
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
