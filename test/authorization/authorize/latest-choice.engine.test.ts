import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthorizationStore } from '../../../lambdas/authorization/store/authorization-store.ts';
import {
  authorizationCodeKey,
  grantKey,
  grantPartition,
} from '../../../lambdas/platform/table/table-keys.ts';
import { theMember } from '../builders.ts';
import { hiddenFields } from '../events.ts';
import { authorizationQuery } from '../journey.ts';
import { htmlOf, locationOf, registerClient, startPagesWorld, statusOf } from '../pages-world.ts';

const world = await startPagesWorld();
afterAll(() => world.stop());
world.setting = 'never';

const { patientId, memberId, password } = theMember;
const day = 86_400;
let clientId: string;
beforeEach(async () => {
  world.nowMs += 3_600_000;
  ({ clientId } = await registerClient(world));
});

/**
 * Opens the consent page of a request for offline access.
 *
 * @returns a function that submits the page's form
 */
async function openConsent() {
  const browser = world.browser();
  const scope = 'openid offline_access patient/*.rs';
  const fields = hiddenFields(
    htmlOf(await browser.get('authorize', authorizationQuery(clientId, { scope }))),
  );
  const signedIn = await browser.post('sign-in', { ...fields, username: memberId, password });
  const html = htmlOf(await browser.get('consent', locationOf(signedIn).search.slice(1)));
  const share = async (groups: readonly string[], days = '') => {
    const form = new URLSearchParams({ ...hiddenFields(html), answer: 'share', days });
    for (const group of groups) form.append('group', group);
    return await browser.post('consent', form.toString());
  };
  return { html, share };
}

/**
 * Redeems the code of a redirect as the token endpoint does.
 *
 * @returns the ID of the grant
 */
async function redeem(answer: Awaited<ReturnType<Awaited<ReturnType<typeof openConsent>>['share']>>) {
  const store = createAuthorizationStore(world.table);
  const sha256 = world.server.digests.sha256Hex(locationOf(answer).searchParams.get('code') ?? '');
  const code = await store.code('DSNP', sha256);
  if (code === undefined) throw new Error('no code');
  const now = Math.floor(world.nowMs / 1000);
  const audit = { eventId: code.grantId, time: new Date(world.nowMs).toISOString(), clientId } as never;
  const grantExpiresAt = now + (code.grantSeconds ?? 395 * day);
  expect(await store.redeem({ lob: 'DSNP', code, now, grantExpiresAt, audit })).toBe('redeemed');
  return code.grantId;
}

const grantOf = async (grantId: string) => await world.table.get(grantKey('DSNP', patientId, grantId));

describe('the latest choice of a member', () => {
  it('ends what it leaves out of an earlier one, with its event; the same choice ends nothing', async () => {
    const wide = await redeem(await (await openConsent()).share(['details', 'coverage']));
    const same = await redeem(await (await openConsent()).share(['details', 'coverage']));
    expect((await grantOf(wide))?.state).toBe('active');
    const narrow = await redeem(await (await openConsent()).share(['details']));
    expect(await grantOf(wide)).toMatchObject({ state: 'revoked', endedBecause: 'consent_replaced' });
    expect(await grantOf(same)).toMatchObject({ state: 'revoked', endedBecause: 'consent_replaced' });
    expect((await grantOf(narrow))?.state).toBe('active');
    const live = await world.server.grants.live('DSNP', patientId, Math.floor(world.nowMs / 1000));
    expect(live.filter((grant) => grant.clientId === clientId).map(({ grantId }) => grantId)).toEqual([
      narrow,
    ]);
    const { items } = await world.table.query({ pk: `AUDIT#DSNP#PATIENT#${patientId}` });
    const ends = items.filter(({ reason, clientId: of }) => reason === 'consent_replaced' && of === clientId);
    expect(ends.map(({ grantId }) => grantId).sort()).toEqual([wide, same].sort());
  });

  it('may end sooner, and a longer access of before ends with it', async () => {
    const long = await redeem(await (await openConsent()).share(['details']));
    const { html, share } = await openConsent();
    expect(html).toMatch(/<option value="30">after 30 days, about /);
    const answer = await share(['details'], '30');
    const sha256 = world.server.digests.sha256Hex(locationOf(answer).searchParams.get('code') ?? '');
    expect(await world.table.get(authorizationCodeKey('DSNP', sha256))).toMatchObject({
      grantSeconds: 30 * day,
    });
    expect((await grantOf(long))?.state).toBe('revoked');
    const { share: another } = await openConsent();
    expect(statusOf(await another(['details'], '400'))).toBe(400);
  });

  it('stands, whatever ends an earlier grant at the same time', async () => {
    const wide = await redeem(await (await openConsent()).share(['details', 'coverage']));
    const { share } = await openConsent();
    const { endable } = world.server.grants;
    // The grant is read as active and then revoked by another request before the answer is written.
    world.server = {
      ...world.server,
      grants: {
        ...world.server.grants,
        async endable(...about) {
          const found = await endable(...about);
          const item = await grantOf(wide);
          await world.table.put({ ...item, ...grantKey('DSNP', patientId, wide), state: 'revoked' });
          return found;
        },
      },
    };
    expect(locationOf(await share(['details'])).searchParams.get('code')).toMatch(/./);
    expect(await world.table.query({ pk: grantPartition('DSNP', patientId) })).toBeDefined();
  });
});
