import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decisionCriteria } from '../../lambdas/portal/catalog/application-states.ts';
import { expectAccessible } from '../support/accessible-page.ts';
import { account } from './accounts.ts';
import { openPortalBrowser, type PortalBrowser } from './applications-browser.ts';
import { aConfiguration, anApplication } from './applications-fixtures.ts';
import { organization, queued, submitted } from './applications-fixtures-more.ts';

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

const bodiesOf = (route: string) =>
  portal.site.calls.filter((call) => call.route === route).map(({ body }) => body);

describe('the verified identifiers of a payer', () => {
  const identifiers = [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }];

  it('stand with the application, and an operator replaces them in an environment', async () => {
    const configuration = { ...aConfiguration, products: ['payer-access'] as const };
    const application = submitted();
    const production = application.production && { ...application.production, configuration };
    portal.site.answer('operatorApplication', { body: { ...application, production } });
    portal.site.answer('verifiedOrganization', {
      body: {
        environments: [
          { environment: 'sandbox', identifiers: [] },
          { environment: 'production', identifiers },
        ],
      },
    });
    portal.site.answer('verifyOrganization', {
      body: {
        environments: [
          { environment: 'sandbox', identifiers },
          { environment: 'production', identifiers },
        ],
      },
    });
    const page = await portal.open('/operations/applications/app-1');
    const sandbox = page.getByRole('region', { name: 'Sandbox identifiers' });
    await sandbox.getByText('None is verified.').waitFor();
    await page.getByText('Verified: 1234567893. Saving replaces all of them.').waitFor();
    await sandbox.getByLabel('NPI').fill('1234567890');
    await sandbox.getByRole('button', { name: 'Verify in sandbox' }).click();
    await sandbox.getByRole('link', { name: /NPI: Enter an NPI/ }).waitFor();
    await expectAccessible(page, 'operations-organization');
    expect(bodiesOf('verifyOrganization')).toEqual([]);
    await sandbox.getByLabel('NPI').fill('1234567893');
    await sandbox.getByRole('button', { name: 'Verify in sandbox' }).click();
    await sandbox.getByText('Verified: 1234567893. Saving replaces all of them.').waitFor();
    expect(bodiesOf('verifyOrganization')).toEqual([{ npi: '1234567893' }]);
  });
});

describe('the queue', () => {
  it('shows what waits and since when, and who has approved first', async () => {
    const items = [
      queued('app-1', { approvedBy: 'Kim Lee', verdict: { fix: 0, check: 2, open: 1, passed: 8 } }),
      queued('account-2', { kind: 'account', name: 'Dana Rivera', company: 'Harbor Health Plan' }),
    ];
    portal.site.answer('queue', { body: { items } });
    const page = await portal.open('/operations');
    await page.getByText('2 decisions waiting').waitFor();
    await page.getByText('Approved by Kim Lee, one more approval needed').waitFor();
    await page.getByRole('cell', { name: '2 to check, 1 to open, 8 passed' }).waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: 'Claims Companion' }).getAttribute('href'))
      .toBe('/operations/applications/app-1');
    await expectAccessible(page, 'operations-queue');
  });

  it('lists applications and accounts by state', async () => {
    portal.site.answer('operatorApplications', {
      body: { applications: [anApplication({ state: 'approved' })] },
    });
    portal.site.answer('operatorAccounts', { body: { accounts: [organization] } });
    const page = await portal.open('/operations/applications?state=approved');
    await page.getByRole('link', { name: 'Claims Companion' }).waitFor();
    await page.getByLabel('State').selectOption('Suspended');
    await page.waitForURL('**/operations/applications?state=suspended');
    await page.getByRole('link', { name: 'Claims Companion' }).waitFor();
    await expectAccessible(page, 'operations-applications');
    portal.site.answer('operatorApplications', { body: { applications: [] } });
    await page.getByLabel('State').selectOption('Revoked');
    await page.getByText('There are no applications in this state.').waitFor();
    await expectAccessible(page, 'operations-applications-none');
    await page.getByRole('navigation', { name: 'Operations' }).getByText('Accounts').click();
    await page.getByRole('link', { name: 'Dana Rivera' }).waitFor();
    await expectAccessible(page, 'operations-accounts');
  });

  it('says so where nothing waits', async () => {
    portal.site.answer('queue', { body: { items: [] } });
    const page = await portal.open('/operations');
    await page.getByText('There are no decisions waiting.').waitFor();
    await expectAccessible(page, 'operations-queue-empty');
  });

  it('is not for developers', async () => {
    portal.site.answer('account', { body: account() });
    portal.site.answer('applications', { body: { applications: [] } });
    portal.site.answer('drafts', { body: { drafts: [] } });
    const page = await portal.open('/operations');
    await page.waitForURL('**/applications');
    expect(bodiesOf('queue')).toEqual([]);
  });
});

