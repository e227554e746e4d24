/** Handler of the function `operator-record`, invoked by the operator's CLI: what an operator did in the portal. */

import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import { operatorRecord } from './adapters/operator-acts.ts';
import { operatorRecordRequest } from './api/operator-record-contract.ts';

const { tableName } = readEnvironment(['tableName']);
const ports = { table: createSdkTable({ tableName }), now: systemClock, uuid: systemRandom.uuid };

/** Answers a page of an operator's acts, after it has recorded who asked and why. Reads acts of operators, and nothing else in the portal. */
export const handler = guardInvocation(
  'operator-record',
  async (payload) => await operatorRecord(ports, operatorRecordRequest.parse(payload)),
);
