import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consentPage, sharedGroups } from '../../lambdas/oauth/pages/consent-page.ts';
import { english } from '../../lambdas/oauth/pages/english.ts';
import { messagePage } from '../../lambdas/oauth/pages/message-page.ts';
import { type SignInError, signInPage } from '../../lambdas/oauth/pages/sign-in-page.ts';
import type { MessageReason } from '../../lambdas/oauth/pages/strings.ts';

const application = {
  name: 'Steps Health',
  host: 'app.example.com',
  privacyUri: 'https://app.example.com/privacy',
  termsOfServiceUri: 'https://app.example.com/terms',
  attested: true,
};
const hidden = { lob: 'DSNP', handle: 'handle', formToken: 'token' } as const;

function signIn(error?: SignInError): string {
  return signInPage({ ...hidden, application, ...(error !== undefined && { error }) });
}

function consent(changes: Partial<typeof application> = {}, accessSeconds = 1_800): string {
  return consentPage({
    ...hidden,
    application: { ...application, ...changes },
    products: ['patient-access'],
    memberName: 'Rosa Ejemplo',
    scope: 'openid patient/*.read',
    accessSeconds,
    now: Date.UTC(2026, 10, 20, 20, 0),
  });
}

const pages: readonly [string, () => string][] = [
  ['sign-in', () => signIn()],
  ['sign-in refused', () => signIn('refused')],
  ['sign-in incomplete', () => signIn('incomplete')],
  ['consent', () => consent()],
  ['consent, not attested, with a very long name', () => consent({ attested: false, name: 'W'.repeat(120) })],
  ['message', () => messagePage(400, 'redirect_uri_unregistered').html],
];

describe('the consent page', () => {
  it('tells the end in the members’ own time', () => {
    expect(consent()).toContain('For 30 minutes after you agree: until about 3:30 PM EST.');
    const lasting = consent({}, 395 * 86_400);
    expect(lasting).toContain('Until about December 20, 2027, if you do not stop it sooner.');
    expect(lasting).not.toContain('minutes');
  });

  it('lists each group once, and the sign-in where it is shared', () => {
    const names = (scope: string) =>
      sharedGroups({ scope, products: ['patient-access'] }).map(({ name }) => name);
    expect(names('patient/*.read patient/Patient.rs')).toEqual(['Your details']);
    expect(names('openid launch/patient patient/Patient.read')).toEqual(['Your details', 'Your sign-in']);
    expect(names('patient/Coverage.read')).toEqual(['Your Coverage records']);
  });
});

it.each(
  Object.keys(english.messages) as MessageReason[],
)('the message %s is a page with one heading', (reason) => {
  const page = messagePage(400, reason).html;
  expect(page.match(/<h1>/g)).toHaveLength(1);
  expect(page).not.toMatch(/<form|<a |undefined/);
});

it.each(pages)('%s is under 15 KB', (_name, page) => {
  expect(Buffer.byteLength(page())).toBeLessThan(15_000);
});

const executablePath = '/usr/bin/chromium';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.runIf(existsSync(executablePath))('in a browser', { timeout: 30_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  }, 30_000);
  afterAll(async () => {
    await browser.close();
  });

  async function show(html: string, colorScheme: 'light' | 'dark'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 320, height: 640 }, colorScheme });
    await page.setContent(html);
    return page;
  }

  describe.each(['light', 'dark'] as const)('in %s colours at 320 px', (colorScheme) => {
    it.each(
      pages,
    )('%s has nothing against WCAG 2.2 AA and needs no sideways scrolling', async (_name, html) => {
      const page = await show(html(), colorScheme);
      await page.addScriptTag({ content: axe });
      const violations = await page.evaluate(
        `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
          .then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
      );
      expect(violations).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await page.close();
    });
  });

  it('gives both answers the same weight', async () => {
    const page = await show(consent(), 'light');
    const boxes = await Promise.all(
      ['Share my data', "Don't share"].map(async (name) => {
        const button = page.getByRole('button', { name, exact: true });
        const { width, height } = (await button.boundingBox()) ?? { width: 0, height: 0 };
        const colour = await button.evaluate('(element) => getComputedStyle(element).backgroundColor');
        return { width, height, colour };
      }),
    );
    expect(boxes[0]).toEqual(boxes[1]);
    expect(boxes[0]?.height).toBeGreaterThanOrEqual(44);
    await page.close();
  });

  it('has the labels a person looks for', async () => {
    const page = await show(signIn(), 'light');
    for (const label of ['Member ID or e-mail', 'Password']) {
      expect(await page.getByLabel(label, { exact: true }).count()).toBe(1);
    }
    expect(await page.getByRole('button', { name: 'Sign in', exact: true }).count()).toBe(1);
    await page.close();
  });
});
