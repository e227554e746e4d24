import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../../ops/command-line/command.ts';
import { commands } from '../../../ops/program.ts';

const all = commands.flatMap((each) =>
  'commands' in each
    ? each.commands.map((command) => ({ command, line: `${each.name} ${command.name}` }))
    : [{ command: each, line: each.name }],
);

function helpOf(line: string): string {
  const printed: string[] = [];
  const words = line.replace(/ <.*/, '').split(' ');
  expect(readCommandLine(commands, [...words, '--help'], (text) => printed.push(text))).toBeUndefined();
  return printed.join('\n').replace(/\s+/g, ' ');
}

describe.each(all)('$line', ({ command, line }) => {
  it('has help with its options and exit codes', () => {
    const help = helpOf(line);
    expect(help).toContain(`Usage: ops ${line.replace(/(?= <)|$/, ' [options]')}`);
    expect(help).toContain(command.about);
    for (const name of command.options) expect(help).toContain(` --${name} `);
    expect(help).toContain(`1 ${command.failure ?? 'refused'}, 2 invalid command line`);
  });

  it('is read with its argument', () => {
    const [, argument] = /<(.*)>/.exec(line) ?? [];
    const words = [...line.replace(/ <.*/, '').split(' '), ...(argument === undefined ? [] : ['x1'])];
    expect(readCommandLine(commands, words)).toEqual({
      ...{ command, values: {} },
      words: argument === undefined ? [] : ['x1'],
    });
  });
});

it.each([
  [['-e', 'production', 'clients', 'register', '--no-pkce'], { environment: 'production', 'no-pkce': true }],
  [['clients', '--lob', 'DSNP,MAPD', 'register', '--lob=MHBE'], { lob: ['DSNP,MAPD', 'MHBE'] }],
  [['clients', 'register', '--name', '-Ab1'], { name: '-Ab1' }],
])('reads the options of %j', (args, values) => {
  expect(readCommandLine(commands, args)?.values).toEqual(values);
});

it.each([
  [['clients', 'register', '--name', '--lob', 'DSNP'], '--name lacks its value'],
  [['clients', 'register', '--name'], "option '--name <name>' argument missing"],
  [['jobs', 'list', '--josn'], 'jobs list has no option --josn\n(Did you mean --json?)'],
  [['seed', 'now'], 'expected: seed'],
  [['jobs'], 'jobs is not a command; use list, show, cancel'],
])('says what is wrong with %j', (args, message) => {
  expect(() => readCommandLine(commands, args)).toThrow(message);
});

it('completes commands, options and values in a shell', () => {
  const complete = (...words: string[]) =>
    execFileSync(process.execPath, ['ops/main.ts', 'complete', '--', ...words], {
      cwd: join(import.meta.dirname, '..', '..', '..'),
      encoding: 'utf8',
    });
  expect(complete('keys', 'r')).toMatch(/^rotate\t.*\nremove\t/);
  expect(complete('keys', 'rotate', '--js')).toMatch(/^--json\t/);
  expect(complete('keys', 'rotate', '--lob', 'F')).toMatch(/^FEDERATION\b/);
});
