/** Renders the values of a graph as a picture, with a legend that says each line's last, highest and total value. */

import { html } from 'hono/html';
import type { GraphValues } from './dashboards.ts';

interface LineChart {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly GraphValues[];
  /** Beginning and end of the picture, milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

const width = 600;
const height = 120;
/** Number of colors in the style sheet; further lines are dashed too, so that no two look alike. */
const colors = 8;

/** A number for a person: at most four significant digits, and no exponent. */
export function numberText(value: number): string {
  return new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 }).format(value);
}

/** The picture; a list of values if each line has one value only, and a sentence if none has any. */
export function lineChart({ title, unit, lines, from, until }: LineChart) {
  const numbers = lines.flatMap(({ values }) => values.filter((value) => value !== undefined));
  if (numbers.length === 0) return html`<p class="none">Nothing was counted in the last hour.</p>`;
  if (lines.every(({ values }) => values.length === 1)) return amounts(lines, unit);
  const highest = Math.max(...numbers, 0);
  const shown = lines.map((line, index) => ({ ...line, style: styleOf(index) }));
  return html`<div class="axis"><span>${numberText(highest)} ${unit}</span></div>
    <svg class="chart" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${title} ${summary(lines)}">
      ${shown.map(({ values, style }) => html`<path class="${style}" d="${pathOf(values, highest)}" />`)}
    </svg>
    <div class="axis"><span>${clock(from)}</span><span>${clock(until)} UTC</span></div>
    <ul class="legend">${shown.map(
      ({ label, values, style }) =>
        html`<li><svg viewBox="0 0 28 10" aria-hidden="true"><path class="${style}" d="M0 5H28" /></svg>${label}: ${described(values)}</li>`,
    )}</ul>`;
}

function amounts(lines: readonly GraphValues[], unit: string) {
  return html`<p>${unit}, of the last hour only:</p><ul>${lines.map(
    ({ label, values: [value] }) =>
      html`<li>${label}: ${value === undefined ? 'none' : numberText(value)}</li>`,
  )}</ul>`;
}

function styleOf(index: number): string {
  return `line${index % colors}${index < colors ? '' : ' dashed'}`;
}

function clock(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}

function described(values: readonly (number | undefined)[]): string {
  const numbers = values.filter((value) => value !== undefined);
  if (numbers.length === 0) return 'none';
  return `${numberText(numbers.at(-1) ?? 0)}, highest ${numberText(Math.max(...numbers))}`;
}

/** The text of the picture for readers who don't see it; the legend below has each line. */
function summary(lines: readonly GraphValues[]): string {
  const counted = lines.filter(({ values }) => values.some((value) => value !== undefined));
  return `${counted.length} of ${lines.length} lines have values; they are listed below.`;
}

/** A path through the values, interrupted where one is missing. A value between two missing ones is a dot. */
function pathOf(values: readonly (number | undefined)[], highest: number): string {
  const step = width / Math.max(1, values.length - 1);
  return values
    .map((value, index) => {
      if (value === undefined) return '';
      const place = `${round(index * step)} ${round(height - (highest === 0 ? 0 : value / highest) * (height - 4) - 2)}`;
      return values[index - 1] === undefined ? `M${place}h0.01` : `L${place}`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
