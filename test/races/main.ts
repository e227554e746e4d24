import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/**
 * `npm run races -- --rounds 1000`: runs every race of `acts.ts` this many times, with 100 tries each, against the real engine. Runs vitest
 * with more rounds of the test in `npm test`, because the handlers' mocks need the test runner.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1000' }, only: { type: 'string' } },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('--rounds must be a whole number, at least 1');
  process.exit(2);
}
const only = values.only === undefined ? [] : ['--testNamePattern', values.only];
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'engine',
    '--reporter',
    'verbose',
    'test/races',
    ...only,
  ],
  { stdio: 'inherit', env: { ...process.env, RACE_ROUNDS: String(rounds) } },
);
process.exit(status ?? 1);
