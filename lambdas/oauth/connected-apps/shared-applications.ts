import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Random } from '../../kernel/random.ts';
import { type AuditContext, type AuthorizationDecision, auditEvent } from '../audit-event.ts';
import type { OAuthClient } from '../client.ts';
import type { ClientStore } from '../client-store.ts';
import type { LastAccesses, LiveMemberGrant, MemberGrants } from './member-grants.ts';

/** An application a member shares with: all its active grants together. Times are milliseconds since 1970. */
export interface SharedApplication {
  readonly clientId: string;
  /** Undefined where the registry no longer knows it. */
  readonly client: OAuthClient | undefined;
  /** One for each grant, as it was granted. */
  readonly scopes: readonly string[];
  /** The first of the grants. */
  readonly since: number;
  /** The end of the last of them. */
  readonly endsAt: number;
  /** A time, or from when on nothing was read, where no look further back was taken. */
  readonly lastAccess: number | 'never' | { readonly notSince: number };
}

interface SharedBy {
  readonly grants: MemberGrants;
  readonly clients: ClientStore;
  readonly now: Clock;
}

/** The applications a member shares with now, the newest first. @throws StoreUnavailable */
export async function sharedApplications(
  { grants, clients, now }: SharedBy,
  lob: LineOfBusiness,
  patientId: string,
): Promise<readonly SharedApplication[]> {
  const live = await grants.live(lob, patientId, Math.floor(now() / 1000));
  if (live.length === 0) return [];
  const clientIds = [...new Set(live.map(({ clientId }) => clientId))];
  const since = Math.min(...live.map(({ createdAt }) => createdAt)) * 1000;
  const accesses = await grants.lastAccesses(lob, patientId, clientIds, since);
  const shared = await Promise.all(
    clientIds.map(async (clientId) => {
      const own = live.filter((grant) => grant.clientId === clientId);
      return together(clientId, await clients.find(clientId), own, accesses);
    }),
  );
  return shared.sort((a, b) => b.since - a.since);
}

function together(
  clientId: string,
  client: OAuthClient | undefined,
  own: readonly LiveMemberGrant[],
  { last, lookedBackTo }: LastAccesses,
): SharedApplication {
  const since = Math.min(...own.map(({ createdAt }) => createdAt)) * 1000;
  return {
    clientId,
    client,
    scopes: own.map(({ scope }) => scope),
    since,
    endsAt: Math.max(...own.map(({ expiresAt }) => expiresAt)) * 1000,
    lastAccess: last.get(clientId) ?? (lookedBackTo > since ? { notSince: lookedBackTo } : 'never'),
  };
}

interface Ending {
  readonly context: AuditContext & { readonly lob: LineOfBusiness };
  readonly patientId: string;
  /** Client whose grants end; every application's where it is absent. */
  readonly clientId: string | undefined;
  readonly decided: Pick<AuthorizationDecision, 'action' | 'actor'> & { readonly reason: string };
}

/**
 * Ends every live grant of one application or of all, each by a transaction of its own with its audit event. The next call by
 * it finds none; nor do its refresh tokens, and the consent a kept sign-in stands on. A pending grant ends too, so that a code
 * issued a moment ago can no longer be redeemed. May be repeated, and stopped after at any point.
 *
 * @returns what this call ended: a grant that somebody else ended meanwhile is not in it.
 * @throws StoreUnavailable
 */
export async function endSharing(
  { grants, now, random }: { readonly grants: MemberGrants; readonly now: Clock; readonly random: Random },
  { context, patientId, clientId, decided }: Ending,
): Promise<readonly Pick<LiveMemberGrant, 'grantId' | 'clientId'>[]> {
  const { lob } = context;
  const endable = await grants.endable(lob, patientId, Math.floor(now() / 1000));
  const ended: Pick<LiveMemberGrant, 'grantId' | 'clientId'>[] = [];
  for (const grant of endable.filter((each) => clientId === undefined || each.clientId === clientId)) {
    const about = { grantId: grant.grantId, clientId: grant.clientId };
    const decision = { ...decided, ...about, outcome: 'succeeded', patientId } as const;
    const audit = auditEvent(context, decision, now(), random.uuid());
    const stopped = { lob, patientId, grantId: grant.grantId, because: decided.reason, audit };
    if (await grants.stop(stopped)) ended.push(about);
  }
  return ended;
}
