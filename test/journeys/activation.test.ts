import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { patient } from '../loads/drop-rows.ts';
import { openChromium } from '../support/chromium.ts';
import { beginActivation, finishActivation } from './activation-pages.ts';
import { loadDrop } from './drops.ts';
import { type AppHost, type CalledBackApp, registerApp, startAppHost } from './pages-browser.ts';

/** A member without an e-mail address, loaded by a drop, activates an account by text message and shares with an app. */

const lob = 'MAPD';
const run = String(Date.now()).slice(-7);
const memberId = `ACT${run}`;
const patientId = `activated-${run}`;
const phone = `+1202555${run.slice(-4)}`;
let browser: Browser;
let host: AppHost;
let app: CalledBackApp;
beforeAll(async () => {
  browser = await openChromium();
  host = await startAppHost();
  app = await registerApp(lob, 'Blue Steps', host);
});
afterAll(async () => {
  await browser.close();
  host.close();
});

async function load(): Promise<void> {
  const row = {
    ...patient(patientId, memberId, { lob, phone }),
    birthDate: '1950-03-01',
    address: [{ postalCode: '20001-1234' }],
  };
  await loadDrop(lob, { Patient: [row] });
}

it('a member without e-mail activates an account by text message, and an app reads the member’s Patient', async () => {
  await load();
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(app.authorizationUrl());
  const look = { details: 'activation phone', code: 'activation code phone' };
  const code = await beginActivation(
    page,
    { memberId: memberId.toLowerCase(), text: phone },
    '1950-03-01',
    look,
  );
  await finishActivation(page, {
    ...{ code, password: 'seven blue herons by the mill' },
    look: 'activation password phone',
  });
  await expect.poll(() => page.getByRole('main').textContent()).toContain('Ada Sampleton');
  await page.getByRole('button', { name: 'Share my data' }).click();
  await page.waitForURL((url) => url.searchParams.has('code'));
  const read = await app.reader(new URL(page.url()));
  expect(await read(patientId)).toBe(200);
  await context.close();
});
