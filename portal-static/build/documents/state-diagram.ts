import {
  type ApplicationState,
  applicationStateNames,
  applicationTransitions,
} from '../../../lambdas/portal/catalog/application-states.ts';

/**
 * Draws the application's lifecycle as SVG from its table of transitions; only the positions of the states are set here. Leaves out
 * `withdraw`, which leads from nearly every state to one and is clearer in words.
 */

const grid: Readonly<Record<Exclude<ApplicationState, 'withdrawn'>, readonly [column: number, row: number]>> =
  {
    registered_in_sandbox: [0, 0],
    promoted_to_production: [1, 0],
    awaiting_operator_approval: [2, 0],
    changes_requested: [1, 1],
    rejected: [2, 1],
    approved: [3, 0],
    suspended: [3, 1],
    revoked: [2, 2],
  };

const box = { width: 180, height: 60 };
const step = { x: 280, y: 160 };
const margin = 20;

interface Point {
  readonly x: number;
  readonly y: number;
}

function centre([column, row]: readonly [number, number]): Point {
  return { x: margin + box.width / 2 + column * step.x, y: margin + box.height / 2 + row * step.y };
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly acts: readonly string[];
}

/** Lists the lines of the diagram: one for all acts that lead from one state to another. */
function edges(): readonly Edge[] {
  const drawn = Object.entries(applicationTransitions)
    .filter(([, { to }]) => to in grid)
    .flatMap(([act, { from, to }]) => from.map((state) => ({ act: act.replaceAll('_', ' '), state, to })));
  const pairs = [...new Set(drawn.map(({ state, to }) => `${state} ${to}`))];
  return pairs.map((pair) => {
    const [from = '', to = ''] = pair.split(' ');
    const acts = drawn.filter((edge) => edge.state === from && edge.to === to).map(({ act }) => act);
    return { from, to, acts };
  });
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

function edgeMarkup({ from, to, acts }: Edge, all: readonly Edge[]): string {
  const [start, end] = [at(from), at(to)];
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  // Lines in both directions between the same states are drawn side by side.
  const back = all.some((other) => other.from === to && other.to === from);
  const shift = back ? 12 : 0;
  const normal = { x: (-(end.y - start.y) / length) * shift, y: ((end.x - start.x) / length) * shift };
  const moved = (point: Point) => ({ x: point.x + normal.x, y: point.y + normal.y });
  const [a, b] = [moved(border(start, end)), moved(border(end, start))];
  const level = Math.abs(a.y - b.y) < 1;
  const side = back ? Math.sign(normal.y || normal.x) : level ? -1 : 1;
  // The label of a slanted line is at 62 % of its length, where it is clear of the boxes.
  const along = level || back ? 0.5 : 0.62;
  const label = {
    x: a.x + (b.x - a.x) * along + (level ? 0 : side * 12),
    y: a.y + (b.y - a.y) * along + (level ? (side > 0 ? 20 : -9) : 4),
  };
  const anchor = level ? 'middle' : side > 0 ? 'start' : 'end';
  return `<path class="diagram__way" d="M${round(a.x)} ${round(a.y)}L${round(b.x)} ${round(b.y)}" marker-end="url(#arrow)"/><text class="diagram__act" x="${round(label.x)}" y="${round(label.y)}" text-anchor="${anchor}">${acts.join(', ')}</text>`;
}

function stateMarkup(state: string): string {
  const { x, y } = at(state);
  const words = state.split('_');
  const half = Math.ceil(words.length / 2);
  const lines = words.length > 1 ? [words.slice(0, half), words.slice(half)] : [words];
  const first = y + 5 - (lines.length - 1) * 9;
  const text = lines
    .map((line, index) => `<tspan x="${x}" y="${first + index * 18}">${line.join(' ')}</tspan>`)
    .join('');
  return `<rect class="diagram__state" x="${x - box.width / 2}" y="${y - box.height / 2}" width="${box.width}" height="${box.height}" rx="8"/><text class="diagram__name" text-anchor="middle">${text}</text>`;
}

function at(state: string): Point {
  return centre(grid[state as keyof typeof grid] ?? [0, 0]);
}

const round = (value: number) => Math.round(value * 10) / 10;

export function applicationDiagram(): string {
  const all = edges();
  const states = applicationStateNames.filter((state) => state in grid);
  const width = 2 * margin + box.width + 3 * step.x;
  const height = 2 * margin + box.height + 2 * step.y;
  return [
    '<div class="diagram" tabindex="0" role="group" aria-label="Diagram of the lifecycle; scrolls horizontally">',
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="diagram-title">`,
    '<title id="diagram-title">The lifecycle of an application. The table below has the same content as text.</title>',
    '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="diagram__tip" d="M0 0L10 5L0 10z"/></marker></defs>',
    ...all.map((edge) => edgeMarkup(edge, all)),
    ...states.map(stateMarkup),
    '</svg>',
    '</div>',
  ].join('');
}
