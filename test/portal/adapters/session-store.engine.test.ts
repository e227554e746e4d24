import { describe, expect, it } from 'vitest';
import { digests } from '../../../lambdas/platform/runtime/digests.ts';
import { ConditionFailed, type Table } from '../../../lambdas/platform/table/table.ts';
import type { StoredSession } from '../../../lambdas/portal/accounts/session-store-port.ts';
import { portalSessionKey } from '../../../lambdas/portal/adapters/portal-table-keys.ts';
import {
  createPortalSessionStore,
  createTableSessions,
} from '../../../lambdas/portal/adapters/session-store.ts';
import { createEmptyTable } from '../../support/empty-table.ts';
import { anActiveDeveloper, startPortalWorld } from '../accounts/portal-world.ts';

const start = 1_790_000_000;
const browser = 'sha256-of-a-browser';

describe('a session that is used', () => {
  it('stays ended where it ended in the meantime', async () => {
    const world = await startPortalWorld();
    try {
      const { browser: signedIn } = await anActiveDeveloper(world);
      const token = signedIn.cookies['__Host-session'] ?? '';
      const sessionId = digests.sha256Hex(token);
      // The session's use is recorded after a minute. Here the session ends between the read and this write.
      const ending: Table = {
        ...world.table,
        async update(update) {
          await world.services.sessions.end(sessionId);
          return await world.table.update(update);
        },
      };
      const later = () => world.clock.ms + 61_000;
      await createTableSessions(ending, later).find(token);
      expect(await world.table.get(portalSessionKey(sessionId))).toBeUndefined();
      expect(await createTableSessions(world.table, later).find(token)).toBeUndefined();
    } finally {
      await world.stop();
    }
  });
});

describe('a session', async () => {
  const store = createPortalSessionStore(await createEmptyTable());
  const session = (sessionId: string): StoredSession => ({
    sessionId,
    kind: 'session',
    accountId: 'account-1',
    role: 'developer',
    epoch: 1,
    startedAt: start,
    lastSeenAt: start,
  });

  it('is never begun under an id that is there', async () => {
    await store.begin(session('taken'));
    await expect(store.begin({ ...session('taken'), accountId: 'account-2' })).rejects.toThrow();
    expect((await store.get('taken'))?.accountId).toBe('account-1');
  });

  it('ends the session it replaces, even one that was rotated, when it begins', async () => {
    await store.begin(session('first'));
    await store.rotate(session('second'), 'first');
    await store.begin(session('third'), 'first');
    expect(await store.get('second')).toBeUndefined();
    expect(await store.get('third')).toEqual(session('third'));
  });

  it('begins where the session it replaces has ended', async () => {
    await store.begin(session('fourth'), 'ended before');
    expect(await store.get('fourth')).toEqual(session('fourth'));
  });

  it('leaves the session it would replace where it can’t begin', async () => {
    await store.begin(session('kept'));
    await expect(store.begin(session('taken'), 'kept')).rejects.toThrow(ConditionFailed);
    expect(await store.get('kept')).toEqual(session('kept'));
  });

  it.each([
    [start + 99, true],
    [start + 100, false],
  ])('knows its browser until the time it is known for: at %i, %s', async (now, known) => {
    await store.knowBrowser('account-1', browser, start + 100);
    expect(await store.isKnownBrowser('account-1', browser, now)).toBe(known);
    expect(await store.isKnownBrowser('account-2', browser, now)).toBe(false);
  });
});
