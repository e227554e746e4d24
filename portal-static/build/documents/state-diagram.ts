/** Draws the portal's state machines as SVG, from the tables of transitions that the stores enforce. */

import {
  type AccountState,
  accountTransitions,
  type PortalTransition,
} from '../../../lambdas/portal/catalog/account-states.ts';
import {
  type ApplicationState,
  applicationTransitions,
  type ChangeState,
  changeTransitions,
} from '../../../lambdas/portal/catalog/application-states.ts';

type Place = readonly [column: number, row: number];

interface Machine {
  /** Text alternative of the picture. */
  readonly title: string;
  readonly transitions: Readonly<Record<string, PortalTransition<string>>>;
  readonly grid: Readonly<Record<string, Place>>;
  /** Acts that lead from nearly every state to one, and are clearer in words. */
  readonly undrawn: readonly string[];
  /** Part of a slanted line's length after which its label is clear of boxes and of other labels. */
  readonly labelAt: number;
}

/** Only the positions of the states are set here. A state without a position is the end of an act that is not drawn. */
const machines = {
  application: {
    title: 'The lifecycle of an application. The table below has the same content as text.',
    transitions: applicationTransitions,
    undrawn: ['withdraw'],
    labelAt: 0.62,
    grid: {
      registered_in_sandbox: [0, 0],
      promoted_to_production: [1, 0],
      awaiting_operator_approval: [2, 0],
      changes_requested: [1, 1],
      rejected: [2, 1],
      approved: [3, 0],
      suspended: [3, 1],
      revoked: [2, 2],
    } satisfies Readonly<Record<Exclude<ApplicationState, 'withdrawn'>, Place>>,
  },
  change: {
    title: 'The way of a change to an approved application. The table below has the same content as text.',
    transitions: changeTransitions,
    undrawn: ['discard_change'],
    labelAt: 0.62,
    grid: {
      none: [1, 0],
      draft: [0, 0.75],
      awaiting_operator_approval: [2, 0.75],
      changes_requested: [1, 1.5],
      rejected: [1, 2.25],
    } satisfies Readonly<Record<ChangeState, Place>>,
  },
  account: {
    title: 'The way of a developer’s account. The table below has the same content as text.',
    transitions: accountTransitions,
    undrawn: ['close', 'refuse_organization'],
    labelAt: 0.4,
    grid: {
      pending_email: [0, 0],
      pending_phone: [0, 1],
      pending_terms: [1, 0],
      pending_verification: [1, 1],
      active: [2, 0],
      locked: [2, 1],
      suspended: [3, 0],
    } satisfies Readonly<Record<Exclude<AccountState, 'closed'>, Place>>,
  },
} as const satisfies Readonly<Record<string, Machine>>;

export type DrawnMachine = keyof typeof machines;
export const drawnMachines = Object.keys(machines) as readonly DrawnMachine[];

/** The acts of a state machine that its picture leaves out. */
export function undrawnActs(name: DrawnMachine): readonly string[] {
  return machines[name].undrawn;
}

const box = { width: 180, height: 60 };
const step = { x: 310, y: 170 };
const margin = 32;
/** Characters that fit between two boxes. */
const longestLine = 15;
const lineHeight = 18;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Edge {
  readonly start: Point;
  readonly end: Point;
  readonly acts: readonly string[];
  /** Whether a line leads back from `end` to `start`. */
  readonly isTwoWay: boolean;
}

function centre([column, row]: Place): Point {
  return { x: margin + box.width / 2 + column * step.x, y: margin + box.height / 2 + row * step.y };
}

/** Lists the lines of a picture: one for all acts that lead from one state to another. */
function edges({ transitions, grid, undrawn }: Machine): readonly Edge[] {
  const drawn = Object.entries(transitions)
    .filter(([act]) => !undrawn.includes(act))
    .flatMap(([act, { from, to }]) => from.map((state) => ({ act: nameOf(act), state, to })))
    .filter(({ state, to }) => state !== to);
  const pairs = [...new Set(drawn.map(({ state, to }) => `${state} ${to}`))];
  return pairs.map((pair) => {
    const [from = '', to = ''] = pair.split(' ');
    const acts = drawn.filter((edge) => edge.state === from && edge.to === to).map(({ act }) => act);
    const [start, end] = [from, to].map((state) => centre(grid[state] ?? [0, 0])) as [Point, Point];
    return { start, end, acts, isTwoWay: pairs.includes(`${to} ${from}`) };
  });
}

