import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityViolations, screenshot } from './chromium.ts';

/** Screens on which a page is checked: a laptop in light colors and a phone in dark ones. The schemes differ in colors only, and a screen in layout only. */
export const laptop = { colorScheme: 'light', viewport: { width: 1280, height: 900 } } as const;
export const phone = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;

/** 1280 × 1024 CSS pixels at 400 % zoom (WCAG 1.4.10, reflow). */
const zoomed = { width: 320, height: 256 };

/** Checks that a page has no violation of WCAG 2.2 AA on a laptop and on a phone, and scrolls in one direction only at 400 % zoom. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const { colorScheme, viewport } of [laptop, phone]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await screenshot(page, `${name}-${viewport.width}-${colorScheme}`);
    expect([colorScheme, await accessibilityViolations(page)]).toEqual([colorScheme, []]);
  }
  await page.setViewportSize(zoomed);
  await screenshot(page, `${name}-${zoomed.width}`);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await page.emulateMedia({ colorScheme: 'light' });
  if (before !== null) await page.setViewportSize(before);
}
