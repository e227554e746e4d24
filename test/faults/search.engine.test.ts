import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Item } from '../../lambdas/platform/table/table.ts';
import { patientResourceKey } from '../../lambdas/platform/table/table-keys.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { contextOf, lob, startPatientAccess } from '../patient-access/patient-access-world.ts';
import type { Fault } from '../support/faulty-proxy.ts';
import { inTurn } from '../support/matrix-turn.ts';
import { cases, distinctCases, planAt } from './faults.ts';

/**
 * Breaks each store call of a search with includes and of `$everything` with every fault. Resources that are sent are recorded by one event
 * that names all of them, and a second event corrects one that named too many. A failed request is answered with 503 and no data, and can
 * be repeated.
 */

vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeoutsAndInstantRetries(await original()),
);

const member = syntheticMembers('sandbox').find((each) => each.lob === lob);
if (member === undefined) throw new Error(`No member of ${lob}`);
const { patientId } = member;
const claims = member.resources.filter(({ resourceType }) => resourceType === 'ExplanationOfBenefit');

/** Three more copies of the claims, so that a page with its included resources takes more than one batch read. */
const copies = [1, 2, 3].flatMap((round) =>
  claims.map((claim) => {
    const id = `copy${round}-${claim.id}`.slice(0, 64);
    return { ...claim, id, json: claim.json.replaceAll(claim.id, id) };
  }),
);
const resources = [...member.resources, ...copies];

const searches = {
  'a search with all it includes': {
    resource: '/ExplanationOfBenefit',
    query: { _count: '100', _include: 'ExplanationOfBenefit:*' },
  },
  'everything of a member': {
    resource: '/Patient/{id}/{operation}',
    id: patientId,
    operation: '$everything',
    query: { _count: '100' },
  },
} as const;
const names = Object.keys(searches) as readonly (keyof typeof searches)[];
const everyCase = names.flatMap((search) => cases.map((each) => ({ search, ...each })));
const everyDistinctCase = names.flatMap((search) => distinctCases.map((each) => ({ search, ...each })));

/** The operations of a search; each attempt of each call can be broken. One BatchGetItem reads grant and labels. */
const operations = ['Query', 'BatchGetItem', 'PutItem'] as const;

const world = await startPatientAccess();
afterAll(() => world.stop());
await world.load({ patientId, resources });
beforeEach(async () => {
  await world.setGrant(patientId, 'active');
});

interface Outcome {
  readonly answer: APIGatewayProxyResult;
  /** The audit events of this call. */
  readonly events: readonly Item[];
  readonly calls: number;
}

async function run(search: keyof typeof searches, break_: () => void = () => undefined): Promise<Outcome> {
  const { resource, ...parts } = searches[search];
  const requestId = randomUUID();
  world.proxy.plan();
  break_();
  const headers = { 'X-Request-Id': requestId };
  const answer = await world.call(resource, { ...parts, headers, authorizer: contextOf(patientId) });
  const calls = world.proxy.calls.length;
  world.proxy.plan();
  return { answer, events: await eventsOf(requestId), calls };
}

/** The audit events of one request, in order. */
async function eventsOf(requestId: string): Promise<readonly Item[]> {
  const newest = { pk: `AUDIT#${lob}#PATIENT#${patientId}`, descending: true, limit: 10 };
  const { items } = await world.table.query(newest);
  return items.filter((item) => item.clientRequestId === requestId).reverse();
}

function sent({ body }: APIGatewayProxyResult): readonly string[] {
  const { entry } = JSON.parse(body) as {
    readonly entry: readonly { readonly resource: { readonly resourceType: string; readonly id: string } }[];
  };
  return entry.map(({ resource: { resourceType, id } }) => `${resourceType}/${id}`);
}

/** Expects 503 with `Retry-After` and no data of the member, and at most one audit event, of the page that was not sent. */
function expectNothingSent({ answer, events }: Outcome): void {
  expect(answer.statusCode).toBe(503);
  expect(answer.headers).toMatchObject({ 'Retry-After': '1', 'Content-Type': 'application/fhir+json' });
  expect(JSON.parse(answer.body)).toMatchObject({
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'error', code: 'transient' }],
  });
  for (const { id } of resources) expect(answer.body).not.toContain(id);
  expect(events.filter(({ corrects }) => corrects === undefined).length).toBeLessThanOrEqual(1);
}

