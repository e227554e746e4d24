import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApplicationView } from '../../lambdas/portal/api/views.ts';
import { credentialsByApi, openApplication, submittedByApi } from './portal/applications.ts';
import { done, openPortalChromium, type PortalChromium } from './portal/browser.ts';
import { runApplication } from './portal/calls.ts';
import { aDeveloper, type Developer } from './portal/developer.ts';
import { mailed, ops, opsEnds } from './portal/portal.ts';

let chromium: PortalChromium;
beforeAll(async () => {
  chromium = await openPortalChromium();
});
afterAll(async () => {
  await chromium.close();
});
afterEach(() => {
  expect(chromium.complaints.splice(0)).toEqual([]);
});

const lob = 'CHPMD';

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
