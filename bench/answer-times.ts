/**
 * Measures how long refused requests of other payers take: no refusal may reveal by its time who is a member. Prints, for each reason of a
 * refusal, the median time and Mann–Whitney's z against the refusal of an unknown identifier. Used by `npm run bench:payer`.
 */

import { randomUUID } from 'node:crypto';
import { createDisclosureRecorder } from '../lambdas/audit/store/audit-events-contract.ts';
import { memberMatchLimits } from '../lambdas/catalog/payer/member-match-rules.ts';
import { createPatientCompartment } from '../lambdas/fhir/store/resource-store.ts';
import { matchMember } from '../lambdas/payer-access/match/member-match.ts';
import type { MatchLimits } from '../lambdas/payer-access/permission/member-match-port.ts';
import { admitToMembers } from '../lambdas/payer-access/release/matched-member.ts';
import { createMatchedPatients } from '../lambdas/payer-access/store/matched-patients.ts';
import { createPayerGrants } from '../lambdas/payer-access/store/payer-grants.ts';
import { createMatchStore } from '../lambdas/payer-access/store/payer-matches.ts';
import { permissionEndWrites } from '../lambdas/payer-access/store/permission-ends-contract.ts';
import { answerAtStep } from '../lambdas/platform/kernel/answer-steps.ts';
import { digests } from '../lambdas/platform/runtime/digests.ts';
import { systemTimer } from '../lambdas/platform/runtime/timer.ts';
import type { Table } from '../lambdas/platform/table/table.ts';

/** Members of a filled store, by number, with the values that another payer's requests have of them. */
export interface AskedMembers {
  readonly lob: 'DSNP';
  /** The payer's application that matched the members. */
  readonly clientId: string;
  /** Another application of the same organization, which has matched nobody. */
  readonly otherClientId: string;
  readonly count: number;
  memberIdOf(number: number): string;
  patientIdOf(number: number): string;
  /** The parameters of a request that matches a member. */
  bundleOf(number: number): readonly { readonly name: string; readonly resource: object }[];
}

type Question = (number: number) => Promise<{ readonly kind: string }>;
type Questions = Readonly<Record<string, Question>>;

/** Match limits that are never reached: failed matches are counted by identifier, and the measurement sends many for each. */
const noLimits: MatchLimits = {
  begin: async () => ({ kind: 'allowed' }),
  succeeded: async () => {},
};

/**
 * Sends `requests` requests of each kind in random order and prints the times of the work behind the answers; then, for a tenth as many,
 * the times of the answers themselves, which are delayed to whole steps.
 */
