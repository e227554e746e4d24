import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { framePaths, portalPages } from '../../lambdas/portal/catalog/pages.ts';
import { referencePaths } from '../../lambdas/portal/catalog/reference-pages.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { openPortalBrowser, type PortalBrowser } from './applications-browser.ts';
import { answerAll, type Who } from './keyboard-answers.ts';
import { type KeyboardPage, keyboardPages } from './keyboard-pages.ts';
import { faultsOf, focused, pressAt, tabTo, walk } from './keyboard-walk.ts';

let portal: PortalBrowser;
beforeAll(async () => {
  portal = await openPortalBrowser();
});
afterAll(() => portal.close());
beforeEach(() => portal.site.reset());
afterEach(async () => {
  await portal.leave();
  expect(portal.complaints.splice(0)).toEqual([]);
});

/** Opens a page and waits until it has all that it requests. */
async function open(path: string, { who, at }: Pick<KeyboardPage, 'who' | 'at'>): Promise<Page> {
  answerAll(portal.site, who);
  const page = await portal.open(at ?? path, { reducedMotion: 'reduce' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  const isComplete = `document.querySelector('.progress') === null
    && !/Checking that you/.test(document.body.innerText)`;
  await expect.poll(() => page.evaluate(isComplete), { timeout: 45_000 }).toBe(true);
  return page;
}

const all = Object.entries(keyboardPages).map(([path, page]) => ({ path, ...page }));

it('leaves out no page of the portal', () => {
  // The routes are read as text, since the types of these tests have no JSX.
  const views = globSync('portal-static/pages/*/*-page-routes.ts', { cwd: repositoryRoot }).flatMap((file) =>
    [...readFileSync(join(repositoryRoot, file), 'utf8').matchAll(/path: '([^']+)'/g)].map(
      ([, path]) => path,
    ),
  );
  expect(views.length).toBeGreaterThan(30);
  // Frames have no content of their own: a function inserts it. Journeys test these pages by keyboard.
  // Two pages of the reference are tested, its contents and one resource type: the same code makes the others.
  const others = referencePaths.filter((path) => !Object.hasOwn(keyboardPages, path));
  expect(others).toHaveLength(referencePaths.length - 2);
  const left = [...framePaths, ...others];
  const pages = [...portalPages.prerendered.filter((path) => !left.includes(path)), ...views];
  expect(Object.keys(keyboardPages).sort()).toEqual([...new Set(pages)].sort());
});

/** From the beginning of the document the first link skips the header. */
async function skipsTheHeader(page: Page): Promise<void> {
  await page.evaluate('document.activeElement?.blur?.()');
  await tabTo(page, 'A Skip to main content');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.id'), { timeout: 45_000 }).toBe('main');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest("main, footer") !== null')).toBe(true);
}

describe('by Tab alone', () => {
  it.each(all)('$path is gone through in order, with the focus in sight, and left again', async (it) => {
    const page = await open(it.path, it);
    const walked = await walk(page);
    expect(walked.expected.length).toBeGreaterThan(5);
    expect(faultsOf(walked)).toEqual([]);
    await skipsTheHeader(page);
  });
});

describe('by keys alone', () => {
  it.each(all)('$path does what people come for', async (it) => {
    const page = await open(it.path, it);
    const before = portal.site.calls.length;
    await it.act(page);
    const { calls, leads } = it;
    if (calls !== undefined) {
      await expect
        .poll(() => portal.site.calls.slice(before).map(({ route }) => route), { timeout: 45_000 })
        .toContain(calls);
    }
    if (leads !== undefined) await page.getByRole('heading', { level: 1, name: leads }).waitFor();
  });
});

/** Each button that opens a confirmation dialog, with the page and the person who sees it. */
const dialogs: readonly { readonly at: string; readonly who: Who; readonly opens: string }[] = [
  { at: '/applications/app-1', who: 'developer', opens: 'BUTTON Withdraw' },
  { at: '/team', who: 'developer', opens: 'BUTTON Remove Sam Okafor' },
  { at: '/operations/accounts/account-2', who: 'operator', opens: 'BUTTON Verify organization' },
];

describe('a dialog', () => {
  it.each(dialogs)('of $at keeps the focus, closes by Escape, and gives the focus back', async (it) => {
    const page = await open(it.at, it);
    await pressAt(page, it.opens);
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    for (let turn = 0; turn < 6; turn += 1) {
      // Between the last and the first element of the dialog the focus is on the browser's own controls.
      const inside =
        'document.activeElement === document.body || document.activeElement.closest("dialog") !== null';
      expect(await page.evaluate(inside)).toBe(true);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => focused(page)).toContain(it.opens);
  });

  it('that has done its act leaves the focus on what is still there', async () => {
    const page = await open('/team', { who: 'developer' });
    portal.site.answer('removeTeamMember', () => {
      answerAll(portal.site, 'developer');
      portal.site.answer('team', { body: { teamId: 't-1', name: 'R', members: [], invitations: [] } });
      return { status: 204 };
    });
    await pressAt(page, 'BUTTON Remove Sam Okafor');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Sam Okafor was removed.').waitFor();
    await expect.poll(() => focused(page)).not.toMatch(/^BODY/);
  });
});

it('gives the focus to what takes the place of a button that is gone', async () => {
  const page = await open('/applications?environment=production', { who: 'developer' });
  await pressAt(page, 'BUTTON Register Application');
  await page.getByLabel('Sandbox application').waitFor();
  await expect.poll(() => focused(page)).toContain('SELECT Sandbox application');
  await tabTo(page, 'BUTTON Promote to production');
});
