import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApplicationView } from '../../lambdas/portal/api/views.ts';
import { openApplication, registerByApi } from './portal/applications.ts';
import { api, done, portalChromium } from './portal/browser.ts';
import { aDeveloper, type Developer } from './portal/developer.ts';
import { mailed, portalOrigin } from './portal/portal.ts';

const chromium = portalChromium();

/** Opens another tab of the same browser. */
async function anotherTab({ page }: Developer, path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(portalOrigin() + path);
  return tab;
}

describe('two developers', () => {
  let owner: Developer;
  let other: Developer;
  let application: ApplicationView;
  beforeAll(async () => {
    [owner, other] = await Promise.all([aDeveloper(chromium), aDeveloper(chromium)]);
    application = await registerByApi(owner.page, { name: 'Owned steps', lob: 'DSNP' });
  });

  it('do not find each other’s applications, on any route', async () => {
    const { applicationId: id, version } = application;
    const routes = [
      ['GET', ''],
      ['POST', '/promote', { version }],
      ['POST', '/submit', { version }],
      ['POST', '/withdraw', { version }],
      ['POST', '/preflight'],
      ['POST', '/credentials/sandbox', { password: other.person.password }],
      ['GET', '/calls/sandbox'],
      ['GET', '/usage/sandbox'],
    ] as const;
    for (const [method, rest, body] of routes) {
      const path = `/api/applications/${id}${rest}`;
      const stranger = await api<{ readonly code: string }>(other.page, method, path, body);
      const nobody = await api<{ readonly code: string }>(
        other.page,
        method,
        path.replace(id, crypto.randomUUID()),
        body,
      );
      expect({ path, status: stranger.status, code: stranger.body.code }).toEqual({
        path,
        status: 404,
        code: 'not_found',
      });
      expect({ ...stranger.body, requestId: '' }).toEqual({ ...nobody.body, requestId: '' });
    }
    await openApplication(other.page, id);
    await other.page.getByText('The application does not exist, or you do not have access to it.').waitFor();
  });

  it('share applications once one has invited the other', async () => {
    await owner.page.goto(`${portalOrigin()}/team`);
    await owner.page.getByLabel('E-mail address').fill(other.person.email);
    await owner.page.getByRole('button', { name: 'Invite' }).click();
    const link = await mailed(other.person.email, /(http\S+\/invitation\S+)/);
    await other.page.goto(link);
    await other.page.getByRole('button', { name: 'Join the team' }).click();
    await other.page.getByRole('cell', { name: owner.person.email }).waitFor();
    await other.page.goto(`${portalOrigin()}/applications`);
    await other.page.getByRole('link', { name: 'Owned steps' }).click();
    await other.page.getByRole('heading', { name: 'Next step' }).waitFor();
    // An invitation's link works once.
    await other.page.goto(link);
    await other.page.getByRole('button', { name: 'Join the team' }).click();
    await other.page.getByText('The invitation is no longer valid').waitFor();
  });

  it('lose nothing when both edit: the later one is told, and both edits are joined', async () => {
    const { applicationId: id } = application;
    const path = `/applications/${id}/edit/sandbox`;
    const [first, second] = await Promise.all([anotherTab(owner, path), anotherTab(other, path)]);
    await first.getByLabel('Privacy URI').fill('https://app.example.org/first-privacy');
    await second.getByLabel('Contact Email').fill('second@app.example.org');
    await first.getByRole('button', { name: 'Save sandbox values' }).click();
    await first.getByRole('heading', { name: 'Next step' }).waitFor();
    const refused = second.waitForResponse((answer) => answer.status() === 409);
    await second.getByRole('button', { name: 'Save sandbox values' }).click();
    await refused;
    await second.getByText('This was changed after you opened it').waitFor();
    await expect.poll(() => second.getByLabel('Contact Email').inputValue()).toBe('second@app.example.org');
    await expect
      .poll(() => second.getByLabel('Privacy URI').inputValue())
      .toBe('https://app.example.org/first-privacy');
    await second.getByRole('button', { name: 'Save sandbox values' }).click();
    await second.getByRole('heading', { name: 'Next step' }).waitFor();
    const { sandbox } = await done<ApplicationView>(second, 'GET', `/api/applications/${id}`);
    expect(sandbox.configuration).toMatchObject({
      contactEmail: 'second@app.example.org',
      privacyUri: 'https://app.example.org/first-privacy',
    });
    await Promise.all([first.close(), second.close()]);
  });
});
