import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../support/chromium.ts';
import { siteFiles } from './site-files.ts';
import { openSite, type SiteServer } from './site-server.ts';

/** The site as it is deployed, and a browser that opens its pages. */
export interface BuiltSite {
  readonly site: SiteServer;
  readonly browser: Browser;
  /** Opens a page with its own cookies and storage. `complaints` collects the errors of its console. */
  open(path: string, options?: Parameters<Browser['newContext']>[0]): Promise<OpenedPage>;
  close(): Promise<void>;
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors of scripts, of the console and of the Content-Security-Policy. Refusals by the API do not count. */
  readonly complaints: readonly string[];
}

export async function openBuiltSite(): Promise<BuiltSite> {
  const directory = await siteFiles();
  const [site, browser] = await Promise.all([openSite(directory), openChromium()]);
  return {
    site,
    browser,
    open: async (path, options) => {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      context.setDefaultTimeout(30_000);
      const page = await context.newPage();
      const complaints = listen(page);
      await page.goto(site.origin + path);
      return { page, complaints };
    },
    close: async () => {
      await browser.close();
      await site.close();
    },
  };
}

function listen(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const refusedCall =
      message.location().url.includes('/api/') && message.text().startsWith('Failed to load');
    if (message.type() === 'error' && !refusedCall) complaints.push(message.text());
  });
  return complaints;
}
