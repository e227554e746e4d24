import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DirectoryToFixView } from '../../lambdas/portal/api/directory-views.ts';
import { expectAccessible } from '../support/accessible-page.ts';
import { account } from './accounts.ts';
import { openPortalBrowser, type PortalBrowser } from './applications-browser.ts';
import { aDirectory } from './applications-fixtures-more.ts';

let portal: PortalBrowser;
beforeAll(async () => {
  portal = await openPortalBrowser();
});
afterAll(() => portal.close());
beforeEach(() => {
  portal.site.reset();
  portal.site.answer('account', {
    body: account({ role: 'operator', firstName: 'Olu', lastName: 'Adeyemi' }),
  });
});
afterEach(async () => {
  await portal.leave();
  expect(portal.complaints.splice(0)).toEqual([]);
});

const refused: DirectoryToFixView = {
  lob: 'MAPD',
  lastBuild: {
    state: 'refused',
    startedAt: '2026-11-20T09:00:00Z',
    reasons: [
      { code: 'dangling', message: 'PractitionerRole/r1 refers to Organization/o9, which is not loaded.' },
    ],
  },
  findings: [],
};

describe('the operators’ list of what is to fix in directories', () => {
  it('shows all lines of business at once: faults with examples and rules, and rows by file and line', async () => {
    portal.site.answer('directoriesToFix', {
      body: { directories: [aDirectory, refused, { lob: 'EGWP', findings: [] }] },
    });
    const page = await portal.open('/operations/fixes');
    await page.getByText('240 of 2,140 records have a fault.').waitFor();
    const faults = page.getByRole('table', { name: 'Faults of the published records of DSNP' });
    // The fault of most records comes first.
    await expect
      .poll(() => faults.getByRole('rowheader').allTextContents())
      .toEqual(['No telephone number', 'NPI that is not valid']);
    await faults.getByText('Practitioner/p-17').waitFor();
    await expect
      .poll(() => faults.getByRole('link', { name: '45 CFR 162.406' }).getAttribute('href'))
      .toContain('ecfr.gov');
    const rows = page.getByRole('table', { name: 'Rows of the last load of DSNP that were not loaded' });
    await rows.getByText('Organization.ndjson, line 1,003: Organization/o-3, name').waitFor();
    await page.getByText('PractitionerRole/r1 refers to Organization/o9, which is not loaded.').waitFor();
    expect(await page.getByText('Nothing is published yet.').count()).toBe(2);
    await expectAccessible(page, 'operations-directories');

    await page.getByLabel('Environment').selectOption('sandbox');
    await page.waitForURL('**/operations/fixes?environment=sandbox');
  });

  it('downloads all faults by an address that is requested at the press', async () => {
    portal.site.answer('directoriesToFix', { body: { directories: [aDirectory] } });
    portal.site.answer('directoryFindings', { problem: 'not_found' });
    const page = await portal.open('/operations/fixes');
    const press = () => page.getByRole('button', { name: 'Download all faults of DSNP as CSV' }).click();
    await press();
    await page.getByText('There is no CSV of this publication yet').waitFor();
    portal.site.answer('directoryFindings', { body: { url: `${portal.site.origin}/findings.csv` } });
    await press();
    await page.waitForURL('**/findings.csv');
  });

  it('says that an environment does not answer, and tries again', async () => {
    portal.site.answer('directoriesToFix', { problem: 'environment_unavailable' });
    const page = await portal.open('/operations/fixes');
    await page.getByText('The environment is not available right now.').waitFor();
    portal.site.answer('directoriesToFix', { body: { directories: [aDirectory] } });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('240 of 2,140 records have a fault.').waitFor();
  });
});
