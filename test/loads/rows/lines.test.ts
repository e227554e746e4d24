import { describe, expect, it } from 'vitest';
import { createRangeCutter } from '../../../lambdas/loads/ledger/ranges.ts';
import { createLineSplitter, type NdjsonLine } from '../../../lambdas/platform/kernel/ndjson-lines.ts';
import fc from '../../support/property.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function split(chunks: readonly Uint8Array[], firstLine = 1, mostBytes?: number): readonly NdjsonLine[] {
  const splitter = createLineSplitter(firstLine, mostBytes);
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

function scan(bytes: Uint8Array, rangeBytes: number) {
  const cutter = createRangeCutter(rangeBytes);
  cutter.push(bytes);
  return cutter.end();
}

/** The bytes of a text in chunks, cut at these positions. */
const chunked = (bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] => {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((to, at) => bytes.subarray(places[at], to));
};

const fileText = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('  '), fc.constant('')), { maxLength: 40 })
  .chain((lines) =>
    fc.constantFrom('\n', '\r\n').map((end) => lines.map((line) => line.replaceAll('\n', '')).join(end)),
  );

describe('lines of a file', () => {
  it('are the same, whatever the chunks they come in', () => {
    fc.assert(
      fc.property(fileText, fc.array(fc.nat(), { maxLength: 10 }), (text, cuts) => {
        const bytes = bytesOf(text);
        expect(split(chunked(bytes, cuts))).toEqual(split([bytes]));
      }),
    );
  });

  it('are the same, and have the same numbers, when the file is read in ranges', () => {
    fc.assert(
      fc.property(fileText, fc.integer({ min: 1, max: 50 }), (text, rangeBytes) => {
        const bytes = bytesOf(text);
        const { ranges, rows } = scan(bytes, rangeBytes);
        const read = ranges.map((range) => split([bytes.subarray(range.from, range.to)], range.firstLine));
        expect(read.flat()).toEqual(split([bytes]));
        expect(ranges.map((range) => range.rows)).toEqual(read.map((lines) => lines.length));
        expect(rows).toBe(read.flat().length);
      }),
    );
  });

  it('lose a byte order mark, carriage returns and blank lines', () => {
    const lines = split([bytesOf('\uFEFF{"a":1}\r\n\r\n  \n{"b":2}')]);
    expect(lines.map((line) => [line.line, line.kind === 'text' && line.text.trim()])).toEqual([
      [1, '{"a":1}'],
      [4, '{"b":2}'],
    ]);
  });

  it('are told when they are no UTF-8 or too long, and those after them are read', () => {
    const lines = split([bytesOf(`${'x'.repeat(50)}\n`), Uint8Array.of(0xff, 0x0a), bytesOf('{}\n')], 1, 20);
    expect(lines).toEqual([
      { kind: 'unreadable', line: 1, code: 'row_too_long' },
      { kind: 'unreadable', line: 2, code: 'not_utf8' },
      { kind: 'text', line: 3, text: '{}' },
    ]);
  });
});

describe('a file as a whole', () => {
  it.each([
    ['gzip', Uint8Array.of(0x1f, 0x8b, 8), 'file_is_gzip'],
    ['UTF-16 with a mark', Uint8Array.of(0xff, 0xfe, 0x7b, 0), 'file_is_utf16'],
    ['UTF-16 without one', Uint8Array.of(0x7b, 0, 0x22, 0), 'file_is_utf16'],
  ])('is refused when it is %s', (_name, bytes, refusal) => {
    expect(scan(bytes, 8).refusal).toBe(refusal);
  });

  it('has no range when it is empty', () => {
    expect(scan(new Uint8Array(), 8)).toEqual({ ranges: [], rows: 0, bytes: 0 });
  });
});
