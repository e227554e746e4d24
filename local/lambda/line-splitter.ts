import { StringDecoder } from 'node:string_decoder';

/** Splits a stream's chunks into lines; an incomplete last line waits for the next chunk. */
export function lineSplitter(take: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') take(line);
  };
}
