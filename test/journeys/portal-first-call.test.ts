import { expect, it } from 'vitest';
import { memberOf } from './journey.ts';
import { guidedCall, registerExample } from './portal/applications.ts';
import { portalChromium } from './portal/browser.ts';
import { paceOf } from './portal/pace.ts';
import { aPerson } from './portal/people.ts';
import { portalOrigin } from './portal/portal.ts';
import { prove, signUp } from './portal/sign-up.ts';

const chromium = portalChromium();

const lob = 'DSNP';
/** Longest time from the home page to a member's data, as promised to developers. */
const mostSeconds = 3 * 60;
const mostPages = 20;
const mostPresses = 14;
/** Most fields that are filled in; the sign-up has seven of them. */
const mostFields = 9;

it('leads a developer from the home page to the first Patient in three minutes, fourteen presses and nine typed fields', async ({
  annotate,
}) => {
  const person = aPerson('individual');
  const page = await chromium.open('/');
  const pace = await paceOf(page);
  await page.goto(`${portalOrigin()}/`);
  await page.getByRole('link', { name: 'Sign up' }).first().click();
  await signUp(page, person);
  await prove(page, person);
  await registerExample(page);
  await page.getByRole('link', { name: 'Make first call' }).click();
  const member = memberOf('sandbox', lob);
  await guidedCall(page, member, person.password);
  await page.getByText(member.patientId).first().waitFor();
  await page.getByText('"resourceType": "Patient"').first().waitFor();
  await annotate(`${pace.words()}\n${pace.pages().join('\n')}`);
  expect(pace.seconds()).toBeLessThan(mostSeconds);
  expect(pace.pages().length).toBeLessThanOrEqual(mostPages);
  expect(pace.presses()).toBeLessThanOrEqual(mostPresses);
  expect(pace.fields()).toBeLessThanOrEqual(mostFields);

  // The call counts as the evidence that a promotion requires.
  await page.getByRole('link', { name: 'Back to the application' }).last().click();
  await page.getByText('Successful call').waitFor();
});
