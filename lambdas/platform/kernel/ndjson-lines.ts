/** Splits a stream of bytes into NDJSON lines. */

import { longestResource } from '../../catalog/fhir/fhir-resources.ts';

/** A line of NDJSON that is not blank, or the reason why it can't be read. Lines count from 1. */
export type NdjsonLine =
  | { readonly kind: 'text'; readonly line: number; readonly text: string }
  | { readonly kind: 'unreadable'; readonly line: number; readonly code: 'not_utf8' | 'row_too_long' };

export interface LineSplitter {
  /** Adds a chunk; returns the lines that it completes. */
  push(chunk: Uint8Array): readonly NdjsonLine[];
  /** Ends the stream; returns the last line if no newline ended it. */
  end(): readonly NdjsonLine[];
}

const newline = 0x0a;
/** Highest byte of white space and control characters: a line with no other bytes is blank. */
const space = 0x20;

/**
 * Splits a stream of bytes into lines, wherever its chunks end. Removes a byte order mark from the first line and a carriage return from
 * each, and keeps at most `mostBytes` of a line.
 */
export function createLineSplitter(firstLine = 1, mostBytes = longestResource): LineSplitter {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let line = firstLine;
  let parts: Uint8Array[] = [];
  let length = 0;

  function add(part: Uint8Array): void {
    length += part.length;
    if (length <= mostBytes) parts.push(part);
    else parts = [];
  }

  function take(): readonly NdjsonLine[] {
    const at = line;
    const bytes = joined(parts, length);
    const tooLong = length > mostBytes;
    line += 1;
    parts = [];
    length = 0;
    if (tooLong) return [{ kind: 'unreadable', line: at, code: 'row_too_long' }];
    if (isBlank(bytes)) return [];
    try {
      const text = decoder.decode(bytes);
      return [{ kind: 'text', line: at, text: at === 1 ? text.replace(/^\uFEFF/, '') : text }];
    } catch {
      return [{ kind: 'unreadable', line: at, code: 'not_utf8' }];
    }
  }

  return {
    push(chunk) {
      const lines: NdjsonLine[] = [];
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        add(chunk.subarray(from, at));
        lines.push(...take());
        from = at + 1;
      }
      // Copies the bytes: the reader may reuse the chunk's memory.
      if (from < chunk.length) add(chunk.slice(from));
      return lines;
    },
    end: () => (length === 0 ? [] : take()),
  };
}

/** Splits streamed bytes into lines. Memory holds a chunk and at most `longestResource` bytes of a line, however long the line is. */
export async function* ndjsonLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<NdjsonLine> {
  const splitter = createLineSplitter();
  for await (const chunk of chunks) yield* splitter.push(chunk);
  yield* splitter.end();
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const bytes = new Uint8Array(parts.length === 0 ? 0 : length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === space || byte === 0x09 || byte === 0x0d);
}
