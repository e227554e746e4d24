import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessibilityViolations } from '../support/chromium.ts';
import { account } from './accounts.ts';
import { type BuiltSite, openBuiltSite } from './built-site.ts';

let built: BuiltSite;

beforeAll(async () => {
  built = await openBuiltSite();
});
afterAll(() => built.close());
beforeEach(() => built.site.reset());

const bodyOf = (route: string) => built.site.calls.findLast((call) => call.route === route)?.body;

describe('the account', () => {
  it('gets a new name', async () => {
    built.site.answer('account', { body: account() });
    built.site.answer('updateAccount', () => {
      built.site.answer('account', { body: account({ firstName: 'Daniela' }) });
      return { body: account({ firstName: 'Daniela' }) };
    });
    const { page } = await built.open('/account/name');
    await page.getByLabel('First name').fill('Daniela');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/account');
    await page
      .getByRole('status')
      .filter({ hasText: 'Your name is changed.' })
      .waitFor({ state: 'attached' });
    await page.locator('dd').filter({ hasText: 'Daniela Rivera' }).waitFor();
    expect(bodyOf('updateAccount')).toEqual({ firstName: 'Daniela', lastName: 'Rivera' });
    await page.context().close();
  });

  it('of an operator gets an authenticator app by the password and its first code', async () => {
    const operator = account({ role: 'operator', firstName: 'Olu' });
    built.site.answer('account', { body: operator });
    const enrollment = `1790000000.${'x'.repeat(22)}`;
    const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    built.site.answer('beginAuthenticator', {
      body: { enrollment, key, uri: `otpauth://totp/x?secret=${key}` },
    });
    built.site.answer('confirmAuthenticator', () => {
      const body = { ...operator, authenticatorSince: '2026-11-22T10:00:00Z' };
      built.site.answer('account', { body });
      return { body };
    });
    const { page } = await built.open('/account');
    await page.getByText('none (we send a code when you sign in)').waitFor();
    await page.getByRole('link', { name: 'Set up your authenticator app' }).click();
    await page.getByLabel('Your password').fill('a password of Olu');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel('Code').fill('287082');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('**/account');
    await page.getByRole('link', { name: 'Replace your authenticator app' }).waitFor();
    expect(bodyOf('beginAuthenticator')).toEqual({ password: 'a password of Olu' });
    expect(bodyOf('confirmAuthenticator')).toEqual({ enrollment, code: '287082' });
    await page.context().close();
  });

  it('keeps what was typed when the session ends meanwhile', async () => {
    built.site.answer('account', { body: account() });
    built.site.answer('updateAccount', () => {
      built.site.answer('account', { problem: 'signed_out' });
      return { problem: 'signed_out' };
    });
    built.site.answer('signIn', () => {
      built.site.answer('account', { body: account() });
      return { body: { next: 'signed_in', account: account() } };
    });
    const { page } = await built.open('/account/name');
    await page.getByLabel('First name').fill('Daniela');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/sign-in?return=%2Faccount%2Fname');
    await page.getByLabel('E-mail address or user name').fill('dana@example.org');
    await page.getByLabel('Password', { exact: true }).fill('a password of Dana');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/account/name');
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Daniela');
    await page.context().close();
  });

  it('gets a new e-mail address by a code sent there', async () => {
    built.site.answer('account', { body: account() });
    built.site.answer('changeEmail', {});
    built.site.answer('confirmEmail', {});
    const { page } = await built.open('/account/email');
    await page.getByLabel('New e-mail address').fill('new@example.org');
    await page.getByLabel('Your password', { exact: true }).fill('a password of Dana');
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByText('We sent a code to new@example.org.').waitFor();
    await page.getByLabel('Code').fill('123456');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('**/account');
    expect(bodyOf('confirmEmail')).toEqual({ code: '123456' });
    await page.context().close();
  });

  it('gets a new password by a code, without a session', async () => {
    built.site.answer('requestPasswordReset', {});
    built.site.answer('resetPassword', {});
    const { page } = await built.open('/password-reset');
    await page.getByLabel('E-mail address').fill('dana@example.org');
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByLabel('Code').fill('123456');
    await page.getByLabel('New password').fill('correct horse battery staple');
    await page.getByLabel('Confirm password').fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
    expect(bodyOf('resetPassword')).toMatchObject({ email: 'dana@example.org', code: '123456' });
    await page.context().close();
  });

  it('ends with the password, and not without', async () => {
    built.site.answer('account', { body: account() });
    built.site.answer('closeAccount', { problem: 'wrong_password' });
    const { page } = await built.open('/account/close');
    await page.getByRole('button', { name: 'Close my account' }).click();
    await page.getByRole('link', { name: 'Your password: Enter your password' }).waitFor();
    await page.getByLabel('Your password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Close my account' }).click();
    await page.getByText('Incorrect password.').first().waitFor();
    built.site.answer('closeAccount', { problem: 'applications_live' });
    await page.getByLabel('Your password', { exact: true }).fill('a password of Dana');
    await page.getByRole('button', { name: 'Close my account' }).click();
    await page.getByText('Your team has active applications and no other member.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    built.site.answer('applications', { body: { applications: [] } });
    await page.getByRole('link', { name: 'See applications to withdraw' }).click();
    await page.waitForURL('**/applications');
    await page.context().close();
  });

  it('that isn’t finished is dropped from the page of its e-mail address, where that is wrong', async () => {
    const begun = {
      state: 'pending_email',
      nextStep: 'verify_email',
      codeSentTo: 'd•••@example.org',
    } as const;
    built.site.answer('account', { body: account(begun) });
    built.site.answer('closeAccount', { status: 204 });
    const { page } = await built.open('/verify-email');
    await page.getByRole('link', { name: 'Start over' }).click();
    await page.getByRole('heading', { name: 'Start over' }).waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: 'Cancel' }).getAttribute('href'))
      .toBe('/verify-email');
    await page.getByLabel('Your password', { exact: true }).fill('a password of Dana');
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.waitForURL('**/sign-up');
    expect(bodyOf('closeAccount')).toEqual({ password: 'a password of Dana' });
    await page.context().close();
  });
});

