import { beforeAll, describe, expect, it } from 'vitest';
import type { ApplicationView } from '../../lambdas/portal/api/views.ts';
import { decisionCriteria } from '../../lambdas/portal/catalog/application-states.ts';
import { credentialsByApi, openApplication, submittedByApi } from './portal/applications.ts';
import { done, portalChromium } from './portal/browser.ts';
import { runApplication } from './portal/calls.ts';
import { aDeveloper, type Developer } from './portal/developer.ts';
import { anOperator } from './portal/operations.ts';
import { mailed, ops, opsEnds } from './portal/portal.ts';
import { signIn } from './portal/sign-up.ts';

const chromium = portalChromium();

const lob = 'CHPMD';

describe('the queue of the console', () => {
  it('is filtered and decided by keyboard, one application after the other, and production follows', async () => {
    const { page, person } = await aDeveloper(chromium);
    // Names that no other journey's applications have, so that the search leaves these two.
    const word = person.company.split(' ').at(-1) ?? '';
    const registered = [];
    for (const name of [`Cedar ${word}`, `Maple ${word}`]) {
      registered.push(await submittedByApi(page, { name, lob }, person.password));
    }
    const [cedar, maple] = registered.map(({ applicationId }) => applicationId);
    const desk = await chromium.open('/sign-in');
    await signIn(desk, await anOperator());
    await desk.getByRole('heading', { name: 'Operations', level: 1 }).waitFor();
    await desk.keyboard.press('/');
    await desk.keyboard.type(word);
    expect(await desk.getByLabel('Search').inputValue()).toBe(word);
    await desk.getByText(/^2 of \d+ decisions waiting$|^2 decisions waiting$/).waitFor();
    await desk.getByLabel('Interface').selectOption('Patient Access');
    const row = desk.getByRole('row', { name: new RegExp(`Cedar ${word}`) });
    await row.getByRole('cell', { name: /\d+ to open, \d+ passed/ }).waitFor();

    await desk.getByRole('heading', { name: 'Operations', level: 1 }).click();
    for (const key of ['j', 'Enter']) await desk.keyboard.press(key);
    await desk.getByText('1 of 2 in the queue').waitFor();
    for (const key of ['a', 'Enter']) await desk.keyboard.press(key);
    await desk.getByRole('dialog', { name: `Approve: Cedar ${word}?` }).waitFor();
    await desk.keyboard.press('Enter');

    await desk.getByRole('heading', { name: `Maple ${word}`, level: 1 }).waitFor();
    await desk.getByRole('status').getByText(`Approved: Cedar ${word}`, { exact: true }).waitFor();
    await desk.getByText('1 of 1 in the queue').waitFor();
    await desk.keyboard.press('c');
    await desk.keyboard.type('Privacy');
    for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await desk.keyboard.press(key);
    await desk.getByRole('dialog', { name: `Request changes: Maple ${word}?` }).waitFor();
    await desk.keyboard.press('Enter');
    await desk.waitForURL(`**/operations?search=${word}&product=patient-access`);
    await desk.getByText(/No waiting decision matches|There are no decisions waiting/).waitFor();

    const states = async (id: string | undefined) =>
      (await done<ApplicationView>(page, 'GET', `/api/applications/${id}`)).state;
    expect([await states(cedar), await states(maple)]).toEqual(['approved', 'changes_requested']);
    await mailed(person.email, new RegExp(`(${decisionCriteria['privacy-policy'].reason})`));
    await desk.context().close();
  });
});