describe('a decision', () => {
  it('that production has not confirmed is shown, and tried again by a press', async () => {
    const pending = [{ environment: 'production' as const, since: '2026-11-22T10:00:00Z' }];
    const decision = { words: 'Complaints.', at: '2026-11-22T10:00:00Z' };
    const suspended = { state: 'suspended', version: 7, allowed: ['resume', 'revoke'], decision } as const;
    portal.site.answer('operatorApplication', { body: submitted({ ...suspended, pending }) });
    portal.site.answer('decideApplication', { problem: 'act_pending' });
    const page = await portal.open('/operations/applications/app-1');
    await page.getByText('Not confirmed yet: production').waitFor();
    await expectAccessible(page, 'operations-application-pending');
    const again = page.getByRole('button', { name: 'Try again now' });
    await again.click();
    await expect.poll(() => bodiesOf('decideApplication').length).toBe(1);
    portal.site.answer('decideApplication', { body: submitted(suspended) });
    await again.click();
    await page.getByText('Not confirmed yet: production').waitFor({ state: 'detached' });
    expect(bodiesOf('decideApplication').at(-1)).toEqual({
      act: 'suspend',
      version: 7,
      reason: 'Complaints.',
    });
  });

  it('is taken on one screen, with criterion, field and reason, after asking', async () => {
    portal.site.answer('operatorApplication', { body: submitted() });
    portal.site.answer('decideApplication', {
      body: submitted({ state: 'changes_requested', version: 5, allowed: [] }),
    });
    const page = await portal.open('/operations/applications/app-1');
    await page.getByText('The privacy policy answered with').waitFor();
    for (const heading of [
      '1 to check, 1 passed',
      'Addresses',
      'Attestation',
      'Differences',
      'Tested in the sandbox',
      'Developer',
    ]) {
      await page.getByRole('heading', { name: heading }).waitFor();
    }
    await page.getByText('Harbor Health Plan, Inc.').waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Developer' }).click();
    await page.getByText('Harbor Health Plan, Inc.').waitFor();
    await page.getByLabel('Request changes').press('Space');
    await page.getByRole('button', { name: 'Request changes…' }).click();
    await page.getByRole('link', { name: /Criterion/ }).waitFor();
    await page.getByLabel('Criterion').selectOption('Privacy policy');
    expect(await page.getByLabel('Reason').inputValue()).toBe(decisionCriteria['privacy-policy'].reason);
    expect(await page.getByLabel('Field (optional)').inputValue()).toBe('privacyUri');
    await page.getByLabel('Reason').fill('It does not say whom data is given to.');
    await expectAccessible(page, 'operations-application');
    await page.reload();
    await expect
      .poll(() => page.getByLabel('Reason').inputValue())
      .toBe('It does not say whom data is given to.');
    await page.getByRole('button', { name: 'Request changes…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Request changes' }).click();
    await page.getByText('There is no decision to make.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent.trim()')).toBe('Decision');
    expect(bodiesOf('decideApplication')).toEqual([
      {
        act: 'request_changes',
        version: 4,
        criterion: 'privacy-policy',
        field: 'privacyUri',
        reason: 'It does not say whom data is given to.',
      },
    ]);
  });

  it('rejects only for a risk, and says when a second operator must agree', async () => {
    portal.site.answer('operatorApplication', { body: submitted() });
    portal.site.answer('decideApplication', { problem: 'four_eyes' });
    const page = await portal.open('/operations/applications/app-1');
    await page.getByLabel('Reject').press('Space');
    const criteria = await page.getByLabel('Criterion').getByRole('option').allTextContents();
    expect(criteria).toContain('Malware or abuse');
    expect(criteria).not.toContain('Address not reachable');
    await page.getByLabel('Approve').press('Space');
    portal.site.answer('operatorApplication', {
      body: submitted({ approvedBy: 'Olu Adeyemi', allowed: [] }),
    });
    await page.getByRole('button', { name: 'Approve…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('A second operator must confirm this decision.').waitFor();
    await page.getByText('Olu Adeyemi has approved it.').waitFor();
    expect(bodiesOf('decideApplication')).toEqual([{ act: 'approve', version: 4 }]);
  });

  it('about an appeal begins with its words', async () => {
    const event = (act: 'submit' | 'appeal', at: string, words?: string) => ({
      eventId: act,
      at,
      actor: { kind: 'developer' as const, name: 'Dana Rivera' },
      act,
      state: 'awaiting_operator_approval' as const,
      ...(words === undefined ? {} : { words }),
    });
    const timeline = [
      event('submit', '2026-11-18T10:00:00Z'),
      event('appeal', '2026-11-20T10:00:00Z', 'You looked at the old page.'),
    ];
    const decision = { words: 'The page was empty.', at: '2026-11-19T10:00:00Z' };
    portal.site.answer('operatorApplication', { body: submitted({ timeline, decision }) });
    const page = await portal.open('/operations/applications/app-1');
    const appeal = page.getByRole('status').filter({ hasText: 'This is an appeal' });
    await appeal.getByText('You looked at the old page.').waitFor();
    await appeal.getByText('Reason for the rejection: The page was empty.').waitFor();
  });

  it('made on an old screen is not taken: what changed is shown', async () => {
    portal.site.answer('operatorApplication', { body: submitted() });
    portal.site.answer('decideApplication', { problem: 'stale_version', more: { changed: ['tosUri'] } });
    const page = await portal.open('/operations/applications/app-1');
    await page.getByLabel('Approve').press('Space');
    await page.getByRole('button', { name: 'Approve…' }).click();
    portal.site.answer('operatorApplication', { body: submitted({ version: 9 }) });
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Someone changed: TOS URI.').waitFor();
    await page.getByText('version 9').waitFor();
  });
});

describe('an account', () => {
  it('that can be suspended or is says that its team’s applications run on, and leads to them', async () => {
    for (const state of ['active', 'suspended']) {
      portal.site.answer('operatorAccount', { body: { ...organization, state } });
      portal.site.answer('operatorApplications', {
        body: { applications: [anApplication({ state: 'approved' })] },
      });
      const page = await portal.open('/operations/accounts/account-2');
      await page.getByText('keep running until you suspend them').waitFor();
      await page.getByRole('link', { name: 'its team’s applications' }).click();
      await page.waitForURL(`**/operations/applications?team=${organization.teamId}`);
      await page.getByRole('heading', { name: 'Applications of a team' }).waitFor();
      await page.getByRole('link', { name: 'Claims Companion' }).waitFor();
      await expectAccessible(page, `operations-team-${state}`);
    }
  });

  it('is suspended with its team’s applications where that is ticked, and says which', async () => {
    const applications = [
      { applicationId: 'app-1', name: 'Claims Companion' },
      { applicationId: 'app-2', name: 'Steps' },
    ];
    const active = { ...organization, state: 'active' } as const;
    const suspended = [
      { applicationId: 'app-1', name: 'Claims Companion', outcome: 'suspended' },
      { applicationId: 'app-2', name: 'Steps', outcome: 'waiting' },
    ] as const;
    portal.site.answer('decideAccount', { body: { ...organization, state: 'suspended', suspended } });
    const suspend = async (others: readonly string[], box: string) => {
      const team = { others, approved: applications };
      portal.site.answer('operatorAccount', { body: { ...active, team } });
      const page = await portal.open('/operations/accounts/account-2');
      await page.getByRole('button', { name: 'Suspend account' }).click();
      await page.getByLabel('Reason').fill('Tokens were sold.');
      await page.getByLabel(box).press('Space');
      await expectAccessible(page, `operations-suspend-${others.length}`);
      await page.getByRole('button', { name: 'Suspend account…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Suspend account' }).click();
      await page.getByRole('listitem').filter({ hasText: 'Steps (waiting for production' }).waitFor();
      await page.getByRole('link', { name: 'Claims Companion' }).waitFor();
    };
    await suspend([], 'Also suspend the team’s applications');
    await suspend(['Sam Rivera'], 'Steps');
    const decision = { act: 'suspend', version: 1, reason: 'Tokens were sold.' };
    expect(bodiesOf('decideAccount').slice(-2)).toEqual([
      { ...decision, applications: 'unattended' },
      { ...decision, applications: ['app-2'] },
    ]);
  });

  it('of a payer is verified, or refused with a reason', async () => {
    portal.site.answer('operatorAccount', { body: organization });
    portal.site.answer('decideAccount', { body: { ...organization, version: 2, state: 'closed' } });
    const page = await portal.open('/operations/accounts/account-2');
    await page.getByText('1 Main Street').waitFor();
    await page.getByRole('button', { name: 'Refuse organization' }).click();
    const refuse = page.getByRole('button', { name: 'Refuse organization…' });
    await refuse.click();
    await page.getByRole('link', { name: /Reason/ }).waitFor();
    await expectAccessible(page, 'operations-account');
    await page.getByLabel('Reason').fill('The domain is not theirs.');
    await refuse.click();
    const asked = page.getByRole('dialog', { name: /^Refuse organization: / });
    await asked.getByText('The account is closed.').waitFor();
    expect(bodiesOf('decideAccount')).toEqual([]);
    // Only buttons that end something are red.
    await asked.locator('.usa-button--secondary', { hasText: 'Refuse organization' }).click();
    await page.getByText('There is no decision to make.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent.trim()')).toBe('Decision');
    expect(bodiesOf('decideAccount')).toEqual([
      { act: 'refuse_organization', version: 1, reason: 'The domain is not theirs.' },
    ]);
  });
});
