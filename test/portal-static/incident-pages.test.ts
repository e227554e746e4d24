import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '../support/accessible-page.ts';
import { account } from './accounts.ts';
import { openPortalBrowser, type PortalBrowser } from './applications-browser.ts';
import { anApplication } from './applications-fixtures.ts';

let portal: PortalBrowser;
beforeAll(async () => {
  portal = await openPortalBrowser();
});
afterAll(() => portal.close());

it('shows at an application the incident and the maintenance that touch it, and nothing if the status is away', async () => {
  const incident = {
    ...{ id: '20261127-0a0b0c0d', title: 'Reads of DSNP fail', severity: 'outage', state: 'open' },
    startsAt: '2026-11-27T19:00:00.000Z',
    parts: ['sandbox/DSNP/patient-access'],
    updates: [
      { at: '2026-11-27T19:00:00.000Z', text: 'We are looking.' },
      { at: '2026-11-27T19:10:00.000Z', text: 'The table is being restored.' },
    ],
  };
  const maintenance = {
    ...{ ...incident, id: '20261127-1a1b1c1d', title: 'The sandbox is rebuilt', severity: 'maintenance' },
    ...{ state: 'scheduled', startsAt: '2026-12-05T02:00:00.000Z', endsAt: '2026-12-05T04:00:00.000Z' },
  };
  const status = { checkedAt: '2026-11-27T19:12:00.000Z', parts: [], data: [], directories: [] };
  portal.site.answer('account', { body: account() });
  portal.site.answer('application', { body: anApplication() });
  portal.site.answer('status', { body: { ...status, incidents: [incident, maintenance] } });
  const page = await portal.open('/applications/app-1');
  const alert = page.getByRole('alert').filter({ hasText: 'Reads of DSNP fail' });
  await alert.getByText('The table is being restored.').waitFor();
  await expect.poll(() => alert.getByRole('link').getAttribute('href')).toBe('/status#20261127-0a0b0c0d');
  await page
    .getByText('Scheduled Dec 4, 2026, 9:00 PM EST to Dec 4, 2026, 11:00 PM EST in sandbox.')
    .waitFor();
  await expectAccessible(page, 'application-incident');

  portal.site.answer('status', { problem: 'unavailable' });
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Claims Companion' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await portal.leave();
  expect(portal.complaints).toEqual([]);
});
