import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/accessible-page.ts';
import { account } from './accounts.ts';
import { openPortalBrowser, type PortalBrowser } from './applications-browser.ts';
import { anAct, queued, submitted } from './applications-fixtures-more.ts';

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

const items = [
  queued('app-1', { since: '2026-11-20T10:00:00Z', expectedBy: '2026-11-26' }),
  queued('app-2', { since: '2026-11-21T10:00:00Z', name: 'Steps', appeal: true }),
  queued('app-3', { since: '2026-11-22T10:00:00Z', name: 'Own', appeal: true, ownAct: 'reject' }),
  queued('account-2', { kind: 'account', name: 'Dana Rivera', since: '2026-11-23T10:00:00Z' }),
];
const decisions = () =>
  portal.site.calls.filter(({ route }) => route === 'decideApplication').map(({ body }) => body);

describe('the queue', () => {
  it('keeps its search and filters over a reload, a look at an application and back', async () => {
    portal.site.answer('queue', { body: { items } });
    portal.site.answer('operatorApplication', { body: submitted({ applicationId: 'app-2', name: 'Steps' }) });
    const page = await portal.open('/operations');
    await page.getByText('4 decisions waiting').waitFor();
    await page
      .getByRole('row', { name: /Claims Companion/ })
      .getByText('Late')
      .waitFor();
    await page.getByText('You rejected it: another operator decides').waitFor();
    await expectAccessible(page, 'operations-queue-long');
    await page.getByLabel('Search').fill('steps');
    await page.getByLabel('Show').selectOption('Appeals');
    await page.getByText('1 of 4 decisions waiting').waitFor();
    await page.reload();
    await page.getByText('1 of 4 decisions waiting').waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('steps');
    await page.getByRole('link', { name: 'Steps' }).click();
    await page.getByRole('heading', { name: 'Steps', level: 1 }).waitFor();
    await page.getByText('1 of 1 in the queue').waitFor();
    await page.goBack();
    await page.getByText('1 of 4 decisions waiting').waitFor();
    await page.getByLabel('Search').fill('nothing like it');
    await page.getByText('No waiting decision matches.').waitFor();
  });
});

describe('a decision by keyboard', () => {
  it('leads to the next one, and from the last one to the queue', async () => {
    let waiting = items;
    let shown = submitted();
    portal.site.answer('queue', () => ({ body: { items: waiting } }));
    portal.site.answer('operatorApplication', () => ({ body: shown }));
    portal.site.answer('decideApplication', () => {
      const [first] = waiting;
      waiting = waiting.slice(1);
      const { applicationId } = shown;
      shown = submitted({ applicationId: 'app-2', name: 'Steps' });
      return {
        body: submitted({
          applicationId: applicationId,
          name: first?.name ?? '',
          state: 'approved',
          allowed: [],
        }),
      };
    });
    const page = await portal.open('/operations?kind=application');
    await page.getByText('3 of 4 decisions waiting').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText('1 of 3 in the queue').waitFor();
    for (const key of ['a', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('dialog', { name: 'Approve: Claims Companion?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Steps', level: 1 }).waitFor();
    await page.waitForURL('**/operations/applications/app-2?kind=application');
    await page.getByRole('status').getByText('Approved: Claims Companion', { exact: true }).waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    await expectAccessible(page, 'operations-next');

    await page.keyboard.press('c');
    await page.keyboard.type('Terms');
    expect(await page.getByLabel('Criterion').inputValue()).toBe('terms-of-service');
    for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('dialog', { name: 'Request changes: Steps?' }).waitFor();
    await page.keyboard.press('Enter');
    // The one that is left is the appeal of a rejection of their own.
    await page.waitForURL('**/operations?kind=application');
    await page.getByRole('status').getByText('Changes requested: Steps', { exact: true }).waitFor();
    expect(decisions()).toMatchObject([
      { act: 'approve' },
      { act: 'request_changes', criterion: 'terms-of-service', field: 'tosUri' },
    ]);
  });

  it('is not begun by what is typed, and not at all where the shortcuts are off', async () => {
    portal.site.answer('queue', { body: { items } });
    portal.site.answer('operatorApplication', { body: submitted() });
    const page = await portal.open('/operations/applications/app-1');
    await page.getByText('1 of 4 in the queue').waitFor();
    await page.keyboard.press('c');
    await page.getByLabel('Reason').fill('');
    await page.getByLabel('Reason').pressSequentially('a rare gap?');
    expect(await page.getByLabel('Reason').inputValue()).toBe('a rare gap?');
    expect(await page.getByRole('radio', { name: 'Request changes' }).isChecked()).toBe(true);
    expect(await page.getByRole('dialog').count()).toBe(0);

    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog').getByText('Next in the queue').waitFor();
    await expectAccessible(page, 'operations-shortcuts');
    await page.getByLabel('Use these shortcuts').press('Space');
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByText('1 of 4 in the queue').waitFor();
    for (const key of ['a', '?']) await page.keyboard.press(key);
    expect(await page.getByRole('radio', { name: 'Approve' }).isChecked()).toBe(false);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describe('the appeal of an operator’s own rejection', () => {
  it('says that another operator decides, and offers no decision', async () => {
    portal.site.answer('queue', { body: { items } });
    portal.site.answer('operatorApplication', {
      body: submitted({ applicationId: 'app-3', name: 'Own', ownAct: 'reject', allowed: [] }),
    });
    const page = await portal.open('/operations/applications/app-3');
    await page.getByText('Another operator decides this appeal').waitFor();
    await page.getByText('There is no decision to make.').waitFor();
    expect(await page.getByRole('radio').count()).toBe(0);
  });
});

describe('an operator’s own acts', () => {
  it('are listed newest first, each with its application or account, and older ones on request', async () => {
    portal.site.answer('ownActs', { body: { acts: [anAct], next: 'ACT#1' } });
    const page = await portal.open('/operations/acts');
    const row = page.getByRole('row', { name: /Steps/ });
    await row.getByText('You requested changes').waitFor();
    await row.getByText('Privacy policy').waitFor();
    await expectAccessible(page, 'operations-acts');
    const suspension = { at: '2026-11-19T10:00:00Z', kind: 'account', id: 'account-2', act: 'suspend' };
    portal.site.answer('ownActs', { body: { acts: [{ ...suspension, name: 'Dana Rivera' }] } });
    await page.getByRole('button', { name: 'Older acts' }).click();
    await expect
      .poll(() => page.getByRole('link', { name: 'Dana Rivera' }).getAttribute('href'))
      .toBe('/operations/accounts/account-2');
    expect(await page.getByRole('button', { name: 'Older acts' }).count()).toBe(0);
  });
});
