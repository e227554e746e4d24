import type { Import } from './imports.ts';

/**
 * Who may import whom (docs/architecture.md). A file belongs to the first layer whose pattern matches its path; it may
 * import files of the layers named in `files`, and packages that match `packages`.
 */
interface Layer {
  readonly name: string;
  readonly pattern: RegExp;
  readonly files: readonly string[];
  readonly packages: RegExp;
}

const anyPackage = /./;
/** Domain code is pure: schemas, HTML escaping and types, but no AWS, no network, no file. */
const purePackages = /^(zod\/mini|hono\/html|hono\/css|aws-lambda)$/;

export const layers: readonly Layer[] = [
  {
    name: 'handler',
    pattern: /^lambdas\/.*\.handler\.ts$/,
    files: [
      'catalog',
      'runtime',
      'store port',
      'adapter',
      'gateway',
      'oauth',
      'fhir',
      'applications',
      'developers',
      'portal contract',
      'members',
      'audit',
      'signing contract',
      'authorization contract',
    ],
    packages: anyPackage,
  },
  { name: 'catalog', pattern: /^lambdas\/catalog\//, files: ['catalog'], packages: /^zod\/mini$/ },
  {
    name: 'runtime',
    pattern: /^lambdas\/runtime\//,
    files: ['catalog', 'runtime'],
    packages: /^(node:|zod\/mini)/,
  },
  {
    name: 'store port',
    pattern: /^lambdas\/storage\/(table|keys|portal-keys)\.ts$/,
    files: ['catalog', 'store port'],
    packages: /^$/,
  },
  {
    name: 'signing contract',
    pattern: /^lambdas\/signing\/.*-contract\.ts$/,
    files: ['catalog'],
    packages: purePackages,
  },
  {
    name: 'authorization contract',
    pattern: /^lambdas\/oauth\/.*-contract\.ts$/,
    files: ['catalog'],
    packages: purePackages,
  },
  {
    name: 'adapter',
    pattern: /^lambdas\/(storage|signing|messages|identity)\//,
    files: [
      'catalog',
      'runtime',
      'store port',
      'adapter',
      'oauth',
      'fhir',
      'applications',
      'developers',
      'portal contract',
      'members',
      'audit',
      'gateway',
      'signing contract',
    ],
    packages: anyPackage,
  },
  {
    name: 'gateway',
    pattern: /^lambdas\/gateway\//,
    files: ['catalog', 'runtime', 'store port', 'gateway', 'portal contract'],
    packages: anyPackage,
  },
  {
    name: 'portal contract',
    pattern: /^lambdas\/portal-api\//,
    files: ['catalog', 'portal contract'],
    packages: /^zod\/mini$/,
  },
  {
    name: 'developers',
    pattern: /^lambdas\/developers\//,
    files: ['catalog', 'portal contract', 'developers'],
    packages: purePackages,
  },
  {
    name: 'oauth',
    pattern: /^lambdas\/oauth\//,
    files: ['catalog', 'oauth', 'authorization contract'],
    packages: purePackages,
  },
  { name: 'fhir', pattern: /^lambdas\/fhir\//, files: ['catalog', 'fhir'], packages: purePackages },
  {
    name: 'applications',
    pattern: /^lambdas\/applications\//,
    files: ['catalog', 'portal contract', 'applications'],
    packages: purePackages,
  },
  { name: 'members', pattern: /^lambdas\/members\//, files: ['catalog', 'members'], packages: purePackages },
  { name: 'audit', pattern: /^lambdas\/audit\//, files: ['catalog', 'audit'], packages: purePackages },
  // What a platform team decides: read by the stacks, and by the portal's build, whose pages say it.
  {
    name: 'configuration',
    pattern: /^lib\/config\//,
    files: ['configuration', 'catalog'],
    packages: /^zod$/,
  },
  { name: 'lib', pattern: /^lib\//, files: ['lib', 'configuration', 'catalog'], packages: anyPackage },
  {
    name: 'bin',
    pattern: /^bin\//,
    files: ['bin', 'lib', 'configuration', 'catalog', 'portal build'],
    packages: anyPackage,
  },
  { name: 'local', pattern: /^local\//, files: ['local'], packages: anyPackage },
  {
    name: 'ops',
    pattern: /^ops\//,
    files: [
      'ops',
      'catalog',
      'applications',
      'developers',
      'portal contract',
      'members',
      'audit',
      'signing contract',
      'authorization contract',
    ],
    packages: anyPackage,
  },
  // Its build runs in Node: it makes the public pages and documents from the same tables.
  {
    name: 'portal build',
    pattern: /^portal-static\/build\//,
    files: ['portal build', 'portal pages', 'configuration', 'catalog', 'portal contract'],
    packages: anyPackage,
  },
  {
    name: 'portal pages',
    pattern: /^portal-static\//,
    files: ['portal pages', 'catalog', 'portal contract'],
    packages: /^(preact|preact-iso\/(router|lazy)|preact\/.*|zod\/mini|uplot|altcha.*|swagger-ui-dist.*)$/,
  },
];

function layerOf(path: string): Layer | undefined {
  return layers.find((layer) => layer.pattern.test(path));
}

/** The imports that break a rule, each as a sentence. */
export function violations(imports: readonly Import[]): string[] {
  return imports.flatMap(({ from, to, ours }) => {
    const layer = layerOf(from);
    if (layer === undefined) return [`${from} belongs to no layer`];
    if (!ours) {
      return layer.packages.test(to) ? [] : [`${from} (${layer.name}) imports the package ${to}`];
    }
    const target = layerOf(to);
    if (target === undefined) return [`${from} (${layer.name}) imports ${to}, which belongs to no layer`];
    return layer.files.includes(target.name)
      ? []
      : [`${from} (${layer.name}) imports ${to} (${target.name})`];
  });
}
