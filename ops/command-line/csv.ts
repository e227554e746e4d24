/**
 * Writes CSV (RFC 4180): rows end with CR LF, and a cell with a comma, a quote or a line break is quoted. A cell that a spreadsheet would take for
 * a formula gets an apostrophe before it.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(text: string): string {
  const plain = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
