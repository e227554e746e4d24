import type { Page } from 'playwright-core';
import type { PortalChromium } from './browser.ts';
import { aPerson, type Person } from './people.ts';
import { prove, signUp } from './sign-up.ts';

/** A developer who has signed up and signed in, and the page of applications. */
export interface Developer {
  readonly person: Person;
  readonly page: Page;
}

export async function aDeveloper(chromium: PortalChromium): Promise<Developer> {
  const person = aPerson('individual');
  const page = await chromium.open('/sign-up');
  await signUp(page, person);
  await prove(page, person);
  await page.getByRole('link', { name: 'Register application' }).waitFor();
  return { person, page };
}
