/** Operators' page of the queue: filters that live in the address, rows that keys go through. */

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { interfaceFamilies } from '../../../lambdas/catalog/interface-families.ts';
import type { QueueItem } from '../../../lambdas/portal/api/operator-views.ts';
import { call } from '../../api/portal-client.ts';
import { DataTable, Day, Tag } from '../../components/display.tsx';
import { Loaded, useRemote } from '../applications/remote.tsx';
import { Console, FilterSelect } from './console.tsx';
import { ageWords } from './decision-model.ts';
import {
  countWords,
  isLate,
  itemAddress,
  type QueueChoice,
  queueFilters,
  queueKinds,
  queueQuery,
  queueShown,
  readQueueChoice,
  todayOf,
  verdictWords,
} from './queue-model.ts';
import { Shortcuts } from './shortcuts.tsx';
import { TakenAlert } from './taken-alert.tsx';

/** The queue of items that wait for a decision. */
export default function QueuePage() {
  const { query, path, route } = useLocation();
  const choice = readQueueChoice(query);
  const queue = useRemote(() => call('GET /api/operations/queue'), 'queue');
  const now = useNow();
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setInterval(queue.reload, 60_000);
    return () => clearInterval(timer);
  }, []);
  const all = queue.value?.items;
  const shown = queueShown(all ?? [], choice, todayOf(now));
  const choose = (changed: Partial<QueueChoice>) => route(path + queueQuery({ ...choice, ...changed }), true);
  const move = (by: 1 | -1) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('tbody th a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[at === -1 ? 0 : at + by]?.focus();
  };
  return (
    <Console title="Operations" path="/operations">
      <TakenAlert path="/operations" />
      <Filters choice={choice} onChoose={choose} search={search} />
      <div class="console-line">
        <p role="status">{all !== undefined && countWords(shown.length, all.length)}</p>
        <Shortcuts
          shortcuts={[
            { key: 'j', words: 'Go to the next row; Enter opens it', act: () => move(1) },
            { key: 'k', words: 'Go to the row before', act: () => move(-1) },
            { key: '/', words: 'Search', act: () => search.current?.focus() },
          ]}
        />
      </div>
      <Loaded remote={queue} words="Loading the queue…">
        {({ items }) => (
          <div ref={list}>
            <DataTable
              caption="Queue"
              columns={['Name', 'Company', 'Interfaces', 'Verdict at submission', 'Waiting', 'Expected by']}
              rows={shown.map((item) => rowOf(item, choice, now))}
              empty={
                items.length === 0
                  ? 'There are no decisions waiting. New submissions appear here automatically.'
                  : 'No waiting decision matches. Change the search or the filters.'
              }
            />
          </div>
        )}
      </Loaded>
    </Console>
  );
}

function Filters(props: {
  readonly choice: QueueChoice;
  readonly onChoose: (changed: Partial<QueueChoice>) => void;
  readonly search: { current: HTMLInputElement | null };
}) {
  const { choice, onChoose } = props;
  const id = useId();
  return (
    <search class="filter filter--queue">
      <div>
        <label class="usa-label" for={id}>
          Search
        </label>
        <input
          ref={props.search}
          class="usa-input"
          type="search"
          id={id}
          placeholder="Name or company"
          value={choice.search}
          onInput={(event) => onChoose({ search: event.currentTarget.value })}
        />
      </div>
      {queueFilters.map((filter) => (
        <FilterSelect
          key={filter.name}
          label={filter.label}
          value={choice[filter.name] ?? ''}
          options={[
            ...('all' in filter ? [{ value: '', label: filter.all }] : []),
            ...filter.options.map(([value, label]) => ({ value, label })),
          ]}
          onChoose={(value) => onChoose(readQueueChoice({ ...choice, [filter.name]: value }))}
        />
      ))}
    </search>
  );
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

function rowOf(item: QueueItem, choice: QueueChoice, now: number) {
  return {
    key: `${item.kind} ${item.id}`,
    cells: [
      <span key="name">
        <a href={itemAddress(item, choice)} dir="auto">
          {item.name}
        </a>{' '}
        <Marks item={item} />
      </span>,
      item.company,
      item.products?.map((product) => interfaceFamilies[product].name).join(', ') ?? '–',
      verdictWords(item),
      <time key="since" dateTime={item.since}>
        {ageWords(item.since, now)}
      </time>,
      <span key="expected">
        <Day at={item.expectedBy} /> {isLate(item, todayOf(now)) && <Tag kind="bad">Late</Tag>}
      </span>,
    ],
  };
}

const ownActWords: Readonly<Record<NonNullable<QueueItem['ownAct']>, string>> = {
  reject: 'You rejected it: another operator decides',
  approve: 'You approved it: another operator must agree',
};

/** Tags of an item that is more than an application waiting for its first decision. */
function Marks({ item: { kind, appeal, approvedBy, ownAct } }: { readonly item: QueueItem }) {
  return (
    <>
      {kind !== 'application' && <Tag>{queueKinds[kind].name}</Tag>}{' '}
      {appeal === true && <Tag kind="waiting">Appeal</Tag>}{' '}
      {ownAct !== undefined && <Tag>{ownActWords[ownAct]}</Tag>}{' '}
      {ownAct === undefined && approvedBy !== undefined && (
        <Tag kind="waiting">Approved by {approvedBy}, one more approval needed</Tag>
      )}
    </>
  );
}
