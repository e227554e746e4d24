import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { readCommandLine } from '../../ops/command-line/command.ts';
import { commands } from '../../ops/program.ts';
import { driftSteps, machineSteps, releaseSteps, stages } from '../../ops/release/steps.ts';
import { repositoryRoot } from '../architecture/imports.ts';

const pages = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', ':!portal-static/docs'],
  { cwd: repositoryRoot, encoding: 'utf8' },
)
  .trim()
  .split('\n');
const scripts = Object.keys(
  (JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { scripts: object }).scripts,
);

/** IDs of the headings as GitHub makes them. */
function headingsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function problemOf(words: readonly string[]): string {
  try {
    readCommandLine(commands, words);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The command lines in a page's blocks, each in one line and without its comment. */
function commandLinesOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^ *```(?:sh|bash)\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.replace(/ *\\\n */g, ' ').split('\n'))
    .map((line) => line.replace(/(^| +)#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** Steps of a release, as `npm run release` names them. */
const steps: readonly string[] = [...releaseSteps, ...machineSteps, ...driftSteps].map(({ id }) => id);

/** The words of a release's command line that it doesn't know: neither a step nor `all`, nor `diff` with its arguments. */
function unknownStepsIn(line: string): readonly string[] {
  const [, words = ''] = /npm run release -- (.*)/.exec(line) ?? [];
  const given = words.split(' ').filter((word) => word !== '' && !word.startsWith('--'));
  return ['all', 'diff'].includes(given[0] ?? '') ? [] : given.filter((word) => !steps.includes(word));
}

/** The stacks of an environment, as its stage makes them. */
const environmentStacks = [
  ...readFileSync(join(repositoryRoot, 'lib/environment/environment-stage.ts'), 'utf8').matchAll(
    /new \w+Stack\(this, '(\w+)'/g,
  ),
]
  .map(([, name = '']) => name)
  .concat(lineOfBusinessCodes.map((lob) => `Lob${lob}`));

/** Stacks of the app (`sandbox/Data`), and the patterns of all stacks of a stage. */
const stacks = new Set(
  stages.flatMap((stage) => [
    `${stage}/*`,
    ...(stage === 'portal' ? ['Data', 'Site'] : environmentStacks).map((stack) => `${stage}/${stack}`),
  ]),
);

describe('command blocks', () => {
  const lines = pages.flatMap((page) =>
    commandLinesOf(readFileSync(join(repositoryRoot, page), 'utf8')).map((line) => [page, line] as const),
  );

  it('are found on the pages with procedures', () => {
    const counted = Map.groupBy(lines, ([page]) => page);
    for (const page of ['README.md', 'docs/runbook.md', 'docs/delivery.md'])
      expect(counted.get(page)?.length, page).toBeGreaterThan(3);
  });

  it('name steps of a release that exist', () => {
    expect(lines.filter(([, line]) => unknownStepsIn(line).length > 0)).toEqual([]);
    expect(unknownStepsIn('npm run release -- items shipit')).toEqual(['shipit']);
  });

  it('name files of the repository that exist', () => {
    const missing = lines.flatMap(([page, line]) =>
      [...line.matchAll(/(?:^|[ '"=])((?:bin|docs|lambdas|lib|local|ops|portal-static|test)\/[\w./-]+)/g)]
        .map(([, path = '']) => path)
        .filter((path) => !existsSync(join(repositoryRoot, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('name stacks of the app that exist', () => {
    const named = lines.flatMap(([page, line]) =>
      /\bcdk (?:deploy|diff|drift|synth)\b/.test(line)
        ? [...line.matchAll(/(?<![\w./-])((?:sandbox|production|portal)\/[\w*]+)/g)].map(
            ([, stack = '']) => [page, stack] as const,
          )
        : [],
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(([, stack]) => !stacks.has(stack))).toEqual([]);
  });
});

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(repositoryRoot, page), 'utf8');

  it('links only to files that exist', () => {
    const missing = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(repositoryRoot, dirname(page), target)));
    expect(missing).toEqual([]);
  });

  it('links only to headings that are there', () => {
    const missing = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)].filter(
      ([, target = '', heading = '']) => {
        const file = target === '' ? page : join(dirname(page), target);
        return !headingsOf(readFileSync(join(repositoryRoot, file), 'utf8')).includes(heading);
      },
    );
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it('shows only commands of the operator that can be read', () => {
    const whole = text.replace(/ *\\\n */g, ' ');
    const lines = [...whole.matchAll(/npm run ops -- ([^`\n\\]*)/g)].map(([, line = '']) =>
      line.replace(/ #.*$/, '').trim(),
    );
    for (const line of lines) {
      const words = line
        .replace('<environment>', 'sandbox')
        .replace(/<[^>]+>/g, 'x')
        .replace(/"[^"]*"/g, 'x')
        .split(' ');
      if (words.includes('--help') || line.includes('|')) continue;
      // A line may name a group of commands, or a command without its argument.
      const problem = problemOf(words.filter((word) => word !== ''));
      expect(problem, line).toMatch(/^$|^expected: |^[\w-]+ is not a command; use /);
    }
  });

  it('names only npm scripts that exist', () => {
    const unknown = [...text.matchAll(/npm\s+run\s+([a-z:]+)/g)]
      .map(([, script = '']) => script)
      .filter((script) => !scripts.includes(script));
    expect(unknown).toEqual([]);
  });
});

it('the README shows the two commands that are all the set-up', () => {
  const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');
  expect(readme).toContain('npm ci && npm start');
  expect(readme).toContain('npm ci && npm test');
});

it('has a glossary that names files that exist', () => {
  const glossary = readFileSync(join(repositoryRoot, 'docs', 'glossary.md'), 'utf8');
  const places = [...glossary.matchAll(/`((?:[a-z-]+\/)+[\w.-]*)`/g)].map(([, place = '']) => place);
  expect(places.length).toBeGreaterThan(50);
  const isThere = (place: string) =>
    ['', 'lambdas'].some((top) => existsSync(join(repositoryRoot, top, place)));
  expect(places.filter((place) => !isThere(place))).toEqual([]);
});
