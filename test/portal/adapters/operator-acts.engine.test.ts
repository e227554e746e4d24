import { describe, expect, it } from 'vitest';
import {
  operatorActWrite,
  operatorRecord,
  readOperatorActs,
} from '../../../lambdas/portal/adapters/operator-acts.ts';
import type { OperatorActsView } from '../../../lambdas/portal/api/operator-views.ts';
import { createEmptyTable } from '../../support/empty-table.ts';
import {
  bodyOf,
  call,
  decide,
  operator,
  otherOperator,
  portalWorld,
  problemOf,
  submitted,
} from '../applications/portal-world.ts';

const table = await createEmptyTable();

describe('the acts of an operator', () => {
  it('are written with their decisions, and read by the operator alone', async () => {
    const world = portalWorld(table);
    const view = await submitted(world);
    const reason = 'It names no one.';
    const asked = { act: 'request_changes', criterion: 'privacy-policy', reason } as const;
    bodyOf(await decide(world, view, asked));
    problemOf(await decide(world, view, { act: 'approve' }));
    const { acts } = bodyOf<OperatorActsView>(await call(world, 'ownActs', { session: operator }));
    expect(acts).toEqual([
      {
        at: expect.any(String),
        kind: 'application',
        id: view.applicationId,
        name: 'Sunrise Health',
        act: 'request_changes',
        criterion: 'privacy-policy',
        words: reason,
      },
    ]);
    expect(bodyOf(await call(world, 'ownActs', { session: otherOperator }))).toEqual({ acts: [] });
  });

  it('are found between two times, in pages, and who asks is recorded before each', async () => {
    const at = (number: number) => new Date(Date.UTC(2026, 10, 20, 10, number)).toISOString();
    for (let number = 0; number < 120; number += 1) {
      const act = {
        at: at(number),
        kind: 'account',
        id: `account-${number}`,
        name: 'Ada',
        act: 'suspend',
      } as const;
      await table.transact([operatorActWrite('op-8', `event-${number}`, act)]);
    }
    let asked = 0;
    const uuid = () => {
      asked += 1;
      return `question-${asked}`;
    };
    const ports = { table, now: () => Date.UTC(2026, 11, 1) + asked, uuid };
    const request = { operatorId: 'op-8', askedBy: 'officer', purpose: 'review' } as const;
    const found: string[] = [];
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const page = await operatorRecord(ports, {
        ...{ ...request, from: at(10), until: at(110) },
        ...(after !== undefined && { after }),
      });
      found.push(...page.acts.map((act) => act.at));
      after = page.next;
    }
    expect(found).toEqual(Array.from({ length: 100 }, (_, number) => at(109 - number)));
    const { acts } = await readOperatorActs(table, 'officer', undefined);
    expect(acts).toHaveLength(asked);
    expect(acts[0]).toMatchObject({ id: 'op-8', act: 'ask_record', words: 'review' });
  });

  it('are read in pages, newest first', async () => {
    const numbers = Array.from({ length: 51 }, (_, number) => number);
    for (const number of numbers) {
      const at = new Date(Date.UTC(2026, 10, 20, 10, number)).toISOString();
      const act = { at, kind: 'account', id: `account-${number}`, name: 'Ada', act: 'suspend' } as const;
      await table.transact([operatorActWrite('op-9', `event-${number}`, act)]);
    }
    const first = await readOperatorActs(table, 'op-9', undefined);
    expect(first.acts.map(({ id }) => id)).toEqual(
      numbers
        .slice(1)
        .reverse()
        .map((number) => `account-${number}`),
    );
    const { acts, next } = await readOperatorActs(table, 'op-9', first.next);
    expect([acts.map(({ id }) => id), next]).toEqual([['account-0'], undefined]);
  });

  it('are not read from a position that no page gave', async () => {
    const world = portalWorld(table);
    const refused = await call(world, 'ownActs', { session: operator, query: { after: 'APPLICATION' } });
    expect(problemOf(refused)).toMatchObject({
      problem: 'invalid_request',
      errors: [{ pointer: '/after' }],
    });
  });
});
