/**
 * `npm run sbom`: writes the software bill of materials and the table of licenses to `dist/documents`. Builds the pages, and needs the functions of `npm run bundle`.
 * Exit code 1 for a license that is not allowed.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPortal } from '../portal-static/build/build.ts';
import {
  type BillOfMaterials,
  type BundleInputs,
  type LockedPackages,
  licensedPackages,
  licenseProblems,
  licenseTable,
  withoutDevelopment,
} from './licenses.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/documents');

function functionInputs(): BundleInputs {
  const path = join(root, 'dist/meta.json');
  if (!existsSync(path))
    throw new Error(
      'dist/meta.json is missing, so it is unknown what the functions hold. Run npm run bundle first.',
    );
  return JSON.parse(readFileSync(path, 'utf8')) as BundleInputs;
}

/** CycloneDX 1.5 of the lockfile, by npm, under the product's name instead of the folder's. */
function billOfMaterials(): BillOfMaterials {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('The bill of materials is made by npm. Use npm run sbom.');
  const options = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const text = execFileSync(process.execPath, [npm, ...options], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const bill = JSON.parse(text) as BillOfMaterials & { metadata: { component: { name: string } } };
  bill.metadata.component.name = 'member-data-api';
  return bill;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

try {
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: LockedPackages;
  };
  const packages = licensedPackages(lockfile.packages, functionInputs(), await buildPortal());
  const problems = licenseProblems(packages);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const bill = billOfMaterials();
  const files = {
    'sbom.cdx.json': json(withoutDevelopment(bill)),
    'sbom-development.cdx.json': json(bill),
    'licenses.md': licenseTable(packages),
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    console.log(`dist/documents/${name}`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
