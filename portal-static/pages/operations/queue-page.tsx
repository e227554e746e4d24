import { useEffect, useState } from 'preact/hooks';
import type { QueueItem } from '../../../lambdas/portal/api/operator-views.ts';
import { call } from '../../api/portal-client.ts';
import { DataTable, Tag, Time } from '../../components/display.tsx';
import { Loaded, useRemote } from '../applications/remote.tsx';
import { Console } from './console.tsx';
import { ageWords, queueKinds } from './decision-model.ts';

/** The queue of items that wait for a decision, oldest first. */
export default function QueuePage() {
  const queue = useRemote(() => call('GET /api/operations/queue'), 'queue');
  const now = useNow();
  useEffect(() => {
    const timer = setInterval(queue.reload, 60_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Console title="Operations" path="/operations" lead="Decisions waiting, oldest first.">
      <Loaded remote={queue} words="Loading the queue…">
        {({ items }) => (
          <>
            <p role="status">{countWords(items.length)}</p>
            <DataTable
              caption="Queue"
              columns={['Name', 'Type', 'Company', 'Waiting', 'Since']}
              rows={items.map((item) => rowOf(item, now))}
              empty="There are no decisions waiting. New submissions appear here automatically."
            />
          </>
        )}
      </Loaded>
    </Console>
  );
}

function countWords(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 decision waiting' : `${count} decisions waiting`;
}

/** The present, new each minute: ages grow while somebody looks at them. */
function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function rowOf(item: QueueItem, now: number) {
  const { name: kind, path } = queueKinds[item.kind];
  return {
    key: `${item.kind} ${item.id}`,
    cells: [
      <a key="name" href={`${path}/${item.id}`}>
        {item.name}
      </a>,
      <span key="kind">
        {kind}{' '}
        {item.approvedBy !== undefined && (
          <Tag kind="waiting">Approved by {item.approvedBy}, one more approval needed</Tag>
        )}
      </span>,
      item.company,
      ageWords(item.since, now),
      <Time key="since" at={item.since} />,
    ],
  };
}
