/** Handler of `exchange-operations`, invoked by the operator's CLI and a schedule: shows exchanges and other payers, and moves on what is due. */

import { KMSClient } from '@aws-sdk/client-kms';
import { auditWrite } from '../audit/store/audit-events-contract.ts';
import { createClientSigningKey } from '../authorization/store/client-signing-key-contract.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../catalog/lines-of-business.ts';
import { askableStates, type ExchangeState } from '../catalog/payer/exchange-states.ts';
import type { PayerFault } from '../catalog/payer/other-payers.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { backgroundPatience } from '../platform/table/background-patience.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createHeaderOpener, createHeaderSeal } from './aws/payer-credentials.ts';
import { createPayerWeb } from './aws/payer-web.ts';
import { carryOutExchangeOperation, dueExchanges, sweepExchanges } from './exchange/exchange-operations.ts';
import { exchangeSweep } from './exchange/exchange-operations-contract.ts';
import { requestToken } from './payer-server/payer-server.ts';
import type { OtherPayer } from './payers/other-payer.ts';
import { carryOutPayerOperation } from './payers/other-payer-operations.ts';
import { otherPayerOperation } from './payers/other-payer-operations-contract.ts';
import { sweepPayers } from './payers/sweep-payers.ts';
import { PayerUnreachable } from './runs/run-ports.ts';
import { createMemberExchanges } from './store/member-exchanges-contract.ts';
import { createOtherPayers } from './store/other-payers.ts';

const {
  environment,
  tableName,
  planIdentifiers,
  payerCredentialKeyId,
  authOrigin,
  tokenOrigin,
  apiOriginTemplate,
  signingSecrets,
} = readEnvironment([
  'environment',
  'tableName',
  'planIdentifiers',
  'payerCredentialKeyId',
  'authOrigin',
  'tokenOrigin',
  'apiOriginTemplate',
  'signingSecrets',
]);
const table = createSignedTable({ tableName, patience: backgroundPatience });

const payers = createOtherPayers(table, { environment, now: systemClock, uuid: systemRandom.uuid });
const kms = new KMSClient({ retryStrategy: sdkRetries });

const deps = {
  payers: async () => (await payers.all()).payers,
  exchangesOf: (lob: LineOfBusiness) => createMemberExchanges(table, { lob, now: systemClock, auditWrite }),
  environment,
  now: systemClock,
  uuid: systemRandom.uuid,
  report: (code: string, fields: object) => consoleLog('warn', code, fields),
};

// An environment without TLS runs on one machine, where other payers may run too.
const loopback = authOrigin.startsWith('http:');
const linesOfBusiness = lineOfBusinessCodes.filter((lob) => planIdentifiers[lob] !== undefined);

const payerServices = {
  payers,
  web: {
    web: createPayerWeb(loopback),
    rules: { origins: { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate }, loopback },
  },
  tryToken,
  linesOfBusiness,
  sealHeader: createHeaderSeal(kms, payerCredentialKeyId),
  waiting: countWaiting,
  now: systemClock,
  report: (code: string, fields: object) => consoleLog('error', code, fields),
};

const tokenOptions = {
  loopback,
  signingKey: createClientSigningKey(signingSecrets, 'PAYERS', systemClock),
  openHeader: createHeaderOpener(kms, payerCredentialKeyId),
  now: systemClock,
  uuid: systemRandom.uuid,
};

async function tryToken(payer: OtherPayer): Promise<PayerFault | undefined> {
  try {
    await requestToken(tokenOptions, payer);
    return undefined;
  } catch (error) {
    if (!(error instanceof PayerUnreachable)) throw error;
    return { code: 'token-refused', detail: error.reason };
  }
}

/** Counts the members whose time to be asked about has come, by payer. */
async function countWaiting(): Promise<ReadonlyMap<string, number>> {
  const waiting = new Map<string, number>();
  const until = new Date(systemClock()).toISOString();
  for (const lob of lineOfBusinessCodes) {
    for await (const { state, payerId } of dueExchanges(deps.exchangesOf(lob), until)) {
      if (payerId === undefined || !(askableStates as readonly ExchangeState[]).includes(state)) continue;
      waiting.set(payerId, (waiting.get(payerId) ?? 0) + 1);
    }
  }
  return waiting;
}

async function sweep() {
  const swept = await sweepExchanges(deps);
  return { ...swept, tested: await sweepPayers(payerServices) };
}

/** A request about other payers, by the actions of its contract. */
function isAboutPayers(payload: unknown): boolean {
  const { action } = payload as { readonly action?: unknown };
  return otherPayerOperation.def.options.some((option) =>
    option.shape.action.def.values.includes(action as never),
  );
}

/**
 * Shows exchanges, and moves those on whose time has come; keeps, discovers and tests other payers. Called by the operator's CLI and a
 * schedule. Reads no member's record.
 */
export const handler = guardInvocation('exchange-operations', async (payload) => {
  if (exchangeSweep.safeParse(payload).success) return await sweep();
  return isAboutPayers(payload)
    ? await carryOutPayerOperation(payerServices, payload)
    : await carryOutExchangeOperation(deps, payload);
});
