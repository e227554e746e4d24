import { parseArgs } from 'node:util';
import { interrupt } from './interruptions.ts';

/** `npm run durability -- --rounds 1000`: the long form of the interruptions that CI tests in a few rounds. */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1000' } } });
const { rounds, writesKept, repeatsMadeWhole, losses } = await interrupt({
  rounds: Number(values.rounds),
  progress: (line) => console.log(line),
});
console.log(
  `${rounds} interruptions: ${writesKept} acknowledged writes kept, ${repeatsMadeWhole} interrupted registrations made whole by a repeat, ${losses.length} lost`,
);
for (const loss of losses) console.log(`  ${loss}`);
process.exitCode = losses.length > 0 ? 1 : 0;
