/** Hook of an operator's review pages: the position of an application or account in the queue, and navigation to the next one. */

import { useLocation } from 'preact-iso/router';
import type { QueueItem } from '../../../lambdas/portal/api/operator-views.ts';
import { call } from '../../api/portal-client.ts';
import { useRemote } from '../applications/remote.tsx';
import { itemAddress, nextInQueue, queueQuery, queueShown, readQueueChoice, todayOf } from './queue-model.ts';
import { keepTaken, type Taken } from './taken.ts';

export interface QueuePlace {
  /** Address of the queue, with the filters that led here. */
  readonly queue: string;
  /** `3 of 12`; undefined if the application or account is not in the queue. */
  readonly words: string | undefined;
  readonly next: string | undefined;
  readonly previous: string | undefined;
  /** After a decision, opens the next entry of the queue, or the queue itself after the last. Stays on the page if it was not in the queue. */
  goOn(decided: Pick<Taken, 'name' | 'words'>): Promise<void>;
}

/** @param id of the application or account. */
export function useQueuePlace(id: string): QueuePlace {
  const { query, path, route } = useLocation();
  const choice = readQueueChoice(query);
  const remote = useRemote(() => call('GET /api/operations/queue'), id);
  const items = remote.value?.items ?? [];
  const current = items.find((item) => item.id === id);
  const shownOf = (all: readonly QueueItem[]) => queueShown(all, choice, todayOf(Date.now()));
  const shown = shownOf(items);
  const at = shown.findIndex((item) => item.id === id);
  const address = (item: QueueItem | undefined) => item && itemAddress(item, choice);
  const queue = `/operations${queueQuery(choice)}`;
  return {
    queue,
    words: at === -1 ? undefined : `${at + 1} of ${shown.length}`,
    next: at === -1 ? address(shown[0]) : address(shown[at + 1]),
    previous: address(shown[at - 1]),
    async goOn(decided) {
      if (current === undefined) return;
      // Reads the queue again, because other operators decide and developers submit meanwhile. If that fails, the queue read before is used.
      const outcome = await call('GET /api/operations/queue');
      const present = outcome.ok ? outcome.value.items : items;
      if (location.pathname !== path) return;
      const to = address(nextInQueue(shownOf(present), current, choice.order)) ?? queue;
      keepTaken({ ...decided, href: path, followedBy: to.replace(/\?.*/, '') });
      route(to);
    },
  };
}
