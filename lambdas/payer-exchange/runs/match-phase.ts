/** The phase of a run that has the payer match its members, batch by batch. */

import { memberEntry } from '../exchange/match-request.ts';
import type { MemberExchange } from '../exchange/member-exchange.ts';
import type { OtherPayer } from '../payers/other-payer.ts';
import { readBulkManifest } from './bulk-manifest.ts';
import {
  type ExchangeRun,
  type MatchBatch,
  type RunMember,
  runLimits,
  runMatchesKey,
} from './exchange-run.ts';
import { readSubmittedOutcomes, type SubmittedOutcome } from './match-outcomes.ts';
import { actOnMembers, isOfRun, type MemberThere, membersOf } from './run-members.ts';
import {
  afterCalls,
  isGzipped,
  payerHeader,
  pollSeconds,
  type StepOutcome,
  unexpected,
} from './run-outcome.ts';
import type { PayerServer, PayerStream, RunDependencies } from './run-ports.ts';

/** Members whose records are read at once. */
const readAtOnce = 20;

export async function matchPhase(
  deps: RunDependencies,
  run: ExchangeRun,
  payer: OtherPayer,
  server: PayerServer,
): Promise<StepOutcome> {
  const at = run.batches.findIndex(({ isDone }) => isDone !== true);
  const batch = run.batches[at];
  if (batch === undefined) return { kind: 'again', run: { ...run, phase: 'export' } };
  return batch.status === undefined
    ? await sendBatch(deps, run, payer, server, at, batch)
    : await readBatch(deps, run, payer, server, at, batch, batch.status);
}

function withBatches(run: ExchangeRun, at: number, ...batches: readonly MatchBatch[]): ExchangeRun {
  return { ...run, batches: [...run.batches.slice(0, at), ...batches, ...run.batches.slice(at + 1)] };
}

/** Sends the request of a batch. The disclosure of each member's demographics is on record before they are sent. */
async function sendBatch(
  deps: RunDependencies,
  run: ExchangeRun,
  payer: OtherPayer,
  server: PayerServer,
  at: number,
  batch: MatchBatch,
): Promise<StepOutcome> {
  const members = (await membersOf(deps, run)).slice(batch.from, batch.to);
  await actOnMembers(deps, members, 'send-match', ({ patientId, exchangeId }) => ({
    changes: { runId: run.runId },
    audit: deps.event(run, { action: 'payer-exchange.ask', outcome: 'disclosed', patientId, exchangeId }),
  }));
  const parameter = await entriesOf(deps, run, payer, members);
  if (parameter.length === 0) return { kind: 'again', run: withBatches(run, at, { ...batch, isDone: true }) };
  const answer = await server.send({
    method: 'POST',
    address: 'Group/$bulk-member-match',
    headers: { prefer: 'respond-async', 'content-type': 'application/fhir+json' },
    body: JSON.stringify({ resourceType: 'Parameters', parameter }),
    mostBytes: runLimits.documentBytes,
  });
  const sent = afterCalls(run, 1);
  if (answer.status === 413 && batch.to - batch.from > 1) {
    const middle = Math.floor((batch.from + batch.to) / 2);
    const halves = [
      { from: batch.from, to: middle },
      { from: middle, to: batch.to },
    ];
    return { kind: 'again', run: withBatches(sent, at, ...halves) };
  }
  const status = payerHeader(answer.headers, 'content-location');
  if (answer.status !== 202) return unexpected(sent, answer);
  if (status === undefined) return { kind: 'failed', run: sent, reason: 'no_status_address' };
  return {
    kind: 'wait',
    run: withBatches(sent, at, { ...batch, status }),
    seconds: pollSeconds(answer.headers),
  };
}

/** The MemberBundles of the members whose permission holds. */
async function entriesOf(
  deps: RunDependencies,
  run: ExchangeRun,
  payer: OtherPayer,
  members: readonly RunMember[],
): Promise<readonly object[]> {
  const exchanges = (await deps.exchanges.find(members)).filter(
    (exchange): exchange is MemberExchange =>
      isOfRun(exchange, run, deps.now()) && exchange.state === 'match-sent',
  );
  const entries: object[] = [];
  for (let from = 0; from < exchanges.length; from += readAtOnce) {
    const some = exchanges.slice(from, from + readAtOnce);
    const patients = await Promise.all(some.map(({ patientId }) => deps.patient(patientId)));
    some.forEach((exchange, index) => {
      const patient = patients[index];
      // The member's coverage here is not needed to find them there, so that it is not disclosed.
      if (patient !== undefined) {
        entries.push(memberEntry(exchange, patient, undefined, deps.us, payer, deps.now()));
      }
    });
  }
  return entries;
}

