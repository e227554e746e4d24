import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessibilityViolations } from '../support/chromium.ts';
import { account } from './accounts.ts';
import { type BuiltSite, openBuiltSite } from './built-site.ts';
import { focused } from './keyboard-walk.ts';

let built: BuiltSite;

beforeAll(async () => {
  built = await openBuiltSite();
});
afterAll(() => built.close());
beforeEach(() => built.site.reset());

const phone = { viewport: { width: 390, height: 800 } };
const links = (page: Page) => page.locator('.header__nav a').allInnerTexts();

/** Whether the menu is open, as the browser tells assistive technology. */
async function isExpanded(page: Page): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const button = nodes.find(({ role, name }) => role?.value === 'button' && name?.value === 'Menu');
  return button?.properties?.find(({ name }) => name === 'expanded')?.value.value;
}

describe('the menu of a narrow page', () => {
  it('opens and closes by keyboard on a page without script, and returns the focus', async () => {
    const { page, complaints } = await built.open('/terms', phone);
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    expect(await page.locator('.header__menu').isVisible()).toBe(false);
    expect(await isExpanded(page)).toBe(false);
    await menu.press('Enter');
    expect(await page.locator('.header__menu').isVisible()).toBe(true);
    expect(await isExpanded(page)).toBe(true);
    expect(await focused(page)).toBe('BUTTON Close the menu');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.locator('.header__menu').isVisible()).toBe(false);
    expect(await focused(page)).toBe('BUTTON Menu');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('closes when a link leads to another view, whose heading takes the focus', async () => {
    built.site.answer('account', { body: account() });
    built.site.answer('applications', { body: { applications: [] } });
    built.site.answer('drafts', { body: { drafts: [] } });
    const { page } = await built.open('/account', phone);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('link', { name: 'Applications', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor();
    expect(await page.locator('.header__menu').isVisible()).toBe(false);
    await expect.poll(() => focused(page)).toBe('H1 Applications');
    await page.context().close();
  });

  it('has the links of the application on the pages of the documentation, too', async () => {
    built.site.answer('account', { body: account() });
    const { page } = await built.open('/account', phone);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const own = await links(page);
    expect(own).toHaveLength(6);
    await page.goto(`${built.site.origin}/docs`);
    expect(await links(page)).toEqual(own);
    await page.context().close();
  });
});
