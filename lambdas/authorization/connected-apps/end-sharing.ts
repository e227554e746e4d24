/** Ends grants of a member: for the member on the connected-apps page, and for an operator. */

import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Random } from '../../platform/kernel/random.ts';
import type { LiveMemberGrant, MemberGrants } from '../authorize/member-grants-port.ts';
import { type AuditContext, type AuditDecision, auditEvent } from '../oauth/audit-decision.ts';

interface Ending {
  readonly context: AuditContext & { readonly lob: LineOfBusiness };
  readonly patientId: string;
  /** Client whose grants end; undefined for the grants of all applications. */
  readonly clientId: string | undefined;
  /** Account whose grants end; absent for the grants of all accounts. */
  readonly sub?: string | undefined;
  readonly decided: Pick<AuditDecision, 'action' | 'actor' | 'representativeId'> & {
    readonly reason: string;
  };
}

/**
 * Ends every live grant of one application or of all, each in a transaction with its audit event. From then on calls, refresh tokens and
 * SSO consents of these grants are refused. A payer's grant ends together with those of the payer's other applications. Pending grants end
 * too, so that a code issued a moment ago can't be redeemed. If it stops half-way, a repeat ends the rest.
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
