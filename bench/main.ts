/** `npm run bench`: runs all measurements of requests and prints their ratios. */

import { parseArgs } from 'node:util';
import { measureBundles } from './bundles.ts';
import { printTable, type Row } from './figures.ts';
import { startFixture } from './fixture.ts';
import { measureGateway } from './gateway.ts';
import { measurePages } from './pages.ts';
import { measureRead } from './read.ts';
import { measureSearch } from './search.ts';
import { measureInit, measureStart } from './start.ts';
import { measureTokens } from './tokens.ts';

/**
 * `npm run bench`: measures what a request costs. Machines are shared and noisy, so every figure with a limit is a ratio of two medians,
 * measured alternately within this run. Absolute figures are for information and not comparable between machines.
 *
 * `--json` prints the rows as JSON on standard output; `--rounds N` sets the rounds of each pair (default 7); `--calls N` the calls of a
 * round (default 2000); `--only NAME` measures one section: bundles, init, start, read, search, tokens, gateway, pages.
 */
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '7' },
    calls: { type: 'string', default: '2000' },
    only: { type: 'string' },
  },
});
const effort = { rounds: Number(values.rounds), calls: Number(values.calls) };
const sections: Record<string, () => Promise<readonly Row[]>> = {
  bundles: async () => measureBundles(),
  init: () => measureInit(effort),
  start: () => withFixture((fixture) => measureStart(fixture, effort)),
  read: () => withFixture((fixture) => measureRead(fixture, effort)),
  search: () => withFixture((fixture) => measureSearch(fixture, effort)),
  tokens: () => withFixture((fixture) => measureTokens(fixture, effort), { durable: true }),
  gateway: measureGateway,
  pages: () => measurePages(effort),
};

const rows: Row[] = [];
for (const [name, measure] of Object.entries(sections)) {
  if (values.only !== undefined && values.only !== name) continue;
  if (!values.json) process.stderr.write(`measuring ${name} …\n`);
  rows.push(...(await measure()));
}
if (values.json) console.log(JSON.stringify(rows, null, 2));
else printTable(rows);
process.exitCode = rows.some(({ reached }) => reached === false) ? 1 : 0;

async function withFixture<T>(
  use: (fixture: Awaited<ReturnType<typeof startFixture>>) => Promise<T>,
  options: Parameters<typeof startFixture>[0] = {},
): Promise<T> {
  const fixture = await startFixture(options);
  try {
    return await use(fixture);
  } finally {
    await fixture.stop();
  }
}