describe('an invitation', () => {
  const token = 'abcdefghijklmnopqrstuvwx';

  it('joins the team of somebody who signs in for it, and leaves no token in the address', async () => {
    built.site.answer('signIn', () => {
      built.site.answer('account', { body: account() });
      return { body: { next: 'signed_in', account: account() } };
    });
    built.site.answer('acceptInvitation', {});
    built.site.answer('team', { body: { teamId: 't-2', name: 'Harbor', members: [], invitations: [] } });
    const { page } = await built.open(`/invitation#${token}`);
    await page.getByRole('link', { name: 'Sign in and join' }).click();
    expect(page.url()).not.toContain(token);
    await page.getByLabel('E-mail address or user name').fill('dana@example.org');
    await page.getByLabel('Password', { exact: true }).fill('a password of Dana');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Join the team' }).click();
    await page.waitForURL('**/team');
    expect(bodyOf('acceptInvitation')).toEqual({ invitation: token });
    await page.context().close();
  });

  it('goes with a sign-up, which goes on without one that has ended', async () => {
    const sent: unknown[] = [];
    built.site.answer('signUp', (body: { readonly invitation?: string }) => {
      sent.push(body.invitation);
      return { problem: body.invitation === undefined ? 'unavailable' : 'invitation_invalid' };
    });
    const { page } = await built.open(`/invitation#${token}`);
    await page.getByRole('link', { name: 'Sign up and join' }).click();
    await page.getByRole('link', { name: 'Individual developer' }).click();
    await page.getByLabel('First name').fill('Dana');
    await page.getByLabel('Last name').fill('Rivera');
    await page.getByLabel('Company').fill('Harbor');
    await page.getByLabel('E-mail address').fill('dana@example.org');
    await page.getByLabel('Mobile phone').fill('202-555-0123');
    await page.getByLabel('New password').fill('correct horse battery staple');
    await page.getByLabel('Confirm password').fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByText('The invitation is no longer valid.').waitFor();
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByText('The portal is not available right now.').waitFor();
    expect(sent).toEqual([token, undefined]);
    await page.context().close();
  });
});

