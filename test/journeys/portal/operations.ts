import type { Page } from 'playwright-core';
import { aPerson, type Person } from './people.ts';
import { ops, portalOrigin } from './portal.ts';

/** Operators of journeys: creates them by the command line and uses their console. */

/**
 * Runs `npm run ops -- operators create …`.
 *
 * @returns the operator, who may sign in now
 */
export async function anOperator(): Promise<Person> {
  const person = aPerson('individual', { firstName: 'Olga', lastName: 'Operator' });
  const names = ['--first-name', person.firstName, '--last-name', person.lastName];
  const printed = await ops(
    'operators',
    'create',
    '--email',
    person.email,
    '--phone',
    person.phone,
    ...names,
  );
  const password = /^password\s+(\S+)$/m.exec(printed)?.[1];
  if (password === undefined) throw new Error(`no password: ${printed}`);
  return { ...person, password };
}

/** Verifies an organization from the queue, in which it waits. */
export async function verifyOrganization(
  desk: Page,
  { company, firstName, lastName }: Person,
): Promise<void> {
  await desk.goto(`${portalOrigin()}/operations`);
  const row = desk.getByRole('row').filter({ hasText: company });
  await row.getByRole('link', { name: `${firstName} ${lastName}` }).click();
  await desk.getByRole('button', { name: 'Verify organization' }).click();
  // The dialog closes before the answer arrives, and the next application of the queue may follow.
  const answered = desk.waitForResponse((response) => response.url().endsWith('/decisions'));
  await desk.getByRole('dialog').getByRole('button', { name: 'Verify organization' }).click();
  const answer = await answered;
  if (!answer.ok()) throw new Error(`Verify organization: ${answer.status()} ${await answer.text()}`);
}

/** Takes a decision about an application on its page of the console. */
export async function decide(
  desk: Page,
  applicationId: string,
  label: 'Approve' | 'Suspend' | 'Revoke' | 'Reinstate',
  words?: string,
): Promise<void> {
  await desk.goto(`${portalOrigin()}/operations/applications/${applicationId}`);
  await desk.getByRole('radio', { name: label }).first().press('Space');
  if (words !== undefined) await desk.getByRole('textbox').fill(words);
  await desk.getByRole('button', { name: `${label}…` }).click();
  // The dialog closes before the answer arrives.
  const answered = desk.waitForResponse((response) => response.url().endsWith('/decisions'));
  await desk.getByRole('dialog').getByRole('button', { name: label, exact: true }).click();
  const answer = await answered;
  if (!answer.ok()) throw new Error(`${label}: ${answer.status()} ${await answer.text()}`);
}
