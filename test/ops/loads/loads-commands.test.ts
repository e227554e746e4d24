import { describe, expect, it } from 'vitest';
import type {
  LoadOperationAnswer,
  LoadSummary,
} from '../../../lambdas/loads/course/load-operations-contract.ts';
import { readCommandLine } from '../../../ops/command-line/command.ts';
import { InvocationFailed } from '../../../ops/command-line/invoke.ts';
import type { CommandContext } from '../../../ops/command-line/operation.ts';
import { watchLoad } from '../../../ops/loads/watch.ts';
import { commands } from '../../../ops/program.ts';

/** The commands `loads …` over a mock of the function `load-operations`. */

const jobId = 'daily.0a1b2c3d';
const summary: LoadSummary = {
  ...{ lob: 'DSNP', jobId, source: 'claims', kind: 'full', state: 'reconciled', attempt: 1 },
  ...{ acceptedAt: '2026-11-24T10:00:00.000Z', controlTotal: 10, report: 'DSNP/claims/daily/report.json' },
  counts: { loaded: 10, unchanged: 0, older: 0, rejected: 0 },
};
const shown = (changes: Partial<LoadSummary> = {}): LoadOperationAnswer => ({
  ...{ kind: 'show', load: { ...summary, ...changes }, files: [] },
});
const gone: LoadOperationAnswer = { kind: 'refused', reason: 'no_such_load' };
const failure = new InvocationFailed('load-operations of sandbox failed: Task timed out');

/** @param answers in their order; the last one is repeated. */
function operationOf(
  line: string,
  answers: readonly (LoadOperationAnswer | InvocationFailed)[],
  changes: Partial<CommandContext> = {},
) {
  const ofLob = line.startsWith('loads sweep') ? [] : ['--lob', 'DSNP'];
  const read = readCommandLine(commands, [...line.split(' '), ...ofLob]);
  if (read === undefined) throw new Error('no command');
  const { command, values, words } = read;
  const [printed, noted, asked]: [string[], string[], object[]] = [[], [], []];
  const operation: CommandContext = {
    values: { ...values, function: 'load-operations' },
    words,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
    async invoke(_name, payload) {
      asked.push(payload as object);
      const answer = answers[Math.min(asked.length, answers.length) - 1];
      if (answer instanceof InvocationFailed) throw answer;
      return answer;
    },
    ...{ system: undefined, variables: {}, ...changes },
  };
  return {
    run: async () => await command.run(operation),
    ...{ operation, asked },
    printed: () => printed.join('\n'),
    noted: () => noted.join('\n'),
  };
}

describe('a load that waits', () => {
  it('tells how many loads come before it', async () => {
    const { run, printed } = operationOf(`loads show ${jobId}`, [shown({ state: 'accepted', ahead: 2 })]);
    expect(await run()).toBe(0);
    expect(printed()).toContain('accepted, 2 before it');
  });
});

describe('a sweep', () => {
  const sweep = async (
    started: readonly string[],
    ended: readonly string[],
    unnamed: readonly string[] = [],
  ) => {
    const answer = { kind: 'swept', started, ended, unnamed } as const;
    const { run, printed, operation } = operationOf('loads sweep', [answer]);
    Reflect.deleteProperty(operation.values, 'lob');
    expect(await run()).toBe(0);
    return printed();
  };

  it('names what it started and what it failed', async () => {
    const key = 'DSNP/claims/lost/manifest.json';
    expect(await sweep([key], [jobId])).toBe(
      `started: ${key} had no load\nfailed: the execution of ${jobId} ended without it; loads retry continues it`,
    );
    expect(await sweep([], [], ['DSNP/claims/a/b.ndjson'])).toBe(
      'not loaded: no manifest names DSNP/claims/a/b.ndjson',
    );
    expect(await sweep([], [])).toBe(
      'Every drop has its load, every load its execution, and every file its manifest.',
    );
  });
});

