import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { patient } from '../loads/drop-rows.ts';
import { openChromium } from '../support/chromium.ts';
import { loadDrop } from './drops.ts';
import { http, runningSystem } from './journey.ts';
import {
  type AppHost,
  type CalledBackApp,
  expectAccessible,
  registerApp,
  startAppHost,
} from './pages-browser.ts';

/** A member whom a drop loaded, without an e-mail address, makes an account by text message and shares with an app. */

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

async function textTo(to: string): Promise<string> {
  const url = new URL(`http://inbox.localhost:${runningSystem().port}/messages`);
  url.searchParams.set('to', to);
  const answer = await http({ method: 'GET', url: url.href });
  const { messages } = JSON.parse(answer.body) as { messages: { text: string }[] };
  return messages[0]?.text ?? '';
}

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
  await page.getByRole('link', { name: 'First time here, or forgot your password?' }).click();
  await expectAccessible(page, 'activation phone');
  await page.getByLabel('Member ID').fill(memberId.toLowerCase());
  await page.getByLabel('Month').fill('3');
  await page.getByLabel('Day').fill('1');
  await page.getByLabel('Year').fill('1950');
  await page.getByLabel('ZIP code').fill('20001');
  await page.getByLabel('Text message').check();
  await page.getByRole('button', { name: 'Send the code' }).click();
  await expectAccessible(page, 'activation code phone');
  await expect.poll(() => textTo(phone)).toMatch(/\d{6}/);
  await page.getByLabel('6-digit code').fill(/\d{6}/.exec(await textTo(phone))?.[0] ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectAccessible(page, 'activation password phone');
  await page.getByLabel('New password', { exact: true }).fill('seven blue herons by the mill');
  await page.getByLabel('New password again').fill('seven blue herons by the mill');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  expect(await page.getByRole('main').textContent()).toContain('Ada Sampleton');
  await page.getByRole('button', { name: 'Share my data' }).click();
  await page.waitForURL((url) => url.searchParams.has('code'));
  const read = await app.reader(new URL(page.url()));
  expect(await read(patientId)).toBe(200);
  await context.close();
});
