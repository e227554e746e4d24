/** `npm run soak -- --minutes 30 --kills 6 --seed 1`: prints a table; exit code 1 where a promise is broken. */

import { parseArgs } from 'node:util';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    kills: { type: 'string' },
    seed: { type: 'string', default: '1' },
    members: { type: 'string', default: '100' },
    port: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const begun = Date.now();
const { counts, facts, breaches, defects } = await soak({
  minutes,
  // One in five minutes, and one at least.
  kills: Number(values.kills ?? Math.max(1, Math.floor(minutes / 5))),
  seed: values.seed,
  members: Number(values.members),
  ...(values.port !== undefined && { port: Number(values.port) }),
  progress: (line) => console.log(`${((Date.now() - begun) / 1_000).toFixed(0).padStart(5)} s  ${line}`),
});
console.log('\nCall                                    calls   later  no answer   p50 ms   p99 ms');
for (const { kind, calls, later, unanswered, p50Ms, p99Ms } of counts) {
  const numbers = [calls, later, unanswered, Math.round(p50Ms), Math.round(p99Ms)];
  const [a, b, c, d, e] = numbers.map(String);
  console.log(
    `${kind.padEnd(38)}${a?.padStart(7)}${b?.padStart(8)}${c?.padStart(11)}${d?.padStart(9)}${e?.padStart(9)}`,
  );
}
console.log('');
for (const [fact, count] of Object.entries(facts))
  console.log(`${fact.padEnd(38)}${String(count).padStart(7)}`);
console.log(breaches.length === 0 ? '\nEvery promise holds.' : `\n${breaches.length} broken promises:`);
for (const breach of breaches) console.log(`  ${breach}`);
if (breaches.length > 0 && defects.length > 0) {
  console.log('\nDefects that functions logged:');
  for (const defect of defects) console.log(`  ${defect}`);
}
process.exitCode = breaches.length === 0 ? 0 : 1;
