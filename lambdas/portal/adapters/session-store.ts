/** Reads and writes sessions and known browsers in the portal's table. */

import * as z from 'zod/mini';
import { systemClock } from '../../platform/runtime/clock.ts';
import { digests } from '../../platform/runtime/digests.ts';
import { conditionHolds, failedConditions, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import { type Condition, ConditionFailed, type Table, type Write } from '../../platform/table/table.ts';
import type { SessionStore, StoredSession } from '../accounts/session-store-port.ts';
import { createPortalSessions } from '../accounts/sessions.ts';
import type { PortalSessions } from '../api/route-handler.ts';
import { portalLimits } from '../catalog/limits.ts';
import { findAccount } from './account-items.ts';
import { accountBrowserKey, portalSessionKey } from './portal-table-keys.ts';

const storedSession = z.object({
  sessionId: z.string(),
  kind: z.enum(['session', 'code']),
  accountId: z.string(),
  role: z.enum(['developer', 'operator']),
  epoch: z.number(),
  startedAt: z.number(),
  lastSeenAt: z.number(),
  secretsOpenUntil: z.optional(z.number()),
});

/**
 * Creates the store of sessions and known browsers over the portal's table. A rotated session leaves an item with its successor's ID until
 * its own latest end, so that ending a session by an earlier ID ends its successor.
 */
export function createPortalSessionStore(table: Table): SessionStore {
  return {
    get: async (sessionId) => await getSession(table, sessionId),
    async begin(session, replaces) {
      if (replaces === undefined) await table.transact([createdSession(session)]);
      else await endSession(table, replaces, [createdSession(session)]);
    },
    async rotate(session, replaces) {
      const { accountId, sessionId: next } = session;
      const rotated = { ...portalSessionKey(replaces), accountId, next, ttl: lastSecond(session) };
      return await conditionHolds(table, [createdSession(session), { put: rotated, condition: isLatest }]);
    },
    end: async (sessionId) => await endSession(table, sessionId),
    async isKnownBrowser(accountId, sha256, nowSeconds) {
      const item = await table.get(accountBrowserKey(accountId, sha256));
      return item !== undefined && Number(item.ttl) > nowSeconds;
    },
    async knowBrowser(accountId, sha256, expiresAt) {
      await table.put({ ...accountBrowserKey(accountId, sha256), ttl: expiresAt });
    },
  };
}

/** Creates the reader of sessions that every function of the portal uses. A request costs two reads, and at most one write a minute. */
export function createTableSessions(table: Table, now: () => number = systemClock): PortalSessions {
  return createPortalSessions({
    get: async (sessionId) => await getSession(table, sessionId),
    account: async (accountId) => await findAccount(table, accountId),
    seen: async (session, seconds) => await seen(table, session, seconds),
    sha256Hex: digests.sha256Hex,
    now,
  });
}

/** Condition that the session exists and was not rotated, so that of a concurrent rotation and end only one is written. */
const isLatest: Condition = {
  expression: 'attribute_exists(pk) AND attribute_not_exists(#next)',
  names: { '#next': 'next' },
};

/**
 * Ends a session, or the successor it was rotated to, in one transaction with `others`. A session that has ended already leaves the others
 * to write. Each rotation needs the password, so the chain of successors is finite.
 */
async function endSession(table: Table, sessionId: string, others: readonly Write[] = []): Promise<void> {
  for (let id = sessionId; ; ) {
    const key = portalSessionKey(id);
    const failed = await failedConditions(table, [{ delete: key, condition: isLatest }, ...others]);
    if (failed.length === 0) return;
    const item = failed.includes(0) ? await table.get(key) : undefined;
    if (item === undefined) {
      if (others.length > 0) await table.transact(others);
      return;
    }
    id = String(item.next ?? id);
  }
}

function createdSession(session: StoredSession): Write {
  return putIfAbsent({ ...portalSessionKey(session.sessionId), ...session, ttl: lastSecond(session) });
}

async function getSession(table: Table, sessionId: string): Promise<StoredSession | undefined> {
  const item = await table.get(portalSessionKey(sessionId));
  if (item === undefined || item.next !== undefined) return undefined;
  const { secretsOpenUntil, ...session } = storedSession.parse(item);
  return secretsOpenUntil === undefined ? session : { ...session, secretsOpenUntil };
}

/** Writes the time at which a session was last used; a session that ended meanwhile stays ended. */
async function seen(table: Table, { sessionId }: StoredSession, seconds: number): Promise<void> {
  try {
    await table.update({
      key: portalSessionKey(sessionId),
      expression: 'SET lastSeenAt = :now',
      condition: 'attribute_exists(lastSeenAt)',
      values: { ':now': seconds },
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

function lastSecond({ kind, role, startedAt }: StoredSession): number {
  const whole = role === 'operator' ? portalLimits.operatorSessionSeconds : portalLimits.sessionSeconds;
  return Math.ceil(startedAt) + (kind === 'code' ? portalLimits.codeSeconds : whole);
}
