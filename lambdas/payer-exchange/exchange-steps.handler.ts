/** Handler of `exchange-steps`, invoked by the state machine of runs, a schedule and the operator's CLI: asks other payers for members' data. */

import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import { auditWrite } from '../audit/store/audit-events-contract.ts';
import { createClientSigningKey } from '../authorization/store/client-signing-key-contract.ts';
import { type LineOfBusiness, lineOfBusinessCodes, linesOfBusiness } from '../catalog/lines-of-business.ts';
import { organizationIdentifierKinds } from '../catalog/payer/organization-identifiers.ts';
import { createPatientCompartment } from '../fhir/store/resource-store.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { digests } from '../platform/runtime/digests.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { backgroundPatience } from '../platform/table/background-patience.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createHeaderOpener } from './aws/payer-credentials.ts';
import { createDropWriter, createRunFiles } from './aws/run-buckets.ts';
import { createRunExecutions } from './aws/run-executions.ts';
import { createPayerServers } from './payer-server/payer-server.ts';
import { beginDueRuns } from './runs/begin-runs.ts';
import { carryOutExchangeStep } from './runs/exchange-steps.ts';
import { exchangeStep, runsBegin } from './runs/exchange-steps-contract.ts';
import type { RunDependencies } from './runs/run-ports.ts';
import { createExchangeRuns } from './store/exchange-runs.ts';
import { createMemberExchanges } from './store/member-exchanges-contract.ts';
import { createOtherPayers } from './store/other-payers.ts';

const settings = readEnvironment([
  'environment',
  'tableName',
  'authOrigin',
  'jobBucket',
  'ingestBucket',
  'exchangeStateMachine',
  'payerCredentialKeyId',
  'planIdentifiers',
  'signingSecrets',
]);
const { environment, planIdentifiers } = settings;
const npiSystem = organizationIdentifierKinds.npi.system;
const now = systemClock;
const { uuid } = systemRandom;
const table = createSignedTable({ tableName: settings.tableName, patience: backgroundPatience });
const s3 = new S3Client({ retryStrategy: sdkRetries });
const { find: payer } = createOtherPayers(table, { environment, now, uuid });
const server = createPayerServers({
  // An environment without TLS runs on one machine, where other payers may run too.
  loopback: settings.authOrigin.startsWith('http:'),
  signingKey: createClientSigningKey(settings.signingSecrets, 'PAYERS', now),
  openHeader: createHeaderOpener(new KMSClient({ retryStrategy: sdkRetries }), settings.payerCredentialKeyId),
  now,
  uuid,
});
const start = createRunExecutions(
  new SFNClient({ retryStrategy: sdkRetries }),
  settings.exchangeStateMachine,
);
const exchangesOf = (lob: LineOfBusiness) => createMemberExchanges(table, { lob, now, auditWrite });
const storesOf = (lob: LineOfBusiness) => ({
  runs: createExchangeRuns(table, lob),
  files: createRunFiles(s3, settings.jobBucket, lob),
  exchanges: exchangesOf(lob),
});

function dependenciesOf(lob: LineOfBusiness): RunDependencies {
  const compartment = createPatientCompartment(table, lob);
  // The NPI first, by which most payers register an organization.
  const identifiers = planIdentifiers[lob] ?? [];
  const identifier = identifiers.find(({ system }) => system === npiSystem) ?? identifiers[0];
  if (identifier === undefined) throw new Error(`${lob} has no identifier by which other payers know it`);
  return {
    ...storesOf(lob),
    drops: createDropWriter(s3, settings.ingestBucket),
    payer,
    server,
    async patient(patientId) {
      const [found] = await compartment.resources(patientId, [{ resourceType: 'Patient', id: patientId }]);
      return found === undefined ? undefined : JSON.parse(found.json);
    },
    us: { name: linesOfBusiness[lob].name, identifier },
    sha256: digests.sha256Hex,
    gunzip: (bytes) => Readable.from(bytes).pipe(createGunzip()),
    now,
    event: ({ runId }, about) => ({
      ...about,
      eventId: uuid(),
      time: new Date(now()).toISOString(),
      environment,
      lob,
      actor: 'exchange-steps',
      requestId: runId,
    }),
    report: (code, fields) => consoleLog('error', code, fields),
  };
}

/**
 * Carries out one step of a run, or begins the runs that are due. Called by the state machine of runs, a schedule and the operator's CLI.
 * Reads members' Patients; writes exchanges, runs, objects of runs, drops of received data, and audit events. The only function that sends
 * members' identities to other payers.
 */
export const handler = guardInvocation('exchange-steps', async (payload) => {
  if (!runsBegin.safeParse(payload).success) {
    const step = exchangeStep.parse(payload);
    return await carryOutExchangeStep(dependenciesOf(step.lob), step);
  }
  const lobs = lineOfBusinessCodes.filter((lob) => planIdentifiers[lob] !== undefined);
  const begun = [];
  for (const lob of lobs) {
    begun.push(...(await beginDueRuns({ ...storesOf(lob), payer, start, now, uuid }, lob)));
  }
  return { kind: 'begun', runs: begun };
});
