import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { http, runningSystem } from './journey.ts';
import { expectAccessible } from './pages-browser.ts';

async function lastTextTo(to: string): Promise<string> {
  const url = new URL(`http://inbox.localhost:${runningSystem().port}/messages`);
  url.searchParams.set('to', to);
  const answer = await http({ method: 'GET', url: url.href });
  const { messages } = JSON.parse(answer.body) as { messages: { text: string }[] };
  return messages[0]?.text ?? '';
}

/**
 * Requests an activation code from the sign-in page, with the ZIP code 20001.
 *
 * @param channel label of the number or address on file to which the code is sent
 * @param looks names of screenshots of the two pages, which are checked for accessibility
 * @returns the code, which the page now asks for.
 */
export async function beginActivation(
  page: Page,
  { memberId, ...channel }: { readonly memberId: string; readonly text?: string; readonly email?: string },
  birthDate: string,
  looks?: { readonly details: string; readonly code: string },
): Promise<string> {
  const [year = '', month = '', day = ''] = birthDate.split('-');
  await page.getByRole('link', { name: 'First time here, or forgot your password?' }).click();
  if (looks !== undefined) await expectAccessible(page, looks.details);
  await page.getByLabel('Member ID').fill(memberId);
  await page.getByLabel('Month').fill(String(Number(month)));
  await page.getByLabel('Day').fill(String(Number(day)));
  await page.getByLabel('Year').fill(year);
  await page.getByLabel('ZIP code').fill('20001');
  if (channel.text !== undefined) await page.getByLabel('Text message').check();
  await page.getByRole('button', { name: 'Send the code' }).click();
  if (looks !== undefined) await expectAccessible(page, looks.code);
  const to = channel.text ?? channel.email ?? '';
  await expect.poll(() => lastTextTo(to)).toMatch(/\d{6}/);
  return /\d{6}/.exec(await lastTextTo(to))?.[0] ?? '';
}

/** Enters the code, and then the new password twice. */
export async function finishActivation(
  page: Page,
  { code, password, look }: { readonly code: string; readonly password: string; readonly look?: string },
): Promise<void> {
  await page.getByLabel('6-digit code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  if (look !== undefined) await expectAccessible(page, look);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('New password again').fill(password);
  await page.getByRole('button', { name: 'Save and continue' }).click();
}
