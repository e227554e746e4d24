import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';
import type { RecipeEffects } from './recipe-effects.ts';

/** The recipes of CONTRIBUTING.md are applied to a copy of the repository, and their effects compared with the text. */

const page = readFileSync(join(repositoryRoot, 'CONTRIBUTING.md'), 'utf8');

/** The diff of a recipe: its fenced code block without the list's indentation. */
function diffOf(recipe: string): string {
  const [, indent = '', diff] =
    new RegExp(`^( *)\`\`\`diff ${recipe}\\n([\\s\\S]*?)^ *\`\`\`$`, 'm').exec(page) ?? [];
  if (diff === undefined) throw new Error(`CONTRIBUTING.md has no diff ${recipe}`);
  return diff.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
}

/** Files that a diff changes. */
const changedBy = (diff: string) => [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => path);

const folder = mkdtempSync(join(tmpdir(), 'recipes-'));
const copy = join(folder, 'repository');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Folders and files that the effects of a recipe depend on. */
const parts = [
  'cdk.json',
  'bin',
  'package.json',
  'lambdas',
  'lib',
  'ops',
  'portal-static',
  'test/docs',
  'test/architecture',
];

function copyRepository(): void {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...parts],
    {
      cwd: repositoryRoot,
      encoding: 'utf8',
    },
  );
  for (const path of listed.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(repositoryRoot, path), join(copy, path));
  }
  symlinkSync(join(repositoryRoot, 'node_modules'), join(copy, 'node_modules'));
}

/**
 * Applies the diff of a recipe.
 *
 * @throws Error with git's message if a file does not match
 */
function apply(recipe: string): void {
  execFileSync('git', ['apply', '--unsafe-paths', '-'], {
    cwd: copy,
    input: diffOf(recipe),
    encoding: 'utf8',
  });
}

let effects: RecipeEffects;
beforeAll(() => {
  copyRepository();
  for (const recipe of ['search-parameter', 'function', 'line-of-business']) apply(recipe);
  const script = join(copy, 'test/docs/recipe-effects.ts');
  const output = execFileSync(process.execPath, [script, join(folder, 'made')], {
    cwd: copy,
    encoding: 'utf8',
  });
  effects = JSON.parse(output) as RecipeEffects;
});

describe('the recipe of a search parameter', () => {
  it('adds it to the CapabilityStatement, the OpenAPI document and index entries', () => {
    expect(effects.stated).toContain('status');
    expect(effects.documented).toContain('status');
    expect(effects.indexed).toEqual(['status']);
  });
});

describe('the recipe of a function', () => {
  it('bundles it, and gives its role the rights of its row', () => {
    expect(effects.bundled).toEqual(['key-check']);
    const issuers = [...effects.linesOfBusiness, 'M2M'].map((issuer) => `${issuer}#JWKS`);
    expect(effects.rights).toEqual([
      expect.objectContaining({
        Action: 'dynamodb:GetItem',
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': expect.arrayContaining(issuers) } },
      }),
    ]);
  });
});

describe('the recipe of a line of business', () => {
  it('adds it to hosts, members’ pages and synthetic members', () => {
    expect(effects.linesOfBusiness).toContain('CHPVA');
    expect(effects.named).toEqual({ en: effects.linesOfBusiness, es: effects.linesOfBusiness });
    expect([...effects.members].sort()).toEqual([...effects.linesOfBusiness].sort());
    expect(effects.hosts.filter((code) => code === 'chpva')).toHaveLength(2);
  });

  it('adds its stack to an environment', () => {
    expect(effects.stacks).toContain('sandbox/LobCHPVA');
  });

  it('has every file with a value for each line of business', () => {
    const listed = execFileSync('git', ['grep', '-lE', '^ +EGWP:', '--', '*.ts', '*.tsx', ':!test'], {
      cwd: repositoryRoot,
      encoding: 'utf8',
    });
    expect(changedBy(diffOf('line-of-business'))).toEqual(expect.arrayContaining(listed.trim().split('\n')));
  });
});
