import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createSdkTable } from '../../lambdas/platform/table/sdk-table.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import { startTestEngine, testCredentials } from '../support/engine.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { type ClaimText, createMember, type Member } from '../support/ingest-world.ts';
import { inTurn } from '../support/matrix-turn.ts';
import { distinctCases, planAt } from './faults.ts';

/**
 * Breaks each store call of the load of a member with every fault: an index entry and its resource are both there or neither, nobody signs
 * in to a half loaded member, and a repeat of the load completes it.
 */

vi.mock('../../lambdas/platform/table/dynamodb-call.ts', async (original) =>
  (await import('../support/store-waits.ts')).withTestTimeoutsAndInstantRetries(await original()),
);

const engine = await startTestEngine();
const proxy = await startFaultyProxy(engine.endpoint);
const well = createSignedTable(engine);
const { endpoint } = proxy;
const client = new DynamoDBClient({
  endpoint,
  region: 'us-east-1',
  credentials: testCredentials,
  maxAttempts: 1,
});
const breakable = createSdkTable({ tableName: engine.tableName, client });
afterAll(async () => {
  await proxy.stop();
  await engine.stop();
});

const claims = (count: number, version = 1): readonly ClaimText[] =>
  Array.from({ length: count }, (_, n) => ({ id: `e${n}`, version, says: `${n}`, bytes: n % 2 ? 6_000 : 0 }));

/** More resources than a transaction holds. */
const many = 60;

interface Loading {
  readonly name: string;
  readonly before?: (member: Member) => Promise<unknown>;
  readonly load: (member: Member) => ReturnType<Member['load']>;
  readonly resources: number;
  /** Number of audit events: one for each transaction that was carried out. */
  readonly events: number;
  readonly removed: readonly string[];
}

const loadings: readonly Loading[] = [
  {
    name: 'a new member',
    load: (member) => member.load(claims(many)),
    resources: many + 1,
    events: 2,
    removed: [],
  },
  {
    name: 'newer versions, some taken back',
    before: (member) => member.load(claims(many)),
    load: (member) => member.load(claims(many - 5, 2), ['e57', 'e58', 'e59']),
    resources: many - 3 + 1,
    events: 4,
    removed: ['57', '58', '59'].map((n) => `ExplanationOfBenefit/e${n}`),
  },
];

describe.each(loadings)('loading $name', ({ name, before, load, resources, events, removed }) => {
  it.each(inTurn(distinctCases, name))('when $fault, $duration', async ({ met, duration }) => {
    let at = 0;
    for (; ; at += 1) {
      const member = createMember(breakable, well);
      await before?.(member);
      proxy.plan(...planAt(at, met, duration));
      const answer = await load(member).catch((error: Error) => error.name);
      const calls = proxy.calls.length;
      proxy.plan();
      if (calls <= at) break;
      // Index entries and resources agree after every answer, and an answered load is complete.
      const found = await member.compartment();
      if (typeof answer === 'string') expect(answer).toBe('StoreUnavailable');
      else {
        expect(answer).toMatchObject({ kind: 'loaded' });
        expect(found.size).toBe(resources);
      }
      if (before === undefined && found.size < resources) expect(await member.linked()).toBe(false);
      expect(await load(member)).toMatchObject({ kind: 'loaded' });
      expect((await member.compartment()).size).toBe(resources);
      expect(await member.linked()).toBe(true);
      const recorded = await member.loadEvents();
      expect(recorded).toHaveLength(events);
      expect(recorded.flat()).toEqual(removed);
    }
    // At least two reads, the link of the account, and two transactions.
    expect(at).toBeGreaterThanOrEqual(5);
  });
});