/** The name of an act; of a change only what is done to it. */
function nameOf(act: string): string {
  return act.replace(/_change(?!s)/, '').replaceAll('_', ' ');
}

/** Breaks a label into lines, between words. */
function linesOf(label: string): readonly string[] {
  const lines: string[] = [];
  for (const word of label.split(' ')) {
    const joined = [lines.at(-1), word].join(' ').trim();
    if (lines.length > 0 && joined.length <= longestLine) lines.pop();
    lines.push(joined.length <= longestLine ? joined : word);
  }
  return lines;
}

/** Finds the point where a line from a box's center crosses the box's border. */
function border(from: Point, to: Point): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const reach = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : box.width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : box.height / 2 / Math.abs(dy),
  );
  return { x: from.x + dx * reach, y: from.y + dy * reach };
}

function edgeMarkup({ start, end, acts, isTwoWay }: Edge, marker: string, labelAt: number): string {
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  // Lines in both directions between the same states are drawn side by side.
  const shift = isTwoWay ? 12 : 0;
  const normal = { x: (-(end.y - start.y) / length) * shift, y: ((end.x - start.x) / length) * shift };
  const moved = (point: Point) => ({ x: point.x + normal.x, y: point.y + normal.y });
  const [a, b] = [moved(border(start, end)), moved(border(end, start))];
  const level = Math.abs(a.y - b.y) < 1;
  const side = isTwoWay ? Math.sign(normal.y || normal.x) : level ? -1 : 1;
  const along = level || isTwoWay ? 0.5 : labelAt;
  const label = {
    x: a.x + (b.x - a.x) * along + (level ? 0 : side * 12),
    y: a.y + (b.y - a.y) * along + (level ? (side > 0 ? 20 : -9) : 4),
  };
  const anchor = level ? 'middle' : side > 0 ? 'start' : 'end';
  const lines = linesOf(acts.join(', '));
  // Lines of a label above its way end there; beside it they are centered.
  const first = label.y - (level ? (side > 0 ? 0 : lines.length - 1) : (lines.length - 1) / 2) * lineHeight;
  const text = lines
    .map((words, at) => `<tspan x="${round(label.x)}" y="${round(first + at * lineHeight)}">${words}</tspan>`)
    .join('');
  return `<path class="diagram__way" d="M${round(a.x)} ${round(a.y)}L${round(b.x)} ${round(b.y)}" marker-end="url(#${marker})"/><text class="diagram__act" text-anchor="${anchor}">${text}</text>`;
}

function stateMarkup(state: string, place: Place): string {
  const { x, y } = centre(place);
  const words = state.split('_');
  const half = Math.ceil(words.length / 2);
  const lines = words.length > 1 ? [words.slice(0, half), words.slice(half)] : [words];
  const first = y + 5 - (lines.length - 1) * 9;
  const text = lines
    .map((line, index) => `<tspan x="${x}" y="${first + index * 18}">${line.join(' ')}</tspan>`)
    .join('');
  return `<rect class="diagram__state" x="${x - box.width / 2}" y="${y - box.height / 2}" width="${box.width}" height="${box.height}" rx="8"/><text class="diagram__name" text-anchor="middle">${text}</text>`;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Draws a state machine. */
export function stateDiagram(name: DrawnMachine): string {
  const machine: Machine = machines[name];
  const places = Object.values(machine.grid);
  const most = (index: 0 | 1) => Math.max(...places.map((place) => place[index]));
  const width = 2 * margin + box.width + most(0) * step.x;
  const height = 2 * margin + box.height + most(1) * step.y;
  const [title, marker] = [`diagram-${name}`, `arrow-${name}`];
  return [
    `<div class="diagram" tabindex="0" role="group" aria-label="Picture of ${name} states; scrolls horizontally">`,
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${title}">`,
    `<title id="${title}">${machine.title}</title>`,
    `<defs><marker id="${marker}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="diagram__tip" d="M0 0L10 5L0 10z"/></marker></defs>`,
    ...edges(machine).map((edge) => edgeMarkup(edge, marker, machine.labelAt)),
    ...Object.entries(machine.grid).map(([state, place]) => stateMarkup(state, place)),
    '</svg>',
    '</div>',
  ].join('');
}
