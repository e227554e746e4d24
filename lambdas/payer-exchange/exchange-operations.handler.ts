/** Handler of `exchange-operations`, invoked by the operator's CLI and a schedule: shows exchanges, and moves those on whose time has come. */

import { auditWrite } from '../audit/store/audit-events-contract.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { backgroundPatience } from '../platform/table/background-patience.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { carryOutExchangeOperation, sweepExchanges } from './exchange/exchange-operations.ts';
import { exchangeSweep } from './exchange/exchange-operations-contract.ts';
import { createMemberExchanges } from './store/member-exchanges-contract.ts';

const { environment, tableName } = readEnvironment(['environment', 'tableName']);
const table = createSignedTable({ tableName, patience: backgroundPatience });

const deps = {
  exchangesOf: (lob: LineOfBusiness) => createMemberExchanges(table, { lob, now: systemClock, auditWrite }),
  environment,
  now: systemClock,
  uuid: systemRandom.uuid,
  report: (code: string, fields: object) => consoleLog('warn', code, fields),
};

/**
 * Shows exchanges, and moves those on whose time has come. Called by the operator's CLI and a schedule. Reads no member's record.
 */
export const handler = guardInvocation('exchange-operations', async (payload) =>
  exchangeSweep.safeParse(payload).success
    ? await sweepExchanges(deps)
    : await carryOutExchangeOperation(deps, payload),
);
