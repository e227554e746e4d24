import { expect, it } from 'vitest';
import { readCommandLine } from '../../ops/command-line/command.ts';
import { commands } from '../../ops/program.ts';

/** The commands `jobs …` over a mock of the function `job-operations`. */

const jobId = '11111111-2222-4333-8444-555555555555';
const next = `2026-11-23T10:00:00.000Z#${jobId}`;

async function run(...args: string[]) {
  const printed: string[] = [];
  const asked: unknown[] = [];
  const line = readCommandLine(commands, ['jobs', ...args, '--lob', 'DSNP', '--function', 'jobs']);
  if (line === undefined) throw new Error('no command');
  const { command, values, words } = line;
  const code = await command.run({
    ...{ values, words, variables: {}, system: undefined },
    print: (text) => printed.push(text),
    note: () => {},
    invoke: async (_, request) => {
      asked.push(request);
      return { kind: 'list', jobs: [], next };
    },
  });
  return { code, printed: printed.join('\n'), asked };
}

it('list says how older jobs are listed, and lists them', async () => {
  expect((await run('list')).printed).toContain(`--after '${next}'`);
  expect((await run('list', '--after', next)).asked).toEqual([{ action: 'list', lob: 'DSNP', after: next }]);
});

it('cancel with --dry-run prints the request and sends none', async () => {
  const { code, printed, asked } = await run('cancel', jobId, '--dry-run');
  expect([code, asked]).toEqual([0, []]);
  expect(JSON.parse(printed)).toMatchObject({ action: 'cancel', lob: 'DSNP', jobId });
});

it.each([
  ['show', 'nosuch'],
  ['cancel', '1'],
  ['list', '--after', 'yesterday'],
])('%s with %s is told on the spot, and sent nowhere', async (...args) => {
  await expect(run(...args)).rejects.toThrow(/is no ID of a job|--after takes the position/);
});
