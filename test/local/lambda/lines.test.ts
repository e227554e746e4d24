import { expect, it } from 'vitest';
import { lineSplitter } from '../../../local/lambda/line-splitter.ts';

it('cuts lines across chunks and characters', () => {
  const lines: string[] = [];
  const take = lineSplitter((line) => lines.push(line));
  const bytes = Buffer.from('one\nt\u00e9o\n\nrest');
  for (const byte of bytes) take(Buffer.from([byte]));
  expect(lines).toEqual(['one', 't\u00e9o']);
});
