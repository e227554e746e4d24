/** Lists the applications that a member shares data with. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { LastAccesses, LiveMemberGrant, MemberGrants } from '../authorize/member-grants-port.ts';
import type { ClientReader } from '../oauth/client-ports.ts';
import type { PersonalRepresentative } from '../oauth/member-account.ts';
import type { OAuthClient } from '../oauth/oauth-client.ts';

/** An application with which a member shares data now: its active grants combined. Times are milliseconds since 1970. */
export interface SharedApplication {
  readonly clientId: string;
  /** Undefined if the application is no longer registered. */
  readonly client: OAuthClient | undefined;
  /** Whether it is another payer's, which matched the member. */
  readonly isPayers: boolean;
  /** The granted scope of each grant. */
  readonly scopes: readonly string[];
  /** The personal representatives who consented to one of the grants. */
  readonly sharedBy: readonly PersonalRepresentative[];
  /** Time of the earliest grant. */
  readonly since: number;
  /** End of the grant that lasts longest. */
  readonly endsAt: number;
  /** Time of the last access. `notSince`: no access since that time, and earlier audit events were not read. */
  readonly lastAccess: number | 'never' | { readonly notSince: number };
}

interface SharedBy {
  readonly grants: MemberGrants;
  readonly clients: ClientReader;
  readonly now: Clock;
}

/**
 * Lists the applications that a patient's data is shared with, newest first.
 *
 * @param sub the account that consented; absent for all accounts.
 * @throws StoreUnavailable
 */
export async function sharedApplications(
  { grants, clients, now }: SharedBy,
  lob: LineOfBusiness,
  patientId: string,
  sub?: string,
): Promise<readonly SharedApplication[]> {
  const all = await grants.live(lob, patientId, Math.floor(now() / 1000));
  const live = all.filter((grant) => sub === undefined || grant.sub === sub);
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
    isPayers: own.some(({ isPayers }) => isPayers === true),
    scopes: own.map(({ scope }) => scope),
    sharedBy: [
      ...new Map(
        own.flatMap(({ sub, representative }) =>
          representative === undefined ? [] : [[sub, representative]],
        ),
      ).values(),
    ],
    since,
    endsAt: Math.max(...own.map(({ expiresAt }) => expiresAt)) * 1000,
    lastAccess: last.get(clientId) ?? (lookedBackTo > since ? { notSince: lookedBackTo } : 'never'),
  };
}
