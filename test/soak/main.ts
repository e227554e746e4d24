/**
 * `npm run soak -- --minutes 30 --kills 6 --seed 1`: all users in the running system at once. `npm run soak -- --night drops --repeat 10`:
 * the work of one night, each time in a new system; `--kills 50` repeats it until the system has been killed this often. Both print a
 * table. The exit code is 1 if a promise was broken.
 */

import { parseArgs } from 'node:util';
import { carryOutNight, nightNames } from './nights.ts';
import { type SoakResult, soak } from './soak.ts';
import type { KindCounts } from './tally.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    night: { type: 'string' },
    repeat: { type: 'string', default: '1' },
    idle: { type: 'string', default: '60' },
    kills: { type: 'string' },
    seed: { type: 'string', default: '1' },
    members: { type: 'string', default: '100' },
    port: { type: 'string' },
  },
});
const begun = Date.now();
const members = Number(values.members);
const common = {
  members,
  ...(values.port !== undefined && { port: Number(values.port) }),
  progress: (line: string) =>
    console.log(`${((Date.now() - begun) / 1_000).toFixed(0).padStart(5)} s  ${line}`),
};

if (values.night === undefined) {
  const minutes = Number(values.minutes);
  // A kill every five minutes, and at least one.
  const kills = Number(values.kills ?? Math.max(1, Math.floor(minutes / 5)));
  print(await soak({ ...common, minutes, kills, seed: values.seed }));
} else {
  const night = nightNames.find((each) => each === values.night);
  if (night === undefined) throw new Error(`--night is one of ${nightNames.join(', ')}`);
  const [repeat, kills, idleSeconds] = [
    Number(values.repeat),
    Number(values.kills ?? 0),
    Number(values.idle),
  ];
  for (let turn = 0, killed = 0; turn < repeat || killed < kills; turn += 1) {
    const seed = `${values.seed} ${turn}`;
    const result = await carryOutNight({ ...common, night, seed, idleSeconds, kills: kills - killed });
    killed += result.kills;
    console.log(`\nnight ${turn + 1}: ${night}`);
    if (kills === 0) printCounts('Call, of the idle system', result.idle);
    print({ ...result, facts: { ...result.facts, kills: result.kills } });
  }
}

function print({ counts, facts, breaches, defects }: SoakResult): void {
  printCounts('Call', counts);
  console.log('');
  for (const [fact, count] of Object.entries(facts))
    console.log(`${fact.padEnd(38)}${String(count).padStart(7)}`);
  console.log(breaches.length === 0 ? '\nEvery promise holds.' : `\n${breaches.length} broken promises:`);
  for (const breach of breaches) console.log(`  ${breach}`);
  if (breaches.length === 0) return;
  process.exitCode = 1;
  if (defects.length > 0) console.log('\nDefects that functions logged:');
  for (const defect of defects) console.log(`  ${defect}`);
}

function printCounts(title: string, counts: readonly KindCounts[]): void {
  console.log(`\n${title.padEnd(40)}calls   later  no answer   p50 ms   p99 ms`);
  for (const { kind, calls, later, unanswered, p50Ms, p99Ms } of counts) {
    const numbers = [calls, later, unanswered, Math.round(p50Ms), Math.round(p99Ms)];
    const [a, b, c, d, e] = numbers.map(String);
    console.log(
      `${kind.padEnd(38)}${a?.padStart(7)}${b?.padStart(8)}${c?.padStart(11)}${d?.padStart(9)}${e?.padStart(9)}`,
    );
  }
}