export async function printAnswerTimes(table: Table, members: AskedMembers, requests: number): Promise<void> {
  const { lob, clientId } = members;
  const [now, uuid] = [Date.now, randomUUID];
  const store = createMatchStore(table, { lob, environment: 'sandbox', now, uuid });
  const matching = { store, limits: noLimits, sha256: digests.sha256Hex, now };
  const access = {
    ...{ store, now, compartment: createPatientCompartment(table, lob) },
    grants: createPayerGrants(table, { lob, environment: 'sandbox', now, uuid }),
    matched: createMatchedPatients(table, lob, now),
    audit: createDisclosureRecorder({ table, lob, environment: 'sandbox', now, uuid }),
  };
  const contextOf = (id: string) => ({
    clientId: id,
    products: ['payer-access' as const],
    scope: 'system/*.rs',
    tokenExpiresAt: 4_000_000_000,
  });
  const match = (parts: readonly object[]) =>
    matchMember(matching, {
      ...{ clientId, requestId: uuid(), context: contextOf(clientId) },
      text: JSON.stringify({ resourceType: 'Parameters', parameter: parts }),
    });
  const read = (patientId: string) =>
    admitToMembers(access, {
      ...{
        clientId: members.otherClientId,
        requestId: uuid(),
        type: 'Patient',
        id: patientId,
        parameters: [],
      },
      context: contextOf(members.otherClientId),
    });
  const held = (stepMilliseconds: number, questions: Questions): Questions =>
    Object.fromEntries(
      Object.entries(questions).map(([name, ask]) => [
        name,
        (number: number) =>
          answerAtStep(
            systemTimer,
            stepMilliseconds,
            () => true,
            () => ask(number),
          ),
      ]),
    );
  // Every measured member has ended the permission of this payer, so a request with right data is refused for that reason alone.
  const ended = new Date().toISOString();
  for (let number = 0; number < Math.min(requests, members.count); number += 1) {
    const [write] = permissionEndWrites(lob, members.patientIdOf(number), [`client ${clientId}`], ended);
    if (write !== undefined) await table.transact([write]);
  }
  // A request with two member identifiers, in the coverage and in the Patient.
  const asked = (first: string, second: string, number: number, change: object = {}) =>
    match(
      members.bundleOf(number).map(({ name, resource }) => {
        if (name === 'CoverageToMatch') return { name, resource: { ...resource, subscriberId: first } };
        if (name === 'Consent') return { name, resource };
        return { name, resource: { ...resource, ...change, identifier: [{ value: second }] } };
      }),
    );
  const on = (number: number) => members.memberIdOf(number % members.count);
  const off = (number: number) => `NOBODY${number}`;
  const matches: Questions = {
    'nobody has the identifiers': (number) => asked(off(number), off(number + requests), number),
    'the birth date is another': (number) =>
      asked(on(number), off(number + 2 * requests), number, { birthDate: '1901-01-01' }),
    'several members match': (number) => asked(on(number), on(number + 1), number),
    'the permission has ended': (number) => asked(on(number), off(number + 3 * requests), number),
  };
  const reads: Questions = {
    'nobody has the ID': () => read(uuid()),
    'the member was matched for another': (number) => read(members.patientIdOf(number % members.count)),
  };
  const { refusalStepMilliseconds, notFoundStepMilliseconds } = memberMatchLimits;
  await printTimes('work of a refused $member-match', requests, matches);
  await printTimes('work of a read of another payer’s member', requests, reads);
  const few = Math.ceil(requests / 10);
  await printTimes('answers of refused $member-match', few, held(refusalStepMilliseconds, matches));
  await printTimes('answers of reads of another payer’s member', few, held(notFoundStepMilliseconds, reads));
}

/** Prints median and z of each kind of question, in milliseconds. The first kind is the one that the others are compared with. */
async function printTimes(what: string, requests: number, questions: Questions): Promise<void> {
  const kinds = Object.entries(questions).map(([name, ask]) => ({ name, ask, times: [] as number[] }));
  const warmUp = Math.ceil(requests / 10);
  for (let number = 0; number < requests; number += 1) {
    for (const { name, ask, times } of kinds.toSorted(() => Math.random() - 0.5)) {
      const startedAt = performance.now();
      const { kind } = await ask(number);
      if (kind !== 'refusal') throw new Error(`${name}: ${kind}`);
      if (number >= warmUp) times.push(performance.now() - startedAt);
    }
  }
  console.log(`${what}: ${requests - warmUp} refused of each kind, in turns`);
  const [first = []] = kinds.map(({ times }) => times);
  for (const { name, times } of kinds) {
    const beside = times === first ? '' : `, z ${mannWhitney(first, times).toFixed(2)}`;
    console.log(`  ${name}: median ${median(times).toFixed(3)} ms${beside}`);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Standardized rank sum of the second sample (Mann and Whitney 1947, normal approximation): beyond ±3 the samples differ. */
export function mannWhitney(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((value) => ({ value, isSecond: false })),
    ...second.map((value) => ({ value, isSecond: true })),
  ];
  all.sort((one, other) => one.value - other.value);
  const ranks = all.reduce((sum, { isSecond }, at) => sum + (isSecond ? at + 1 : 0), 0);
  const [m, n] = [first.length, second.length];
  const u = ranks - (n * (n + 1)) / 2;
  return (u - (m * n) / 2) / Math.sqrt((m * n * (m + n + 1)) / 12);
}
