/** Stores other payers: one item for each, and one that counts the changes of all. */

import * as z from 'zod/mini';
import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import type { Environment } from '../../catalog/environments.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { organizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import {
  otherPayerLimits,
  otherPayerSources,
  otherPayerStates,
  type PayerFaultCode,
  payerCheckSteps,
  payerFaults,
  pdexVersions,
} from '../../catalog/payer/other-payers.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { conditionHolds } from '../../platform/table/conditional-writes.ts';
import { queryAll } from '../../platform/table/query-all.ts';
import { ConditionFailed, type Item, type Table, type Write } from '../../platform/table/table.ts';
import { otherPayerKey, otherPayerListKey, otherPayerPartition } from '../../platform/table/table-keys.ts';
import { type OtherPayer, type PayerTestResult, withCheck } from '../payers/other-payer.ts';
import type { OtherPayerList, OtherPayers, PayerChangeEvent } from '../payers/other-payers-port.ts';

const optionalText = z.optional(z.string());
const identifiers = z.array(organizationIdentifier);
const payerCheck = z.object({
  at: z.string(),
  step: z.enum(payerCheckSteps),
  outcome: z.enum(['passed', 'failed']),
  fault: z.optional(
    z.object({
      code: z.enum(Object.keys(payerFaults) as [PayerFaultCode, ...PayerFaultCode[]]),
      address: optionalText,
      detail: optionalText,
    }),
  ),
});

const otherPayerItem = z.object({
  payerId: z.string(),
  name: z.string(),
  state: z.enum(otherPayerStates),
  identifiers,
  fhirBase: z.string(),
  tokenEndpoint: z.string(),
  clientId: z.string(),
  scopes: z.string(),
  version: z.enum(pdexVersions),
  header: z.optional(z.object({ name: z.string(), sealed: z.instanceof(Uint8Array) })),
  linesOfBusiness: z.array(z.enum(lineOfBusinessCodes)),
  contact: optionalText,
  source: z.enum(otherPayerSources),
  found: z.optional(
    z.object({
      at: z.string(),
      name: z.string(),
      identifiers,
      fhirBase: z.string(),
      tokenEndpoint: optionalText,
      version: z.optional(z.enum(pdexVersions)),
      contact: optionalText,
    }),
  ),
  checks: z.array(payerCheck),
  revision: z.number(),
  changedAt: z.string(),
});

/**
 * Creates the store of an environment's other payers. Each change counts up the item of the list on condition that it is as it was read. So
 * two changes never pass each other, and no two payers get the same identifier or base.
 */
export function createOtherPayers(
  table: Table,
  {
    environment,
    now,
    uuid,
  }: { readonly environment: Environment; readonly now: Clock; readonly uuid: () => string },
): OtherPayers {
  const event = ({ payerId, act, requestId, operatorId }: PayerChangeEvent): Write =>
    auditWrite({
      eventId: uuid(),
      time: new Date(now()).toISOString(),
      environment,
      lob: 'M2M',
      action: 'other-payer.change',
      outcome: 'succeeded',
      reason: act,
      actor: 'operator',
      ...(operatorId !== undefined && { operatorId }),
      service: 'other-payers',
      resource: `OtherPayer/${payerId}`,
      requestId,
    });

  return {
    async find(payerId) {
      const item = await table.get(otherPayerKey(payerId));
      return item === undefined ? undefined : read(item);
    },

    async all() {
      const items = await queryAll(table, otherPayerPartition);
      const [list] = items.filter(isList);
      return {
        payers: items.filter((item) => !isList(item)).map(read),
        revision: Number(list?.revision ?? 0),
      };
    },

    async save(seen, changed) {
      return await conditionHolds(table, [
        counted(seen),
        ...changed.flatMap(({ payer, event: change }): Write[] => [
          { put: { ...otherPayerKey(payer.payerId), ...payer } },
          event(change),
        ]),
      ]);
    },

    async remove(seen, change) {
      return await conditionHolds(table, [
        counted(seen),
        { delete: otherPayerKey(change.payerId) },
        event(change),
      ]);
    },

    async recordCheck(payerId, check) {
      // A change of the payer may come between reading and writing; then the results are read again.
      for (let tries = 0; tries < recordTries; tries += 1) {
        const item = await table.get(otherPayerKey(payerId));
        if (item === undefined) return;
        if (await addCheck(table, read(item), check)) return;
      }
    },
  };
}

const recordTries = 3;

async function addCheck(table: Table, payer: OtherPayer, check: PayerTestResult): Promise<boolean> {
  const checks = withCheck(payer.checks, check).slice(0, otherPayerLimits.checks);
  try {
    await table.update({
      key: otherPayerKey(payer.payerId),
      expression: 'SET #checks = :checks',
      condition: '#revision = :revision',
      names: { '#checks': 'checks', '#revision': 'revision' },
      values: { ':checks': checks, ':revision': payer.revision },
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Counts a change of the list, unless it was changed since it was read. */
function counted({ revision }: OtherPayerList): Write {
  return {
    put: { ...otherPayerListKey, revision: revision + 1 },
    condition: {
      expression: revision === 0 ? 'attribute_not_exists(pk)' : '#revision = :seen',
      ...(revision > 0 && { names: { '#revision': 'revision' }, values: { ':seen': revision } }),
    },
  };
}

const isList = ({ sk }: Item) => sk === otherPayerListKey.sk;

function read(item: Item): OtherPayer {
  return otherPayerItem.parse(item);
}
