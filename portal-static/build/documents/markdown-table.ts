/** Makes a table in Markdown (GFM). Escapes pipes in cells and replaces line breaks by spaces. */
export function markdownTable(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string | number): string {
  return String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}

export function code(text: string | number): string {
  return `\`${text}\``;
}

/** Makes a code with an anchor: `/docs/errors#wrong_code`. */
export function anchoredCode(id: string, text: string): string {
  return `<code id="${id}">${text}</code>`;
}

/** Formats seconds as words: `1800` as "30 minutes". */
export function durationText(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ] as const;
  const fits = units.find(([size]) => seconds >= size && seconds % size === 0);
  const [size, unit] = fits ?? [1, 'second'];
  const count = seconds / size;
  return `${number(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** Formats a number with separators: `50000` as `50,000`. */
export function number(value: number): string {
  return value.toLocaleString('en-US');
}

export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