describe('watching a load', () => {
  const patience = { pollMs: 1, beginMs: 5, failingMs: 20 };
  const job = { lob: 'DSNP', jobId } as const;

  it('goes on after questions that failed, and says so once', async () => {
    const { operation, printed, noted } = operationOf(`loads watch ${jobId}`, [failure, failure, shown()]);
    expect(await watchLoad(operation, job, false, { ...patience, failingMs: 60_000 })).toBe(0);
    expect(noted()).toMatch(
      /daily\.0a1b2c3d: load-operations of sandbox failed: Task timed out\. The load does not depend/,
    );
    expect(noted().match(/Task timed out/g)).toHaveLength(1);
    expect(printed()).toMatch(/daily\.0a1b2c3d +claims +full +reconciled/);
  });

  it('ends where every question fails, and tells how to come back', async () => {
    const { operation } = operationOf(`loads watch ${jobId}`, [failure]);
    await expect(watchLoad(operation, job, false, patience)).rejects.toThrow(
      'loads watch daily.0a1b2c3d --lob DSNP comes back to it',
    );
  });

  it('waits for a new load to begin, and ends where it does not', async () => {
    const late = operationOf('loads start folder', [gone, gone, shown({ state: 'running' }), shown()]);
    expect(await watchLoad(late.operation, job, true, { ...patience, beginMs: 1000 })).toBe(0);
    const never = operationOf('loads start folder', [gone]);
    expect(await watchLoad(never.operation, job, true, patience)).toBe(1);
    expect(never.printed()).toContain('load daily.0a1b2c3d has not begun');
    const unknown = operationOf(`loads watch ${jobId}`, [gone]);
    expect(await watchLoad(unknown.operation, job, false, patience)).toBe(1);
    expect(unknown.printed()).toBe('refused: no such load');
  });
});

describe('loads list', () => {
  it('says that there are older loads, and lists them', async () => {
    const first = operationOf('loads list', [{ kind: 'list', loads: [summary], next: jobId }]);
    expect(await first.run()).toBe(0);
    expect(first.printed()).toContain(`repeat the command with --after ${jobId}`);
    const next = operationOf(`loads list --after ${jobId} --limit 50`, [{ kind: 'list', loads: [] }]);
    expect(await next.run()).toBe(0);
    expect(next.asked).toEqual([{ action: 'list', lob: 'DSNP', limit: 50, after: jobId }]);
    expect(next.printed()).not.toContain('--after');
  });

  it.each(['--limit 51', '--limit many', '--after nothing'])('takes no %s', async (wrong) => {
    await expect(operationOf(`loads list ${wrong}`, []).run()).rejects.toThrow(/--limit is a|--after is a/);
  });
});

describe('loads cancel', () => {
  const done: LoadOperationAnswer = { kind: 'done', state: 'cancelled' };
  const line = `loads cancel ${jobId}`;

  it('asks the person at a terminal, and does nothing without a yes', async () => {
    const questions: string[] = [];
    const person = (answer: string): Partial<CommandContext> => ({
      ask: async (question) => {
        questions.push(question);
        return answer;
      },
    });
    const no = operationOf(line, [done], person(''));
    expect([await no.run(), no.asked, no.noted()]).toEqual([1, [], 'Nothing was done.']);
    const yes = operationOf(line, [done], person('y'));
    expect([await yes.run(), yes.printed()]).toEqual([0, `${jobId}: cancelled`]);
    expect(questions).toEqual(Array(2).fill(expect.stringMatching(/^Cancel daily.*\? .*\[y\/N\] $/)));
    const told = operationOf(`${line} --yes`, [done], person('n'));
    expect(await told.run()).toBe(0);
  });

  it('asks nobody where there is no terminal', async () => {
    expect(await operationOf(line, [done]).run()).toBe(0);
  });
});

describe('loads retry', () => {
  it('says what is loaded again, and watches it', async () => {
    const retried = operationOf(`loads retry ${jobId}`, [
      { kind: 'done', state: 'accepted', rejected: 7 },
      shown(),
    ]);
    expect(await retried.run()).toBe(0);
    expect(retried.noted()).toContain('reads its 7 rejected rows again');
  });

  it('says that there is nothing to retry, to a program as JSON', async () => {
    const refusal: LoadOperationAnswer = { kind: 'refused', reason: 'nothing_to_retry' };
    const person = operationOf(`loads retry ${jobId}`, [refusal]);
    expect([await person.run(), person.printed()]).toEqual([
      1,
      'refused: the load is reconciled and rejected no row: there is nothing to load again',
    ]);
    const program = operationOf(`loads retry ${jobId} --json`, [refusal]);
    expect(await program.run()).toBe(1);
    expect(JSON.parse(program.printed())).toMatchObject({ kind: 'refused', reason: 'nothing_to_retry' });
  });
});
