// Calls a bundled function many times with one event and prints the cost of a call as a line of JSON. Runs in a process of its own, so that
// the process's CPU time is that of the function alone.
//
// node bench/driver.mjs <bundles, comma-separated> <event.json> <calls> [warm-up calls]
//
// Several bundles are called one after the other for each event (an authorizer, then the function behind it); the file then has a list of
// events, one for each bundle. `calls` 1 without warm-up measures the time from process start to the first answer.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [bundles = '', eventFile = '', calls = '1', warmUp = '0'] = process.argv.slice(2);
const load = createRequire(import.meta.url);
const events = JSON.parse(readFileSync(eventFile, 'utf8'));
const handlers = bundles.split(',').map((path) => load(resolve(path)).handler);

async function once() {
  let answer;
  for (const [index, handler] of handlers.entries())
    answer = await handler(structuredClone(events[index]), {});
  return answer;
}

const first = await once();
const startToFirstAnswer = { cpuMs: cpuMs(process.cpuUsage()), wallMs: performance.now() };
const expected = events.at(-1).expectedStatus ?? 200;
if (first?.statusCode !== expected) {
  console.error(`the function answered ${first?.statusCode} instead of ${expected}: ${first?.body}`);
  process.exit(1);
}
for (let index = 0; index < Number(warmUp); index++) await once();
const count = Number(calls);
const before = process.cpuUsage();
const startedAt = performance.now();
for (let index = 0; index < count; index++) await once();
const spent = process.cpuUsage(before);
console.log(
  JSON.stringify({
    startToFirstAnswer,
    cpuMsPerCall: cpuMs(spent) / count,
    wallMsPerCall: (performance.now() - startedAt) / count,
  }),
);
process.exit(0);

function cpuMs({ user, system }) {
  return (user + system) / 1_000;
}
