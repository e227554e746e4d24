/** Reads the grants of matched payers, and writes the audit events of disclosures to them. */

import * as z from 'zod/mini';
import { putAuditEvent } from '../../audit/store/audit-events-contract.ts';
import type { AuditEvent } from '../../catalog/audit/audit-event.ts';
import type { Environment } from '../../catalog/environments.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import type { Item, Table } from '../../platform/table/table.ts';
import { grantKey, grantPartition, permissionEndsKey } from '../../platform/table/table-keys.ts';
import type { PayerGrant, PayerGrants } from '../permission/payer-grant-port.ts';
import { permissionEnds } from './permission-ends-contract.ts';

const grantItem = z.object({
  clientId: z.string(),
  state: z.enum(['pending', 'active', 'revoked']),
  expiresAt: z.number(),
  scope: z.string(),
  consentPolicy: z.enum(['regular', 'sensitive']),
  consent: z.string(),
});

/** Most members in one `BatchGetItem`, which takes 100 keys. */
const membersInRead = 50;
/** Most resources that one audit event names, so that its item stays below 400 KB. */
const namesInEvent = 1000;

export function createPayerGrants(
  table: Table,
  options: {
    readonly lob: LineOfBusiness;
    readonly environment: Environment;
    readonly now: Clock;
    readonly uuid: () => string;
  },
): PayerGrants {
  const { lob, environment, now, uuid } = options;
  return {
    async find(members) {
      const grants = [];
      for (let from = 0; from < members.length; from += membersInRead) {
        const some = members.slice(from, from + membersInRead);
        const items = await table.batchGet([
          ...some.map(({ patientId, grantId }) => grantKey(lob, patientId, grantId)),
          ...some.map(({ patientId }) => permissionEndsKey(lob, patientId)),
        ]);
        grants.push(...some.map((_, at) => payerGrant(items[at], items[some.length + at])));
      }
      return grants;
    },

    async ofPatient(patientId, clientId) {
      const [items, ends] = await Promise.all([
        queryAll(table, grantPartition(lob, patientId)),
        table.get(permissionEndsKey(lob, patientId)),
      ]);
      const own = items.filter((item) => item.clientId === clientId);
      return own
        .sort((a, b) => String(b.createdAt).localeCompare(String(a.createdAt)))
        .flatMap((item) => {
          const grant = payerGrant(item, ends);
          return grant === undefined ? [] : [{ ...grant, grantId: String(item.sk) }];
        });
    },

    async recordDisclosures({ clientId, requestId, clientRequestId }, members) {
      const time = new Date(now()).toISOString();
      const events = members.flatMap(({ patientId, grantId, resources }) =>
        Array.from(
          { length: Math.ceil(resources.length / namesInEvent) },
          (_, at): AuditEvent => ({
            eventId: uuid(),
            time,
            environment,
            lob,
            actor: clientId,
            clientId,
            requestId,
            ...(clientRequestId !== undefined && { clientRequestId }),
            action: 'job.file',
            outcome: 'disclosed',
            patientId,
            grantId,
            resources: resources.slice(at * namesInEvent, (at + 1) * namesInEvent),
          }),
        ),
      );
      await Promise.all(events.map((event) => putAuditEvent(table, event)));
    },
  };
}

/** Parses a payer's grant; undefined for a grant without a Consent, which belongs to an application of the member. */
function payerGrant(item: Item | undefined, ends: Item | undefined): PayerGrant | undefined {
  if (item?.consent === undefined) return undefined;
  const { consentPolicy: policy, ...grant } = grantItem.parse(item);
  return { ...grant, policy, ends: permissionEnds(ends) };
}