/** Expects the page, and one audit event that names its resources and no others. */
function expectOnRecord({ answer, events }: Outcome, whole: readonly string[]): void {
  expect(answer.statusCode).toBe(200);
  expect(sent(answer)).toEqual(whole);
  expect(events).toMatchObject([{ outcome: 'disclosed', resources: whole }]);
  expect(events[0]).not.toHaveProperty('corrects');
}

/** Runs a search again and again, each time with the fault at another call, until every call was broken. */
async function breakEachCall(
  search: keyof typeof searches,
  { met, duration }: { readonly met: Fault; readonly duration: 'once' | 'for good' },
  look: (outcome: Outcome) => void,
): Promise<number> {
  for (let at = 0; ; at += 1) {
    const outcome = await run(search, () => world.proxy.plan(...planAt(at, met, duration)));
    if (outcome.calls <= at) return at;
    look(outcome);
  }
}

describe('a search whose store calls break', () => {
  it.each(
    inTurn(everyCase),
  )('is sent and on record, or neither: $search, when $fault, $duration', async (each) => {
    const whole = sent((await run(each.search)).answer);
    expect(whole.length).toBeGreaterThan(each.search === 'everything of a member' ? 99 : 100);
    const broken = await breakEachCall(each.search, each, (outcome) => {
      if (outcome.answer.statusCode === 200) return expectOnRecord(outcome, whole);
      // Fails only if the fault lasts: a retry overcomes one broken attempt.
      expect(each.duration).toBe('for good');
      expectNothingSent(outcome);
    });
    // At least four calls: grant with labels, index entries, bodies, event.
    expect(broken).toBeGreaterThanOrEqual(4);
    expectOnRecord(await run(each.search), whole);
  });

  it.each(
    everyDistinctCase
      .filter(({ duration }) => duration === 'for good')
      .flatMap((each) => operations.map((operation) => ({ ...each, operation }))),
  )('sends nothing while every $operation breaks: $search, when $fault', async (each) => {
    const outcome = await run(each.search, () => world.proxy.breakEvery(each.operation, each.met));
    expectNothingSent(outcome);
    // Until grant, labels and entries are read, nothing is recorded as sent.
    if (each.operation !== 'PutItem') expect(outcome.events).toEqual([]);
  });

  it.each(
    inTurn(everyDistinctCase),
  )('is refused by a revoked grant: $search, when $fault, $duration', async (each) => {
    await world.setGrant(patientId, 'revoked');
    const broken = await breakEachCall(each.search, each, (outcome) => {
      expect(outcome.events.filter((event) => event.outcome === 'disclosed')).toEqual([]);
      if (outcome.answer.statusCode === 503) return expectNothingSent(outcome);
      expect(outcome.answer.statusCode).toBe(401);
      expect(outcome.events).toMatchObject([{ outcome: 'refused', reason: 'grant_revoked' }]);
    });
    expect(broken).toBeGreaterThanOrEqual(3);
  });
});

describe('a search whose resource was deleted since its entry was read', () => {
  it.each(
    inTurn(everyDistinctCase),
  )('is put right or not sent: $search, when $fault, $duration', async (each) => {
    const gone = member.resources.find(({ resourceType }) => resourceType === 'Coverage');
    if (gone === undefined) throw new Error('No Coverage');
    await world.table.transact([{ delete: patientResourceKey(lob, patientId, 'Coverage', gone.id) }]);
    try {
      const broken = await breakEachCall(each.search, each, (outcome) => {
        if (outcome.answer.statusCode === 503) return expectNothingSent(outcome);
        expect(outcome.answer.statusCode).toBe(200);
        const [first, second, ...more] = [...outcome.events].sort(
          (a, b) => Number('corrects' in a) - Number('corrects' in b),
        );
        expect(more).toEqual([]);
        expect(first).toMatchObject({ outcome: 'disclosed' });
        expect(first?.resources).toContain(`Coverage/${gone.id}`);
        expect(second).toMatchObject({
          outcome: 'disclosed',
          resources: sent(outcome.answer),
          corrects: String(first?.sk).split('#')[1],
        });
        expect(sent(outcome.answer)).not.toContain(`Coverage/${gone.id}`);
      });
      // One call more than the search above, for the correcting event.
      expect(broken).toBeGreaterThanOrEqual(5);
    } finally {
      await world.load({ patientId, resources: [gone] });
    }
  });
});
