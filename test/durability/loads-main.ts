import { parseArgs } from 'node:util';
import { killLoads } from './load-kills.ts';

/** `npm run durability:loads -- --rounds 50 --seed 1`: a load killed at so many points of it. CI kills two. */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
});
const { rounds, calls, differences } = await killLoads({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  progress: (line) => console.log(line),
});
console.log(`${rounds} kills at points of ${calls} calls: ${differences.length} differences`);
for (const difference of differences) console.log(`  ${difference}`);
process.exitCode = differences.length > 0 ? 1 : 0;
