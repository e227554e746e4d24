// Calls one bundled function in this process and prints the cost of a request as JSON. A request may be a walk through all pages by their
// `next` links.
//
// node bench/sizes-driver.mjs <bundle> <event file> <requests> <warm-up>
//
// The event file has a list of `{ event, walk }`, which are called in rotation.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [bundle = '', eventFile = '', requests = '1', warmUp = '0'] = process.argv.slice(2);
const { handler } = createRequire(import.meta.url)(resolve(bundle));
const asked = JSON.parse(readFileSync(eventFile, 'utf8'));

async function send(event) {
  const answer = await handler(structuredClone(event), {});
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}: ${answer.body}`);
  return answer.body;
}

/** Calls a request or walks through its pages. Returns the number of pages and of bytes. */
async function request({ event, walk }) {
  let body = await send(event);
  let pages = 1;
  let bytes = Buffer.byteLength(body);
  for (let next = walk ? nextOf(body) : undefined; next !== undefined; next = nextOf(body)) {
    const entries = [...new URL(next).searchParams];
    body = await send({
      ...event,
      queryStringParameters: Object.fromEntries(entries),
      multiValueQueryStringParameters: Object.fromEntries(entries.map(([name, value]) => [name, [value]])),
    });
    pages += 1;
    bytes += Buffer.byteLength(body);
  }
  return { pages, bytes };
}

function nextOf(body) {
  const link = /\{"relation":"next","url":("[^"]+")\}/.exec(body.slice(0, 20_000));
  return link === null ? undefined : JSON.parse(link[1]);
}

for (let at = 0; at < Number(warmUp); at++) await request(asked[at % asked.length]);
const times = [];
let last = { pages: 0, bytes: 0 };
const before = process.cpuUsage();
for (let at = 0; at < Number(requests); at++) {
  const startedAt = performance.now();
  last = await request(asked[(Number(warmUp) + at) % asked.length]);
  times.push(performance.now() - startedAt);
}
const { user, system } = process.cpuUsage(before);
times.sort((a, b) => a - b);
const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
console.log(
  JSON.stringify({ ...last, cpuMs: (user + system) / 1_000 / times.length, p50: at(0.5), p99: at(0.99) }),
);
process.exit(0);
