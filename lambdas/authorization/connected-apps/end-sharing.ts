/** Ends grants of a member: for the member on the connected-apps page, and for an operator. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { LiveMemberGrant, MemberGrants } from '../authorize/member-grants-port.ts';
import { type AuditContext, type AuditDecision, auditEvent } from '../oauth/audit-decision.ts';

interface Ending {
  readonly context: AuditContext & { readonly lob: LineOfBusiness };
  readonly patientId: string;
  /** Client whose grants end; every application's where it is absent. */
  readonly clientId: string | undefined;
  /** The account whose grants end; absent where it is everybody's. */
  readonly sub?: string | undefined;
  readonly decided: Pick<AuditDecision, 'action' | 'actor' | 'representativeId'> & {
    readonly reason: string;
  };
}

/**
 * Ends every live grant of one application or of all, each by a transaction with its audit event. The application's next call, its refresh
 * tokens and SSO consents based on the grant fail from then on. A payer's permission ends for all its applications. A pending grant ends
 * too, so that a code issued a moment ago can't be redeemed. Repeatable; it may stop at any point.
 *
 * @returns the grants that this call ended, without those that another request ended meanwhile.
 * @throws StoreUnavailable
 */
export async function endSharing(
  { grants, now, random }: { readonly grants: MemberGrants; readonly now: Clock; readonly random: Random },
  { context, patientId, clientId, sub, decided }: Ending,
): Promise<readonly Pick<LiveMemberGrant, 'grantId' | 'clientId'>[]> {
  const { lob } = context;
  const endable = await grants.endable(lob, patientId, Math.floor(now() / 1000));
  const ended: Pick<LiveMemberGrant, 'grantId' | 'clientId'>[] = [];
  const named = endable.filter(
    (each) =>
      (sub === undefined || each.sub === sub) && (clientId === undefined || each.clientId === clientId),
  );
  const payers = new Set(named.flatMap(({ payer = [] }) => payer));
  const chosen = endable.filter(
    (each) => named.includes(each) || each.payer?.some((name) => payers.has(name)),
  );
  for (const grant of chosen) {
    const about = { grantId: grant.grantId, clientId: grant.clientId };
    const decision = { ...decided, ...about, outcome: 'succeeded', patientId } as const;
    const audit = auditEvent(context, decision, now(), random.uuid());
    const stopped = { lob, patientId, grant, because: decided.reason, audit };
    if (await grants.stop(stopped)) ended.push(about);
  }
  return ended;
}
