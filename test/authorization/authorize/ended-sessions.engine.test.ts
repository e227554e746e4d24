import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createAccountLinks } from '../../../lambdas/authorization/store/account-links.ts';
import { createActivationStore } from '../../../lambdas/authorization/store/activation-store.ts';
import { createMemberLoader } from '../../../lambdas/loads/store/member-loader.ts';
import { activationKey } from '../../../lambdas/platform/table/table-keys.ts';
import { theMember } from '../builders.ts';
import { hiddenFields } from '../events.ts';
import { authorizationQuery } from '../journey.ts';
import {
  htmlOf,
  locationOf,
  type PagesBrowser,
  registerClient,
  startPagesWorld,
  statusOf,
} from '../pages-world.ts';

const world = await startPagesWorld();
afterAll(() => world.stop());
world.setting = 'never';

const { sub, memberId, password } = theMember;
let clientId: string;
beforeEach(async () => {
  world.nowMs += 3_600_000;
  ({ clientId } = await registerClient(world));
});

async function signIn(browser: PagesBrowser, keep: 'yes' | 'no'): Promise<Record<string, string>> {
  const fields = await browser.begin(clientId);
  const answer = await browser.post('sign-in', { ...fields, username: memberId, password, keep });
  return hiddenFields(htmlOf(await browser.get('consent', locationOf(answer).search.slice(1))));
}

const share = (browser: PagesBrowser, fields: Record<string, string>) =>
  browser.post('consent', { ...fields, group: 'details', answer: 'share' });

/** Changes of an account that end its sessions by a write to the table (docs/decisions/0051). */
const acts: readonly (readonly [string, () => Promise<unknown>])[] = [
  [
    'an activation that links the account',
    async () => {
      const links = createAccountLinks(world.table);
      const { added } = await links.find(sub, memberId);
      const link = { lob: 'DSNP', memberId, sub, username: memberId, displayName: 'Rosa' } as const;
      await links.add({ ...link, isRepresentative: false, patientId: theMember.patientId }, added);
    },
  ],
  [
    'an activation that sets a new password',
    async () => {
      const activation = { interactionId: randomUUID(), requestId: randomUUID() };
      const key = activationKey('DSNP', activation.interactionId);
      await world.table.put({ ...key, ...activation, state: 'proven' });
      const audit = { eventId: randomUUID(), time: new Date(world.nowMs).toISOString(), clientId } as never;
      await createActivationStore(world.table).complete({ lob: 'DSNP', activation, sub, audit });
    },
  ],
  [
    'new addresses of the account',
    async () => await createMemberLoader(world.table, {} as never).endSessions(sub),
  ],
];

describe.each(acts)('%s', (_what, act) => {
  it('ends a kept sign-in: no code without a page, and the password at the next request', async () => {
    const browser = world.browser();
    await share(browser, await signIn(browser, 'yes'));
    const silent = `${authorizationQuery(clientId)}&prompt=none`;
    const errorOf = async () => locationOf(await browser.get('authorize', silent)).searchParams.get('error');
    expect(await errorOf()).toBe('consent_required');
    await act();
    expect(await errorOf()).toBe('login_required');
    expect(htmlOf(await browser.get('authorize', authorizationQuery(clientId)))).toContain('name="password"');
  });

  it('ends a consent page that is open', async () => {
    const browser = world.browser();
    const fields = await signIn(browser, 'no');
    await act();
    const answer = await share(browser, fields);
    expect(statusOf(answer)).toBe(403);
    // The page tells the member the reason and returns the refusal to the application.
    expect(htmlOf(answer)).toContain('Your account or your plan changed');
    expect(htmlOf(answer)).toMatch(/href="https:[^"]+error=access_denied/);
  });

  it('ends a visit to the connected apps', async () => {
    const browser = world.browser();
    const fields = hiddenFields(htmlOf(await browser.get('connected-apps')));
    await browser.post('sign-in', { ...fields, username: memberId, password });
    expect(htmlOf(await browser.get('connected-apps'))).not.toContain('name="password"');
    await act();
    expect(htmlOf(await browser.get('connected-apps'))).toContain('name="password"');
  });

  it('ends no sign-in that begins after it', async () => {
    await act();
    const browser = world.browser();
    const answer = await share(browser, await signIn(browser, 'yes'));
    expect(locationOf(answer).searchParams.get('code')).toMatch(/./);
  });
});
