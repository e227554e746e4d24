/** The phase of a run that has the payer export the Groups of its matched members. */

import type { OtherPayer } from '../payers/other-payer.ts';
import { readBulkManifest } from './bulk-manifest.ts';
import { type ExchangeRun, type GroupExport, runLimits } from './exchange-run.ts';
import { actOnMembers, membersThere } from './run-members.ts';
import { afterCalls, payerHeader, pollSeconds, type StepOutcome, unexpected } from './run-outcome.ts';
import type { PayerAnswer, PayerServer, RunDependencies } from './run-ports.ts';

/** Statuses of a server that does not know an operation, or not by this method. */
const unknownOperation = [400, 404, 405, 501];

export async function exportPhase(
  deps: RunDependencies,
  run: ExchangeRun,
  payer: OtherPayer,
  server: PayerServer,
): Promise<StepOutcome> {
  const at = run.exports.findIndex(({ transactionTime }) => transactionTime === undefined);
  const group = run.exports[at];
  if (group === undefined) return { kind: 'again', run: { ...run, phase: 'download' } };
  return group.status === undefined
    ? await begin(deps, run, server, at, group)
    : await poll(run, payer, server, at, group, group.status);
}

function withExport(run: ExchangeRun, at: number, changed: GroupExport): ExchangeRun {
  return { ...run, exports: run.exports.map((each, index) => (index === at ? changed : each)) };
}

async function begin(
  deps: RunDependencies,
  run: ExchangeRun,
  server: PayerServer,
  at: number,
  group: GroupExport,
): Promise<StepOutcome> {
  const answer = await (group.isPlain
    ? beginPlain(server, run, group)
    : beginPayerToPayer(server, run, group));
  const asked = afterCalls(run, 1);
  if (answer.status !== 202) {
    if (!group.isPlain && unknownOperation.includes(answer.status)) {
      return { kind: 'again', run: withExport(asked, at, { ...group, isPlain: true }) };
    }
    if (answer.status === 404 || answer.status === 410) {
      return { kind: 'failed', run: asked, reason: 'group_expired' };
    }
    return unexpected(asked, answer);
  }
  const status = payerHeader(answer.headers, 'content-location');
  if (status === undefined) return { kind: 'failed', run: asked, reason: 'no_status_address' };
  const members = (await membersThere(deps, run)).filter(({ groupId }) => groupId === group.groupId);
  await actOnMembers(deps, members, 'send-export', () => ({}));
  return {
    kind: 'wait',
    run: withExport(asked, at, { ...group, status }),
    seconds: pollSeconds(answer.headers),
  };
}

/** `$davinci-data-export` (PDex 2.2.0, OperationDefinition/davinci-data-export of Da Vinci ATR). */
async function beginPayerToPayer(
  server: PayerServer,
  { since }: ExchangeRun,
  { groupId }: GroupExport,
): Promise<PayerAnswer> {
  const parameter = [
    { name: 'exportType', valueCanonical: 'hl7.fhir.us.davinci-pdex#payertopayer' },
    ...(since === undefined ? [] : [{ name: '_since', valueInstant: since }]),
  ];
  return await server.send({
    method: 'POST',
    address: `Group/${groupId}/$davinci-data-export`,
    headers: { prefer: 'respond-async', 'content-type': 'application/fhir+json' },
    body: JSON.stringify({ resourceType: 'Parameters', parameter }),
    mostBytes: runLimits.documentBytes,
  });
}

/** `$export` of a Group (Bulk Data Access IG 2.0.0). */
async function beginPlain(
  server: PayerServer,
  { since }: ExchangeRun,
  { groupId }: GroupExport,
): Promise<PayerAnswer> {
  const query = since === undefined ? '' : `?_since=${encodeURIComponent(since)}`;
  return await server.send({
    method: 'GET',
    address: `Group/${groupId}/$export${query}`,
    headers: { prefer: 'respond-async', accept: 'application/fhir+json' },
    mostBytes: runLimits.documentBytes,
  });
}

async function poll(
  run: ExchangeRun,
  payer: OtherPayer,
  server: PayerServer,
  at: number,
  group: GroupExport,
  status: string,
): Promise<StepOutcome> {
  const answer = await server.send({ method: 'GET', address: status, mostBytes: runLimits.documentBytes });
  const asked = afterCalls(run, 1);
  if (answer.status === 202) return { kind: 'wait', run: asked, seconds: pollSeconds(answer.headers) };
  if (answer.status === 404 || answer.status === 410) {
    const { status: _forgotten, ...again } = group;
    return { kind: 'trouble', run: withExport(asked, at, again), reason: 'export_expired' };
  }
  if (answer.status !== 200) return unexpected(asked, answer);
  const manifest = readBulkManifest(answer.text, payer.fhirBase);
  if (manifest.kind === 'refused') return { kind: 'failed', run: asked, reason: manifest.reason };
  const { transactionTime, output } = manifest;
  const files = [
    ...asked.files,
    ...output.map(({ url, type, withToken }) => ({
      ...{ url, type, withToken, transactionTime },
      ...{ bytes: 0, chunks: 0 },
    })),
  ];
  if (files.length > runLimits.files) return { kind: 'failed', run: asked, reason: 'too_many_files' };
  return { kind: 'again', run: { ...withExport(asked, at, { ...group, transactionTime }), files } };
}
