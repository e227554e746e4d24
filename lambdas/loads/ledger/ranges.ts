/** Cuts a file into ranges at line ends. */

import type { FileRefusal } from './rejects.ts';

/** A range of a file: whole lines that one invocation loads. */
export interface LineRange {
  /** Byte offsets: `from` is included, `to` is not. */
  readonly from: number;
  readonly to: number;
  /** Number of the range's first line in the file, from 1. */
  readonly firstLine: number;
  /** Number of lines that are not blank. */
  readonly rows: number;
}

export interface FileScan {
  readonly ranges: readonly LineRange[];
  readonly rows: number;
  readonly bytes: number;
  /** Reason, found in the first bytes, why the file can't be read. */
  readonly refusal?: Extract<FileRefusal, 'file_is_gzip' | 'file_is_utf16'>;
}

export interface RangeCutter {
  push(chunk: Uint8Array): void;
  end(): FileScan;
}

/** Cuts a streamed file into ranges of at least `rangeBytes`, each ending at the next end of a line, and counts rows. */
export function createRangeCutter(rangeBytes: number): RangeCutter {
  const ranges: LineRange[] = [];
  const head: number[] = [];
  let [at, from, line, firstLine, rows, rowsBefore] = [0, 0, 1, 1, 0, 0];
  let lineHasText = false;

  function cut(): void {
    if (at === from) return;
    ranges.push({ from, to: at, firstLine, rows: rows - rowsBefore });
    from = at;
    firstLine = line;
    rowsBefore = rows;
  }

  return {
    push(chunk) {
      for (let byte = 0; head.length < 3 && byte < chunk.length; byte += 1) head.push(chunk[byte] ?? 0);
      let start = 0;
      while (start < chunk.length) {
        const found = chunk.indexOf(0x0a, start);
        const end = found === -1 ? chunk.length : found;
        lineHasText ||= hasText(chunk, start, end);
        if (found === -1) {
          at += end - start;
          break;
        }
        at += end - start + 1;
        start = end + 1;
        line += 1;
        if (lineHasText) rows += 1;
        lineHasText = false;
        if (at - from >= rangeBytes) cut();
      }
    },
    end() {
      if (lineHasText) rows += 1;
      cut();
      const refusal = refusalOf(head);
      return { ranges, rows, bytes: at, ...(refusal !== undefined && { refusal }) };
    },
  };
}

function hasText(chunk: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = chunk[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return true;
  }
  return false;
}

/** Recognizes gzip (RFC 1952 section 2.3.1) and UTF-16, by a byte order mark or by the first character of JSON without one. */
function refusalOf([a, b]: readonly number[]): FileScan['refusal'] {
  if (a === 0x1f && b === 0x8b) return 'file_is_gzip';
  const hasMark = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  const isWide = (a === 0x7b && b === 0) || (a === 0 && b === 0x7b);
  return hasMark || isWide ? 'file_is_utf16' : undefined;
}