describe('the team', () => {
  const people = (roles: readonly string[]) =>
    roles.map((role, index) => ({
      accountId: `a-${index + 1}`,
      name: ['Dana Rivera', 'Sam Okafor'][index],
      email: `person${index}@example.org`,
      role,
      joinedAt: '2026-11-20T10:00:00Z',
    }));

  it('shows a member who the owners are, and offers nothing but to leave', async () => {
    built.site.answer('account', { body: account() });
    const members = people(['member', 'owner']);
    built.site.answer('team', { body: { teamId: 't-1', name: 'Riverside', members, invitations: [] } });
    const { page } = await built.open('/team');
    await page.getByRole('button', { name: 'Leave Dana Rivera' }).waitFor();
    await page.getByRole('cell', { name: 'Owner' }).waitFor();
    expect(await page.getByRole('button', { name: /Remove|Invite|Make/ }).count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.context().close();
  });

  it('lets an owner make somebody an owner', async () => {
    built.site.answer('account', { body: account() });
    const team = (roles: readonly string[]) => ({
      body: { teamId: 't-1', name: 'Riverside', members: people(roles), invitations: [] },
    });
    built.site.answer('team', team(['owner', 'member']));
    built.site.answer('changeTeamRole', () => {
      built.site.answer('team', team(['owner', 'owner']));
      return team(['owner', 'owner']);
    });
    const { page } = await built.open('/team');
    await page.getByRole('button', { name: 'Make Sam Okafor an owner' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make an owner' }).click();
    await page.getByRole('button', { name: 'Make Sam Okafor a member' }).waitFor();
    expect(bodyOf('changeTeamRole')).toEqual({ role: 'owner' });
    await page.context().close();
  });

  it('is named by the invitation, and so is who invites', async () => {
    built.site.answer('account', { body: account() });
    built.site.answer('showInvitation', {
      body: {
        team: 'Riverside',
        invitedBy: 'Sam Okafor',
        email: 'dana@example.org',
        expiresAt: '2026-11-29T10:00:00Z',
      },
    });
    const { page } = await built.open('/invitation#abcdefghijklmnopqrstuvwx');
    await page.getByText('Sam Okafor invites dana@example.org to the team “Riverside”.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(bodyOf('showInvitation')).toEqual({ invitation: 'abcdefghijklmnopqrstuvwx' });
    await page.context().close();
  });

  it('asks before somebody is removed, and gives the focus back', async () => {
    built.site.answer('account', { body: account() });
    const members = ['Dana Rivera', 'Sam Okafor'].map((name, index) => ({
      accountId: `a-${index + 1}`,
      name,
      email: `${name.split(' ')[0]?.toLowerCase()}@example.org`,
      role: index === 0 ? 'owner' : 'member',
      joinedAt: '2026-11-20T10:00:00Z',
    }));
    built.site.answer('team', { body: { teamId: 't-1', name: 'Riverside', members, invitations: [] } });
    built.site.answer('removeTeamMember', {});
    const { page } = await built.open('/team');
    const remove = page.getByRole('button', { name: 'Remove Sam Okafor' });
    await remove.click();
    await page.getByRole('dialog', { name: 'Remove Sam Okafor?' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Remove Sam Okafor');
    expect(bodyOf('removeTeamMember')).toBeUndefined();
    await remove.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(built.site.calls.some(({ route }) => route === 'removeTeamMember')).toBe(true);
    await page.context().close();
  });
});
