import { describe, expect, it } from 'vitest';
import type { QueueItem } from '../../lambdas/portal/api/operator-views.ts';
import {
  countWords,
  isLate,
  itemAddress,
  nextInQueue,
  queueQuery,
  queueShown,
  readQueueChoice,
} from '../../portal-static/pages/operations/queue-model.ts';
import { queued } from './applications-fixtures-more.ts';

const today = '2026-11-27';
const shown = (query: Readonly<Record<string, string>>, items: readonly QueueItem[]) =>
  queueShown(items, readQueueChoice(query), today).map(({ id }) => id);

const items = [
  queued('new', { since: '2026-11-26T10:00:00Z', name: 'Steps', products: ['provider-directory'] }),
  queued('old', { since: '2026-11-20T10:00:00Z', expectedBy: '2026-11-26', company: 'Harbor Health' }),
  queued('warned', { since: '2026-11-25T10:00:00Z', verdict: { fix: 0, check: 2, open: 0, passed: 9 } }),
  queued('appealed', { since: '2026-11-24T10:00:00Z', appeal: true, ownAct: 'reject' }),
  queued('payer', { kind: 'account', since: '2026-11-23T10:00:00Z' }),
];

describe('the queue', () => {
  it('has the oldest first, or what needs most first', () => {
    expect(shown({}, items)).toEqual(['old', 'payer', 'appealed', 'warned', 'new']);
    expect(shown({ order: 'worst' }, items)).toEqual(['warned', 'old', 'payer', 'appealed', 'new']);
  });

  it.each([
    [{ search: 'harbor' }, ['old']],
    [{ search: 'STEPS river' }, ['new']],
    [{ kind: 'account' }, ['payer']],
    [{ product: 'provider-directory' }, ['new']],
    [{ show: 'appeal' }, ['appealed']],
    [{ show: 'late' }, ['old']],
    [{ show: 'check' }, ['warned']],
    [{ show: 'mine', kind: 'application' }, ['old', 'warned', 'new']],
  ])('is filtered by %j', (query, ids) => {
    expect(shown(query as Readonly<Record<string, string>>, items)).toEqual(ids);
  });

  it('reads its filters from the address and writes them there; what is none is left out', () => {
    const query = { search: 'a & b', product: 'payer-access', order: 'worst' };
    const written = queueQuery(readQueueChoice(query));
    expect(Object.fromEntries(new URLSearchParams(written))).toEqual(query);
    expect(queueQuery(readQueueChoice({ kind: 'x', order: 'y', team: 'z' }))).toBe('');
    expect(itemAddress(queued('app-2'), readQueueChoice({ show: 'late' }))).toBe(
      '/operations/applications/app-2?show=late',
    );
  });

  it('leads from each to the next one that the operator can decide, and from the last to the first', () => {
    const list = queueShown(items, readQueueChoice({}), today);
    const next = (id: string) =>
      nextInQueue(list, list.find((one) => one.id === id) as QueueItem, 'oldest')?.id;
    expect([next('old'), next('payer'), next('new')]).toEqual(['payer', 'warned', 'old']);
    const decided = queued('gone', { since: '2026-11-25T12:00:00Z' });
    expect(nextInQueue(list, decided, 'oldest')?.id).toBe('new');
    expect(nextInQueue([decided], decided, 'oldest')).toBeUndefined();
  });

  it('says how many are shown of how many, and which are late', () => {
    expect([countWords(0, 0), countWords(1, 1), countWords(2, 12)]).toEqual([
      '',
      '1 decision waiting',
      '2 of 12 decisions waiting',
    ]);
    expect(items.filter((item) => isLate(item, today)).map(({ id }) => id)).toEqual(['old']);
  });
});
