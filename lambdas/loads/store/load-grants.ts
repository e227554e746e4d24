/** Ends grants when a load withdraws a patient or ends a representation. */

import * as z from 'zod/mini';
import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import { grantTransitions } from '../../authorization/store/states-contract.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { payerOfGrant, permissionEndWrites } from '../../payer-access/store/permission-ends-contract.ts';
import { conditionHolds } from '../../platform/table/conditional-writes.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import type { Table } from '../../platform/table/table.ts';
import { grantKey, grantPartition } from '../../platform/table/table-keys.ts';
import { transition } from '../../platform/table/transition.ts';
import type { ChangeOrigin } from '../rows/load-store-port.ts';
import { keptOutcome } from './change-outcomes.ts';
import type { LoadStoreOptions } from './load-event.ts';

/** The grants that a load ends, and the reason. */
interface LostGround extends ChangeOrigin {
  readonly lob: LineOfBusiness;
  readonly patientId: string;
  readonly because: 'representation_ended' | 'representation_changed' | 'member_withdrawn';
  /** The representative whose grants end; absent to end those of everyone. */
  readonly representativeId?: string;
  /** Only grants that end later than this, seconds since 1970; `Infinity` selects none. Absent: all grants. */
  readonly until?: number;
}

const storedGrant = z.object({
  grantId: z.string(),
  clientId: z.string(),
  state: z.enum(['pending', 'active', 'revoked']),
  representative: z.optional(z.object({ representativeId: z.string(), until: z.optional(z.number()) })),
});

/**
 * Ends the grants of a patient that have lost their basis, each in a transaction with its audit event. Repeatable after an interruption.
 *
 * @returns the number of ended grants.
 */
export async function endGrants(
  table: Table,
  { environment, now, uuid }: LoadStoreOptions,
  { lob, patientId, jobId, row, because, representativeId, until = Number.NEGATIVE_INFINITY }: LostGround,
): Promise<number> {
  const grants = (await queryAll(table, grantPartition(lob, patientId))).map((item) => ({
    ...storedGrant.parse(item),
    payer: payerOfGrant(item),
  }));
  let ended = 0;
  for (const { grantId, clientId, state, representative, payer } of grants) {
    const isTheirs = representativeId === undefined || representative?.representativeId === representativeId;
    const isLonger = (representative?.until ?? Number.POSITIVE_INFINITY) > until;
    if (state === 'revoked' || !isTheirs || !isLonger) continue;
    const update = transition(grantKey(lob, patientId, grantId), grantTransitions.end, {
      sets: 'endedBecause = :because',
      values: { ':because': because },
    });
    const time = new Date(now()).toISOString();
    const audit = auditWrite({
      eventId: uuid(),
      time,
      environment,
      lob,
      action: 'grant.end',
      outcome: 'succeeded',
      reason: because,
      actor: 'load-range',
      clientId,
      grantId,
      patientId,
      requestId: jobId,
      ...(representative !== undefined && { representativeId: representative.representativeId }),
    });
    const ends = permissionEndWrites(lob, patientId, payer, time);
    if (
      await conditionHolds(table, [
        { update },
        ...ends,
        audit,
        keptOutcome({ lob, jobId, row }, 'changed', now),
      ])
    )
      ended += 1;
  }
  return ended;
}
