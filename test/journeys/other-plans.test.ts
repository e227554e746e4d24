import { randomInt, randomUUID } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInvoke } from '../../ops/command-line/invoke.ts';
import { patient, representative } from '../loads/drop-rows.ts';
import { openChromium } from '../support/chromium.ts';
import { loadDrop } from './drops.ts';
import { memberOf, originsOf, runningSystem } from './journey.ts';
import { expectAccessible, signIn } from './pages-browser.ts';

describe('a member’s choice about other plans', () => {
  const address = () => `${originsOf('sandbox').auth}/fhir-oauth2/sec/chpmd/connected-apps`;
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());

  async function fill(page: Page, plan: string): Promise<void> {
    await page.getByLabel('Name of the other plan').fill(plan);
    await page.getByLabel('Member ID on that plan’s card').fill('F-100 200');
    await page.getByLabel('No, it covered me before. Ask it once').check();
    await page.getByLabel('Your data, without sensitive data').check();
  }

  it.each([
    ['desktop', 0, { viewport: { width: 1280, height: 900 } }],
    ['phone, dark', 1, { viewport: { width: 390, height: 844 }, colorScheme: 'dark', deviceScaleFactor: 2 }],
  ] as const)('is given, corrected, shortened and ended: %s', async (size, number, options) => {
    const member = memberOf('sandbox', 'CHPMD', number);
    const plan = `Former Plan ${size}`;
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(address());
    await signIn(page, member);
    await page.getByRole('link', { name: 'Let us ask another plan' }).click();
    await expectAccessible(page, `plan form ${size}`);

    // An empty form names each fault at its field; what was typed stays.
    await page.getByLabel('Member ID on that plan’s card').fill('<no number>');
    await page.getByRole('button', { name: 'Let us ask' }).click();
    await expectAccessible(page, `plan form with errors ${size}`);
    expect(await page.getByRole('alert').getByRole('link').count()).toBe(4);
    expect(await page.getByLabel('Member ID on that plan’s card').inputValue()).toBe('<no number>');
    await page.getByRole('alert').getByRole('link').first().click();
    expect(await page.locator('#plan_name:focus').count()).toBe(1);

    await fill(page, plan);
    await page.getByRole('button', { name: 'Let us ask' }).dblclick();
    await page.getByRole('status').waitFor();
    await expectAccessible(page, `other plans ${size}`);
    const card = page.locator('section', { hasText: plan });
    const text = async (of: Locator) => ((await of.textContent()) ?? '').replaceAll(/\s+/g, ' ');
    expect(await text(card)).toMatch(/We are finding out where to ask .* We ask by ?[A-Z][a-z]+ \d+, \d{4}/);
    // Pressing twice, and loading the page again, makes no second exchange.
    await page.reload();
    expect(await card.count()).toBe(1);

    // A second tab shortens the permission; the older form of the first is refused, and shows what is stored.
    await card.getByRole('link', { name: `Change what we ask ${plan}` }).click();
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByLabel('Last day of your permission').fill('2199-12-30');
    await other.getByRole('button', { name: 'Save' }).click();
    expect(await text(other.locator('section', { hasText: plan }))).toMatch(/Ends ?December 30, 2199/);
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('This was changed meanwhile');
    expect(await page.getByLabel('Last day of your permission').inputValue()).toBe('2199-12-30');
    await page.getByLabel('Group number on that plan’s card').fill('G7');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await text(card)).toContain('G7');

    await card.getByRole('link', { name: `Stop asking ${plan}` }).click();
    await expectAccessible(page, `stop a plan ${size}`);
    expect(await text(page.locator('main'))).toContain('Data that already came stays part of your record');
    await page.reload();
    await page.getByRole('button', { name: 'Stop asking' }).dblclick();
    expect(await page.getByRole('status').textContent()).toContain(`We no longer ask ${plan}`);
    await page.getByRole('link', { name: 'All data given and received' }).click();
    await expectAccessible(page, `all history ${size}`);

    await page.goto(`${address()}?language=es`);
    await expectAccessible(page, `other plans in Spanish ${size}`);
    expect(await text(page.locator('section', { hasText: plan }))).toContain(`No preguntamos a ${plan}.`);
    await page.getByRole('link', { name: `Permitir que pidamos a ${plan}` }).click();
    await expectAccessible(page, `plan form in Spanish ${size}`);
    expect(await page.getByLabel('Nombre del otro plan').inputValue()).toBe(plan);
    await context.close();
  });

  it('is offered by the enrollment system, and made by a representative for whom they represent', async () => {
    const lob = 'EGWP';
    const number = randomInt(10 ** 8, 10 ** 9);
    const mother = { memberId: `EGWP${number}`, password: 'seven blue herons by the mill' };
    const child = { memberId: `EGWP${number}C`, patientId: `child-${number}` };
    const plan = `Former Plan ${number}`;
    const patientId = randomUUID();
    const meta = { versionId: '1', lastUpdated: '2026-02-01T10:00:00Z' };
    const content = { resourceType: 'Patient', id: patientId, meta, birthDate: '1985-04-02' };
    const system = runningSystem();
    const answer = await createInvoke(system)(system.functions.sandbox.ingest, {
      ...{ lob, patientId, ...mother, givenName: 'Mia', familyName: 'Sampleton' },
      ...{ email: `mia.${number}@example.com`, phoneNumber: '+12025550123' },
      resources: [{ ...meta, resourceType: 'Patient', id: patientId, json: JSON.stringify(content) }],
    });
    expect(answer).toMatchObject({ kind: 'loaded' });
    const offered = {
      resourceType: 'Coverage',
      status: 'cancelled',
      subscriberId: `F-${number}`,
      beneficiary: { reference: `Patient/${child.patientId}` },
      payor: [{ display: plan }],
    };
    await loadDrop(lob, {
      Patient: [patient(child.patientId, child.memberId, { lob })],
      Parameters: [
        representative(child.patientId, mother.memberId),
        {
          resourceType: 'Parameters',
          meta: { lastUpdated: '2026-02-02T10:00:00Z' },
          parameter: [{ name: 'other-payer', resource: offered }],
        },
      ],
    });

    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(`${originsOf('sandbox').auth}/fhir-oauth2/sec/egwp/connected-apps`);
    await signIn(page, mother);
    const card = page.locator('section', { hasText: plan });
    expect(await card.textContent()).toContain(`You can let us ask ${plan} for your data.`);
    expect(await card.textContent()).toContain('Ada Sampleton');
    await expectAccessible(page, 'other plans of a representative phone');
    await card.getByRole('link', { name: `Let us ask ${plan}` }).click();
    expect(await page.locator('main').textContent()).toContain('Whose data: Ada Sampleton');
    expect(await page.getByLabel('Member ID on that plan’s card').inputValue()).toBe(`F-${number}`);
    await page.getByLabel('All your data, with sensitive data').check();
    await page.getByRole('button', { name: 'Let us ask' }).click();
    expect(await page.getByRole('status').textContent()).toContain(`We ask ${plan}`);
    expect(await card.textContent()).toContain('All your data, with sensitive data');
    await card.getByRole('link', { name: `Stop asking ${plan}` }).click();
    await page.getByRole('button', { name: 'Stop asking' }).click();
    expect(await page.getByRole('status').textContent()).toContain(`We no longer ask ${plan}`);
    await page.getByRole('link', { name: 'All data given and received: Ada Sampleton' }).click();
    await expectAccessible(page, 'all history of a representative phone');
    await context.close();
  });
});
