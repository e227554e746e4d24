/** The npm packages of this product: their licenses, which are allowed, and which packages are inside what is deployed. */

/** One package of `package-lock.json` (lockfile version 3). */
export interface LockedPackage {
  readonly version: string;
  /** SPDX expression of the package's `package.json`. */
  readonly license?: string;
  /** Whether only development dependencies lead to it. */
  readonly dev?: boolean;
}

/** The packages of `package-lock.json` by path; the empty path is this product. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** Inputs of a bundle, by path, as in esbuild's metafile. */
export interface BundleInputs {
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Licenses that permit use inside a closed product without conditions on its own code (SPDX identifiers). */
const permissive: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
];

/** Licenses of tools that are neither changed nor deployed: MPL-2.0 has conditions on changed files only. */
const forDevelopment: readonly string[] = [...permissive, 'MPL-2.0'];

/** Packages without an SPDX identifier whose license was read, with the version and what it says. */
const read: Readonly<Record<string, string>> = {
  '@uswds/uswds@3.14.0': 'public domain (CC0-1.0), with files under MIT, Apache-2.0 and OFL-1.1',
};

/** A package with its license and its place in the product. */
interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly use: 'functions' | 'pages' | 'functions, pages' | 'build and operation' | 'development';
}

/** The package's path in the lockfile of a file under `node_modules`, or undefined for a file of ours. */
function packagePath(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/**
 * Lists the packages by name, each version once.
 *
 * @throws Error for a package of a bundle that is not among the packages, or that only development dependencies lead to.
 */
export function licensedPackages(
  packages: LockedPackages,
  functions: BundleInputs,
  pages: BundleInputs,
): readonly LicensedPackage[] {
  const inside = (bundle: BundleInputs) => new Set(Object.keys(bundle.inputs).map(packagePath));
  const [inFunctions, inPages] = [inside(functions), inside(pages)];
  for (const path of new Set([...inFunctions, ...inPages])) {
    if (path !== undefined && packages[path]?.dev !== undefined) {
      throw new Error(
        `${nameOf(path)} is in a bundle and only a development dependency; add it to dependencies`,
      );
    }
    if (path !== undefined && packages[path] === undefined) {
      throw new Error(`${path} is in a bundle and not in package-lock.json; run npm ci and bundle again`);
    }
  }
  const useOf = (path: string): LicensedPackage['use'] => {
    const uses = [inFunctions.has(path) && 'functions', inPages.has(path) && 'pages'].filter(Boolean);
    if (uses.length > 0) return uses.join(', ') as LicensedPackage['use'];
    return packages[path]?.dev === true ? 'development' : 'build and operation';
  };
  const listed = Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, license = 'none' }]) => ({
      name: nameOf(path),
      version,
      license: read[`${nameOf(path)}@${version}`] ?? license,
      use: useOf(path),
    }));
  const unique = new Map(listed.map((one) => [`${one.name}@${one.version} ${one.use}`, one]));
  return [...unique.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Whether an SPDX expression allows a choice of these licenses: `MIT`, `(MIT OR GPL-3.0-or-later)`. An `AND` needs each. */
function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const choices = expression.replace(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((license) => allowed.includes(license.trim())));
}

/** The problem of each package whose license is not allowed; empty if all are. */
export function licenseProblems(packages: readonly LicensedPackage[]): readonly string[] {
  return packages
    .filter(({ name, version, license, use }) => {
      const allowed = use === 'development' ? forDevelopment : permissive;
      return read[`${name}@${version}`] === undefined && !isAllowed(license, allowed);
    })
    .map(
      ({ name, version, license, use }) =>
        `${name} ${version} (${use}) has the license ${license}, which is not in the list of bin/licenses.ts. Replace the package, ` +
        'or read its license and add it to the list.',
    );
}

/** The table of all packages in Markdown. */
export function licenseTable(packages: readonly LicensedPackage[]): string {
  const rows = packages.map(
    ({ name, version, license, use }) => `| ${name} | ${version} | ${license} | ${use} |`,
  );
  return [
    '# Packages and their licenses',
    '',
    '`functions` and `pages` are inside what is deployed. `build and operation` is installed where the product is built and operated.',
    '',
    '| Package | Version | License | Use |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** The parts of a CycloneDX 1.5 document, as `npm sbom` writes it, that are read here. */
export interface BillOfMaterials {
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly properties: readonly { readonly name: string; readonly value: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * The bill of materials without what only development needs. `npm sbom --omit=dev` would also leave out packages that both a dependency and a
 * development dependency lead to, such as `@aws-sdk/core`.
 */
export function withoutDevelopment<Bill extends BillOfMaterials>(bill: Bill): Bill {
  const development = new Set(
    bill.components
      .filter(({ properties }) => properties.some(({ name }) => name === 'cdx:npm:package:development'))
      .map((component) => component['bom-ref']),
  );
  const stays = (ref: string) => !development.has(ref);
  return {
    ...bill,
    components: bill.components.filter((component) => stays(component['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => stays(ref))
      .map((each) => ({ ...each, dependsOn: each.dependsOn.filter(stays) })),
  };
}