/** Asks for the status of a match, and records the outcome of each member once it is complete. */
async function readBatch(
  deps: RunDependencies,
  run: ExchangeRun,
  payer: OtherPayer,
  server: PayerServer,
  at: number,
  batch: MatchBatch,
  status: string,
): Promise<StepOutcome> {
  const answer = await server.send({ method: 'GET', address: status, mostBytes: runLimits.documentBytes });
  const asked = afterCalls(run, 1);
  if (answer.status === 202) return { kind: 'wait', run: asked, seconds: pollSeconds(answer.headers) };
  const { from, to } = batch;
  // The payer has forgotten the match: it is sent again.
  if (answer.status === 404 || answer.status === 410) {
    return { kind: 'trouble', run: withBatches(asked, at, { from, to }), reason: 'match_expired' };
  }
  if (answer.status !== 200) return unexpected(asked, answer);
  const manifest = readBulkManifest(answer.text, payer.fhirBase);
  if (manifest.kind === 'refused') return { kind: 'failed', run: asked, reason: manifest.reason };
  const outcomes: SubmittedOutcome[] = [];
  let calls = 0;
  for (const { url, withToken } of manifest.output) {
    calls += 1;
    const file = await readFile(deps, server, url, withToken);
    if (file.kind === 'refused') return unexpected(afterCalls(asked, calls), file.answer);
    if (file.kind === 'too-large')
      return { kind: 'failed', run: afterCalls(asked, calls), reason: 'match_too_large' };
    outcomes.push(...readSubmittedOutcomes(file.text));
  }
  const members = (await membersOf(deps, run)).slice(from, to);
  const matched = await recordOutcomes(deps, run, at, members, outcomes);
  const counted = afterCalls(withBatches(asked, at, { ...batch, isDone: true }), calls);
  const { counts } = counted;
  const of = (kind: SubmittedOutcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length;
  return {
    kind: 'again',
    run: {
      ...counted,
      exports: [
        ...counted.exports,
        ...[...new Set(matched.map(({ groupId }) => groupId))]
          .filter((groupId) => !counted.exports.some((known) => known.groupId === groupId))
          .map((groupId) => ({ groupId })),
      ],
      counts: {
        ...counts,
        matched: counts.matched + matched.length,
        notMatched: counts.notMatched + of('not-matched'),
        constrained: counts.constrained + of('constrained'),
      },
    },
  };
}

type FileReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'refused'; readonly answer: PayerStream };

/** Reads a file of a match as text. */
async function readFile(
  { gunzip }: RunDependencies,
  server: PayerServer,
  url: string,
  withToken: boolean,
): Promise<FileReading> {
  const stream = await server.open(url, { from: 0, withToken });
  try {
    if (stream.status !== 200) return { kind: 'refused', answer: stream };
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    for await (const chunk of isGzipped(stream) === true ? gunzip(stream.body) : stream.body) {
      bytes += chunk.length;
      if (bytes > runLimits.documentBytes) return { kind: 'too-large' };
      text += decoder.decode(chunk, { stream: true });
    }
    return { kind: 'text', text: text + decoder.decode() };
  } finally {
    stream.close();
  }
}

/**
 * Records the outcome of each member. A Patient there that the payer gives for two members here is neither's: their data can't be told
 * apart.
 */
async function recordOutcomes(
  deps: RunDependencies,
  run: ExchangeRun,
  at: number,
  members: readonly RunMember[],
  outcomes: readonly SubmittedOutcome[],
): Promise<readonly MemberThere[]> {
  const byId = new Map(members.map((member) => [member.exchangeId, member]));
  const known = outcomes.filter(({ submitted }) => byId.has(submitted));
  const claims = Map.groupBy(
    known.filter(({ there }) => there !== undefined),
    ({ there }) => there ?? '',
  );
  const isShared = (there: string | undefined) =>
    new Set((claims.get(there ?? '') ?? []).map(({ submitted }) => submitted)).size > 1;
  const matched = known.flatMap(({ kind, submitted, groupId, there }) => {
    const member = byId.get(submitted);
    return kind === 'matched' && member !== undefined && there !== undefined && !isShared(there)
      ? [{ ...member, groupId, there }]
      : [];
  });
  const matchedIds = new Set(matched.map(({ exchangeId }) => exchangeId));
  const constrainedIds = new Set(
    known.filter(({ kind }) => kind === 'constrained').map(({ submitted }) => submitted),
  );
  const others = members.filter(({ exchangeId }) => !matchedIds.has(exchangeId));
  await deps.files.put(runMatchesKey(run.runId, at), JSON.stringify(matched));
  const first = [...new Map(matched.toReversed().map((each) => [each.exchangeId, each])).values()];
  await actOnMembers(deps, first, 'match', ({ groupId, there }) => ({
    changes: { match: { groupId, patientId: there } },
  }));
  await actOnMembers(
    deps,
    others.filter(({ exchangeId }) => constrainedIds.has(exchangeId)),
    'constrain',
    () => ({}),
  );
  await actOnMembers(
    deps,
    others.filter(({ exchangeId }) => !constrainedIds.has(exchangeId)),
    'find-none',
    ({ exchangeId }) => {
      const answered = known.some(({ submitted }) => submitted === exchangeId);
      return { changes: { because: answered ? undefined : 'not_answered' } };
    },
  );
  return matched;
}
