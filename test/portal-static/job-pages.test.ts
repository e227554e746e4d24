import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { expectAccessible } from '../support/accessible-page.ts';
import { account } from './accounts.ts';
import { openPortalBrowser, type PortalBrowser } from './applications-browser.ts';
import { aJob } from './applications-fixtures-more.ts';

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

const calls = (route: string) => portal.site.calls.filter((call) => call.route === route);
const jobId = (digit: number) => `${String(digit).repeat(8)}-2222-4333-8444-555555555555`;

describe('the operators’ list of jobs', () => {
  it('is of the environment and LOB of the address, and says when there are older jobs', async () => {
    const { application: _, ...unregistered } = aJob({
      ...{ jobId: jobId(2), kind: 'member-match', state: 'failed' },
      ...{ clientId: 'made-by-hand', endedAt: '2026-11-20T10:40:00Z' },
    });
    portal.site.answer('operatorJobs', { body: { jobs: [aJob(), unregistered], next: 'position' } });
    const page = await portal.open('/operations/jobs?environment=sandbox&lob=MAPD');
    const jobs = page.getByRole('table', { name: 'Jobs of MAPD in sandbox, newest first' });
    await jobs.getByText('300 of 1,200').first().waitFor();
    await page.getByText('Showing 2 jobs. There are older ones.').waitFor();
    await jobs.getByText('made-by-hand').waitFor();
    await expect
      .poll(() => jobs.getByRole('link', { name: 'Claims Companion' }).getAttribute('href'))
      .toBe('/operations/applications/app-1');
    await expectAccessible(page, 'operations-jobs');

    portal.site.answer('operatorJobs', { body: { jobs: [aJob({ jobId: jobId(3), state: 'expired' })] } });
    await page.getByRole('button', { name: 'Older jobs' }).click();
    await page.getByText('Showing 3 jobs').waitFor();
    await jobs.getByText('Expired').waitFor();
    expect(await page.getByRole('button', { name: 'Older jobs' }).count()).toBe(0);

    portal.site.answer('operatorJobs', { body: { jobs: [] } });
    await page.getByLabel('Line of business').selectOption('MHBE');
    await page.waitForURL('**/operations/jobs?environment=sandbox&lob=MHBE');
    await page.getByText('There are no jobs of MHBE in sandbox.').waitFor();
    await expectAccessible(page, 'operations-jobs-none');
  });

  it('says that an environment does not answer, and tries again', async () => {
    portal.site.answer('operatorJobs', { problem: 'environment_unavailable' });
    const page = await portal.open('/operations/jobs');
    await page.getByText('The environment is not available right now.').waitFor();
    portal.site.answer('operatorJobs', { body: { jobs: [aJob()] } });
    await page.getByRole('button', { name: 'Try again' }).click();
    const table = page.getByRole('table', {
      name: 'Jobs of all lines of business in production, newest first',
    });
    await table.getByRole('cell', { name: 'MAPD' }).waitFor();
    await page.getByText(`Showing ${lineOfBusinessCodes.length} jobs`).waitFor();
  });
});

describe('the page of one job', () => {
  const at = `/operations/jobs/production/DSNP/${aJob().jobId}`;
  const files = [{ name: '000001.Patient.1.ndjson', list: 'output', count: 300 }];

  it('shows its files, and cancels it after a confirmation', async () => {
    portal.site.answer('operatorJob', { body: { ...aJob(), parts: [{ part: 1, files }] } });
    portal.site.answer('cancelJob', { body: { ...aJob({ state: 'cancelled' }), parts: [] } });
    const page = await portal.open(at);
    await page.getByText('000001.Patient.1.ndjson').waitFor();
    await expectAccessible(page, 'operations-job');
    await page.getByRole('button', { name: 'Cancel job' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    expect(calls('cancelJob')).toEqual([]);
    await page.getByRole('button', { name: 'Cancel job' }).click();
    await expectAccessible(page, 'operations-job-confirm');
    await dialog.getByRole('button', { name: 'Cancel job' }).click();
    await page.getByText('The job has ended. Its files are removed.').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel job' }).count()).toBe(0);
    expect(calls('cancelJob')).toHaveLength(1);
  });

  it('shows a job that ended meanwhile as it is, with the refusal', async () => {
    portal.site.answer('operatorJob', {
      body: { ...aJob({ state: 'complete' }), parts: [{ part: 1, files }] },
    });
    portal.site.answer('cancelJob', { problem: 'job_ended' });
    const page = await portal.open(at);
    await page.getByRole('button', { name: 'Remove job' }).click();
    portal.site.answer('operatorJob', { body: { ...aJob({ state: 'expired' }), parts: [] } });
    await page.getByRole('dialog').getByRole('button', { name: 'Remove job' }).click();
    await page.getByText('The job was cancelled before, or it has expired.').waitFor();
    await page.getByText('The job is over. Its files are removed.').waitFor();
    expect(await page.getByRole('button', { name: 'Remove job' }).count()).toBe(0);
    portal.site.answer('operatorJob', { problem: 'not_found' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').waitFor();
    await expectAccessible(page, 'operations-job-ended');
  });
});
