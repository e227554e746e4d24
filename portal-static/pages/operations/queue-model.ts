/** The operators' queue as its page shows it: filters and order, which are in the address, and what comes next. */

import {
  type Interface,
  interfaceFamilies,
  interfaceNames,
} from '../../../lambdas/catalog/interface-families.ts';
import type { QueueItem } from '../../../lambdas/portal/api/operator-views.ts';
import { verdictText } from '../../../lambdas/portal/api/verdict.ts';

export const queueKinds: Readonly<
  Record<QueueItem['kind'], { readonly name: string; readonly path: string }>
> = {
  application: { name: 'Application', path: '/operations/applications' },
  change: { name: 'Change', path: '/operations/applications' },
  account: { name: 'Account', path: '/operations/accounts' },
};
const kindNames = Object.keys(queueKinds) as readonly QueueItem['kind'][];

/** Whether an item is late. @param today a day of UTC, `2026-12-04`. */
export function isLate({ expectedBy }: QueueItem, today: string): boolean {
  return expectedBy < today;
}

interface Attention {
  readonly name: string;
  readonly holds: (item: QueueItem, today: string) => boolean;
}

const attentions = {
  appeal: { name: 'Appeals', holds: ({ appeal }) => appeal === true },
  late: { name: 'Late', holds: isLate },
  check: { name: 'With something to fix or check', holds: (item) => toDo(item) > 0 },
  second: { name: 'For a second approval', holds: ({ approvedBy }) => approvedBy !== undefined },
  mine: { name: 'That I can decide', holds: ({ ownAct }) => ownAct === undefined },
} as const satisfies Readonly<Record<string, Attention>>;
type AttentionName = keyof typeof attentions;
const attentionNames = Object.keys(attentions) as readonly AttentionName[];

const oldestFirst = (one: QueueItem, other: QueueItem) =>
  one.since.localeCompare(other.since) || one.id.localeCompare(other.id);

const orders = {
  oldest: { name: 'Oldest first', compare: oldestFirst },
  worst: {
    name: 'Most to fix or check first',
    compare: (one, other) => toDo(other) - toDo(one) || oldestFirst(one, other),
  },
} as const satisfies Readonly<
  Record<string, { readonly name: string; readonly compare: (one: QueueItem, other: QueueItem) => number }>
>;
type OrderName = keyof typeof orders;
const orderNames = Object.keys(orders) as readonly OrderName[];

/** Results of the pre-flight that an operator has to look at; one to fix goes before any number to check. */
function toDo({ verdict }: QueueItem): number {
  return verdict === undefined ? 0 : verdict.fix * 1000 + verdict.check;
}

/** Filters and order of the queue. */
export interface QueueChoice {
  /** Words of the name or company. */
  readonly search: string;
  readonly kind: QueueItem['kind'] | undefined;
  readonly product: Interface | undefined;
  readonly show: AttentionName | undefined;
  readonly order: OrderName;
}

type Query = Readonly<Record<string, string | undefined>>;

/** Reads filters and order from an address; a value that is none of them is left out. */
export function readQueueChoice(query: Query): QueueChoice {
  return {
    search: query.search ?? '',
    kind: kindNames.find((one) => one === query.kind),
    product: interfaceNames.find((one) => one === query.product),
    show: attentionNames.find((one) => one === query.show),
    order: orderNames.find((one) => one === query.order) ?? 'oldest',
  };
}

/** The query of an address with filters and order, with its question mark; empty where nothing is chosen. */
export function queueQuery({ search, kind, product, show, order }: QueueChoice): string {
  const given = Object.entries({
    search,
    kind,
    product,
    show,
    order: order === 'oldest' ? undefined : order,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** The choices of each filter, as its select lists them. */
export const queueFilters = [
  {
    name: 'kind',
    label: 'Type',
    all: 'All types',
    options: kindNames.map((value) => [value, queueKinds[value].name]),
  },
  {
    name: 'product',
    label: 'Interface',
    all: 'All interfaces',
    options: interfaceNames.map((value) => [value, interfaceFamilies[value].name]),
  },
  {
    name: 'show',
    label: 'Show',
    all: 'Everything',
    options: attentionNames.map((value) => [value, attentions[value].name]),
  },
  { name: 'order', label: 'Order', options: orderNames.map((value) => [value, orders[value].name]) },
] as const satisfies readonly {
  readonly name: keyof QueueChoice;
  readonly label: string;
  readonly all?: string;
  readonly options: readonly (readonly [string, string])[];
}[];

/** The items that the filters leave, in their order. @param today a day of UTC. */
export function queueShown(
  items: readonly QueueItem[],
  choice: QueueChoice,
  today: string,
): readonly QueueItem[] {
  const { search, kind, product, show, order } = choice;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (item: QueueItem) =>
    words.every((word) => `${item.name} ${item.company}`.toLowerCase().includes(word)) &&
    (kind === undefined || item.kind === kind) &&
    (product === undefined || item.products?.includes(product) === true) &&
    (show === undefined || attentions[show].holds(item, today));
  return items.filter(holds).sort(orders[order].compare);
}

/** An item's neighbours among those shown: the next ones from it on, round to the first. */
export function nextInQueue(
  shown: readonly QueueItem[],
  current: QueueItem,
  order: OrderName,
): QueueItem | undefined {
  const open = shown.filter(({ id, ownAct }) => id !== current.id && ownAct === undefined);
  return open.find((item) => orders[order].compare(item, current) > 0) ?? open[0];
}

/** The address of an item's page, which keeps the filters for the next one. */
export function itemAddress({ kind, id }: Pick<QueueItem, 'kind' | 'id'>, choice: QueueChoice): string {
  return `${queueKinds[kind].path}/${id}${queueQuery(choice)}`;
}

/** The number of items that wait, and of those that the filters leave. */
export function countWords(shown: number, all: number): string {
  if (all === 0) return '';
  const decisions = all === 1 ? 'decision' : 'decisions';
  return shown === all ? `${all} ${decisions} waiting` : `${shown} of ${all} ${decisions} waiting`;
}

/** The verdict of an item when it was submitted. */
export function verdictWords({ verdict }: QueueItem): string {
  return verdict === undefined ? '–' : verdictText(verdict);
}

/** Today as a day of UTC. */
export function todayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