describe('an application that awaits a decision', () => {
  let developer: Developer;
  let id: string;
  const read = async () => await done<ApplicationView>(developer.page, 'GET', `/api/applications/${id}`);
  beforeAll(async () => {
    developer = await aDeveloper(chromium);
    const { page, person } = developer;
    id = (await submittedByApi(page, { name: 'Awaited steps', lob }, person.password)).applicationId;
  });

  it('is shown by the command line with all a decision needs, and left alone by a dry run', async () => {
    expect(await ops('apps', 'queue')).toContain('Awaited steps');
    const shown = await ops('apps', 'show', id);
    expect(shown).toMatch(/privacyUri\s+https:\/\/app\.example\.org\/privacy/);
    expect(shown).toMatch(/Patient Access was called in the sandbox/);
    expect(shown).toMatch(/available actions: .*approve/);
    const before = await read();
    expect(await ops('apps', 'approve', id, '--dry-run')).toContain('dry run: would be done: approved');
    expect(await read()).toEqual(before);
  });

  it('goes back with a criterion, a field and a reason, and its page leads to the field', async () => {
    const said = ['--field', 'privacyUri', '--reason', 'It does not name your application.'];
    await ops('apps', 'request-changes', id, '--criterion', 'privacy-policy', ...said);
    await mailed(developer.person.email, /(does not name your application)/);
    const { page } = developer;
    await openApplication(page, id);
    await page.getByText('It does not name your application.').first().waitFor();
    await page.getByRole('link', { name: 'Edit Privacy URI' }).first().click();
    await page.getByLabel('Privacy URI').fill('https://app.example.org/privacy-of-steps');
    await page.getByRole('button', { name: 'Save production values' }).click();
    await page.getByRole('button', { name: 'Submit for approval' }).click();
    await page.getByRole('button', { name: 'Recall submission' }).waitFor();
  });

  it('is not approved in a version nobody looked at', async () => {
    const { version } = await read();
    const stale = await opsEnds('apps', 'approve', id, '--version', String(version - 1));
    expect(stale.code).toBe(1);
    expect(stale.printed).toContain('This was changed after you opened it');
    expect((await read()).state).toBe('awaiting_operator_approval');
    expect((await opsEnds('apps', 'resume', id)).code).toBe(1);
    expect(await ops('apps', 'approve', id, '--version', String(version))).toContain('approved');
  });

  it('runs on as approved while a change of it is decided', async () => {
    const { page, person } = developer;
    const shown = await credentialsByApi(page, id, 'production', person.password);
    const production = runApplication('production', lob, shown);
    const token = await production.token();
    const { version, production: values } = await read();
    const configuration = { ...values?.configuration, displayName: 'Steps and strides' };
    const proposed = await done<ApplicationView>(page, 'PUT', `/api/applications/${id}/change`, {
      version,
      configuration,
    });
    await done(page, 'POST', `/api/applications/${id}/change/submit`, { version: proposed.version });
    expect(await ops('apps', 'queue')).toMatch(/change\s+\S+\s+Awaited steps/);
    expect(await production.read(token)).toBe(200);
    const asked = [
      '--criterion',
      'misleading-name',
      '--field',
      'displayName',
      '--reason',
      'Name it as it is.',
    ];
    await ops('apps', 'request-change-changes', id, ...asked);
    expect((await read()).changeState).toBe('changes_requested');
    const again = await done<ApplicationView>(page, 'PUT', `/api/applications/${id}/change`, {
      version: (await read()).version,
      configuration: { ...configuration, displayName: 'Steps' },
    });
    await done(page, 'POST', `/api/applications/${id}/change/submit`, { version: again.version });
    await ops('apps', 'approve-change', id);
    expect((await read()).production?.approved).toMatchObject({ displayName: 'Steps' });
    expect(await production.read(token)).toBe(200);
  });

  it('is suspended, resumed and revoked, each with the next call', async () => {
    const { page, person } = developer;
    const shown = await credentialsByApi(page, id, 'production', person.password);
    const production = runApplication('production', lob, shown);
    const token = await production.token();
    await ops('apps', 'suspend', id, '--reason', 'We look into a report.');
    expect([401, 403]).toContain(await production.read(token));
    await ops('apps', 'resume', id);
    const fresh = runApplication('production', lob, shown);
    expect(await fresh.read(await fresh.token())).toBe(200);
    await ops('apps', 'revoke', id, '--reason', 'The report was right.');
    expect([401, 403]).toContain(await production.read(token));
    expect((await opsEnds('apps', 'resume', id)).code).toBe(1);
  });
});
