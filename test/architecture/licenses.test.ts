import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type LockedPackage,
  type LockedPackages,
  licensedPackages,
  licenseProblems,
  licenseTable,
  withoutDevelopment,
} from '../../bin/licenses.ts';
import { repositoryRoot } from './imports.ts';

const nothing = { inputs: {} };

function problemsOf(path: string, locked: Partial<LockedPackage>): readonly string[] {
  return licenseProblems(licensedPackages({ [path]: { version: '1.0.0', ...locked } }, nothing, nothing));
}

describe('the licenses of all packages', () => {
  const { packages } = JSON.parse(readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8')) as {
    packages: LockedPackages;
  };

  it('are in the list of those that are allowed', () => {
    const licensed = licensedPackages(packages, nothing, nothing);
    expect(licensed.length).toBeGreaterThan(300);
    expect(licenseProblems(licensed)).toEqual([]);
  });
});

describe('a license', () => {
  it.each(['MIT', '(MIT OR GPL-3.0-or-later)', 'MIT AND ISC'])('is allowed: %s', (license) => {
    expect(problemsOf('node_modules/a', { license })).toEqual([]);
  });

  it.each([
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    'SEE LICENSE IN LICENSE.md',
    undefined,
  ])('is refused with the package’s name and what to do: %s', (license) => {
    const [problem, ...others] = problemsOf('node_modules/@b/a', license === undefined ? {} : { license });
    expect(others).toEqual([]);
    expect(problem).toMatch(/^@b\/a 1\.0\.0 \(build and operation\) has the license .+ Replace the package/);
  });

  it('with conditions on changed files is allowed for development only', () => {
    expect(problemsOf('node_modules/a', { license: 'MPL-2.0', dev: true })).toEqual([]);
    expect(problemsOf('node_modules/a', { license: 'MPL-2.0' })).toHaveLength(1);
  });
});

describe('the table of packages', () => {
  const version = '1.0.0';
  const license = 'MIT';
  const packages = {
    '': { version },
    'node_modules/b': { version, license },
    'node_modules/b/node_modules/@s/a': { version: '2.0.0', license },
    'node_modules/c': { version, license, dev: true },
    'node_modules/d': { version, license },
  };

  it('names what is inside functions and pages, nested packages too', () => {
    const functions = {
      inputs: { 'lambdas/platform/kernel/line.ts': {}, 'node_modules/b/node_modules/@s/a/dist/i.js': {} },
    };
    const pages = { inputs: { 'node_modules/b/i.js': {}, 'node_modules/b/node_modules/@s/a/i.js': {} } };
    const table = licenseTable(licensedPackages(packages, functions, pages));
    expect(table.split('\n').slice(6, -1)).toEqual([
      '| @s/a | 2.0.0 | MIT | functions, pages |',
      '| b | 1.0.0 | MIT | pages |',
      '| c | 1.0.0 | MIT | development |',
      '| d | 1.0.0 | MIT | build and operation |',
    ]);
  });

  it.each([
    ['node_modules/c/i.js', 'c is in a bundle and only a development dependency'],
    ['node_modules/e/i.js', 'node_modules/e is in a bundle and not in package-lock.json'],
  ])('is not made where a bundle has %s', (path, message) => {
    expect(() => licensedPackages(packages, { inputs: { [path]: {} } }, nothing)).toThrow(message);
  });
});

describe('the bill of materials of what is deployed and operated', () => {
  it('has no package of development, and no dependency on one', () => {
    const component = (ref: string, ...properties: readonly string[]) => ({
      'bom-ref': ref,
      properties: properties.map((name) => ({ name, value: 'true' })),
    });
    const bill = {
      components: [component('a@1'), component('b@1', 'cdx:npm:package:development')],
      dependencies: [
        { ref: 'us@1', dependsOn: ['a@1', 'b@1'] },
        { ref: 'a@1', dependsOn: [] },
        { ref: 'b@1', dependsOn: ['a@1'] },
      ],
    };
    expect(withoutDevelopment(bill)).toEqual({
      components: [component('a@1')],
      dependencies: [
        { ref: 'us@1', dependsOn: ['a@1'] },
        { ref: 'a@1', dependsOn: [] },
      ],
    });
  });
});
