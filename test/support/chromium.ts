import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumExecutable } from './chromium-executable.ts';

/** Starts headless Chromium with a new profile. */
export async function openChromium(): Promise<Browser> {
  const { executablePath, env } = await chromiumExecutable();
  return await chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

const wcag22aa = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Lists violations of WCAG 2.2 AA that axe-core finds on the page, a sentence each. It runs on pages that allow no script, too. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  // A click only waits until its page begins to load.
  await page.waitForLoadState();
  const session = await page.context().newCDPSession(page);
  // Runs axe through the debugger in an isolated world, so that the page keeps the Content-Security-Policy that members get.
  const { frameTree } = (await session.send('Page.getFrameTree')) as { frameTree: { frame: { id: string } } };
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  });
  const evaluate = async (expression: string) =>
    (
      await session.send('Runtime.evaluate', {
        contextId: executionContextId,
        expression,
        awaitPromise: true,
        returnByValue: true,
      })
    ).result.value as unknown;
  await evaluate(axe.source);
  // Rules that read style sheets and media are not among these tags, so that none is requested again.
  const options = JSON.stringify({ runOnly: wcag22aa, resultTypes: ['violations'], preload: false });
  const found = (await evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations.map(({ id, help, nodes }) => id + ': ' + help + ' at ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`,
  )) as string[] | undefined;
  if (found === undefined) throw new Error('axe did not run');
  return found;
}

/** Saves a screenshot if `SCREENSHOTS` names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
