import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumExecutable } from './chromium-executable.ts';

/** Chromium, headless, with a fresh profile. */
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

/**
 * Violations of WCAG 2.2 AA on the page that axe-core finds, a sentence each; it runs although the page allows no script.
 *
 * @param only these rules of axe's: `['color-contrast']` is enough where nothing but colours has changed.
 */
export async function accessibilityViolations(page: Page, only?: readonly string[]): Promise<string[]> {
  // A click waits for the beginning of the page it leads to.
  await page.waitForLoadState();
  const session = await page.context().newCDPSession(page);
  // Through the debugger, in a world of its own: the page's Content-Security-Policy stays as members get it.
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
  const options = JSON.stringify({ runOnly: only ?? wcag22aa, resultTypes: ['violations'] });
  const found = (await evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations.map(({ id, help, nodes }) => id + ': ' + help + ' at ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`,
  )) as string[] | undefined;
  if (found === undefined) throw new Error('axe did not run');
  return found;
}

/** Keeps a picture where `SCREENSHOTS` names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
