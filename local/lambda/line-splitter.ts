import { StringDecoder } from 'node:string_decoder';

/** Cuts a stream's chunks into lines; a last line without an end waits for more. */
export function lineSplitter(take: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') take(line);
  };
}
