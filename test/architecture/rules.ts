import type { Import } from './imports.ts';

/**
 * A room of the import rules (docs/architecture.md, "Who may import whom"). A file belongs to the first room whose pattern matches
 * its path; it may import its own room, the rooms named in `files`, and packages that match `packages`.
 */
interface Room {
  readonly name: string;
  readonly pattern: RegExp;
  readonly files: readonly string[];
  readonly packages: RegExp;
}

const anyPackage = /./;
/** Domain code is pure: schemas, HTML escaping and types, but no AWS, no network, no file. */
const purePackages = /^(zod\/mini|hono\/html|hono\/css|aws-lambda|fhir\/r4\.js)$/;

/** The ground floor: tables and pure functions that every room may read. */
const ground = ['catalog', 'kernel', 'shapes', 'routes'];
/** Rooms shared by the portal's pages and its domains: tables and request schemas. */
const portalGround = [...ground, 'portal catalog', 'portal api'];
/** Requests and answers of directly invoked functions, as their callers write and read them. */
const contracts = [
  'clients contract',
  'oauth contract',
  'fhir contract',
  'audit contract',
  'signing contract',
];
const environmentDomains = ['oauth', 'fhir', 'clients', 'members', 'loads', 'audit'];
const environmentAdapters = [
  'storage',
  'table',
  'aws',
  'signing',
  'identity provider',
  'authorizer',
  'http',
  'runtime',
];

export const rooms: readonly Room[] = [
  {
    name: 'functions',
    pattern: /^lambdas\/functions\//,
    files: [
      'sqlite',
      ...portalGround,
      ...contracts,
      ...environmentDomains,
      ...environmentAdapters,
      'portal domain',
      'portal http',
      'portal adapters',
    ],
    packages: anyPackage,
  },

  {
    name: 'catalog',
    pattern: /^lambdas\/catalog\//,
    files: ['shapes'],
    packages: /^(zod\/mini|fhir\/r4\.js)$/,
  },
  { name: 'shapes', pattern: /^lambdas\/kernel\/(shapes|json-members)\.ts$/, files: [], packages: /^$/ },
  { name: 'kernel', pattern: /^lambdas\/kernel\//, files: ['catalog', 'shapes'], packages: /^canonicalize$/ },
  // The dispatcher over a table of routes: pure.
  { name: 'routes', pattern: /^lambdas\/http\/find-route\.ts$/, files: [], packages: /^$/ },
  { name: 'runtime', pattern: /^lambdas\/runtime\//, files: ground, packages: /^node:/ },

  {
    name: 'clients contract',
    pattern: /^lambdas\/clients\/(provisioning-contract|registration|registration-rules)\.ts$/,
    files: ground,
    packages: purePackages,
  },
  {
    name: 'oauth contract',
    pattern: /^lambdas\/oauth\/.*-contract\.ts$/,
    files: ground,
    packages: purePackages,
  },
  {
    name: 'audit contract',
    pattern: /^lambdas\/audit\/.*-contract\.ts$/,
    files: [...ground, 'audit'],
    packages: purePackages,
  },
  {
    name: 'fhir contract',
    pattern: /^lambdas\/fhir\/.*-contract\.ts$/,
    files: ground,
    packages: purePackages,
  },
  {
    name: 'signing contract',
    pattern: /^lambdas\/signing\/.*-contract\.ts$/,
    files: ground,
    packages: purePackages,
  },

  // The environment's domains: none imports another.
  {
    name: 'oauth',
    pattern: /^lambdas\/oauth\//,
    files: [...ground, 'oauth contract'],
    packages: purePackages,
  },
  {
    name: 'fhir',
    pattern: /^lambdas\/fhir\//,
    files: [...ground, 'fhir contract'],
    packages: purePackages,
  },
  {
    name: 'clients',
    pattern: /^lambdas\/clients\//,
    files: [...ground, 'clients contract'],
    packages: purePackages,
  },
  // Official definitions are heavy: only what takes data in may read them.
  {
    name: 'fhir validation',
    pattern: /^lambdas\/fhir-validation\//,
    files: [],
    packages: /^$/,
  },
  {
    name: 'members',
    pattern: /^lambdas\/members\//,
    files: [...ground, 'fhir validation'],
    packages: purePackages,
  },
  {
    name: 'loads',
    pattern: /^lambdas\/loads\//,
    files: [...ground, 'fhir validation'],
    packages: purePackages,
  },
  {
    name: 'audit',
    pattern: /^lambdas\/audit\//,
    files: [...ground, 'audit contract'],
    packages: purePackages,
  },

  // The environment's adapters, by what they talk to.
  { name: 'table', pattern: /^lambdas\/table\//, files: [...ground, 'runtime'], packages: anyPackage },
  {
    name: 'storage',
    pattern: /^lambdas\/storage\//,
    files: [...ground, ...contracts, ...environmentDomains, 'table', 'runtime'],
    packages: anyPackage,
  },
  {
    name: 'signing',
    pattern: /^lambdas\/signing\//,
    files: [...ground, 'signing contract', 'oauth', 'table', 'runtime', 'authorizer'],
    packages: anyPackage,
  },
  {
    name: 'identity provider',
    pattern: /^lambdas\/identity-provider\//,
    files: [...ground, 'oauth', 'runtime'],
    packages: anyPackage,
  },
  {
    name: 'aws',
    pattern: /^lambdas\/aws\//,
    files: [...ground, ...contracts, ...environmentDomains, 'table', 'runtime'],
    packages: anyPackage,
  },
  {
    name: 'sqlite',
    pattern: /^lambdas\/sqlite\//,
    files: [...ground, 'fhir', 'runtime'],
    packages: /^node:/,
  },
  { name: 'http', pattern: /^lambdas\/http\//, files: [...ground, 'table', 'runtime'], packages: anyPackage },
  {
    name: 'authorizer',
    pattern: /^lambdas\/authorizer\//,
    files: [...ground, 'storage', 'table', 'runtime', 'http'],
    packages: anyPackage,
  },

  // The portal's wing.
  {
    name: 'portal catalog',
    pattern: /^lambdas\/portal\/catalog\//,
    files: ground,
    packages: /^zod\/mini$/,
  },
  {
    name: 'portal api',
    pattern: /^lambdas\/portal\/api\//,
    files: [...ground, 'portal catalog'],
    packages: /^zod\/mini$/,
  },
  {
    name: 'portal domain',
    pattern: /^lambdas\/portal\/(accounts|applications|find-a-doctor)\//,
    files: [...portalGround, 'clients contract', 'fhir contract'],
    packages: purePackages,
  },
  {
    name: 'portal http',
    pattern: /^lambdas\/portal\/http\//,
    files: [...portalGround, 'http', 'runtime'],
    packages: anyPackage,
  },
  {
    name: 'portal adapters',
    pattern: /^lambdas\/portal\/adapters\//,
    files: [...portalGround, 'portal domain', 'clients contract', 'table', 'aws', 'runtime'],
    packages: anyPackage,
  },

  // The decisions of a platform team: read by the stacks, and by the portal's build, whose pages show them.
  {
    name: 'configuration',
    pattern: /^lib\/config\//,
    files: [...ground, 'portal catalog'],
    packages: /^zod$/,
  },
  {
    name: 'lib',
    pattern: /^lib\//,
    files: [...ground, 'portal catalog', 'configuration'],
    packages: anyPackage,
  },
  {
    name: 'bin',
    pattern: /^bin\//,
    files: [...ground, 'fhir validation', 'lib', 'configuration', 'portal build'],
    packages: anyPackage,
  },
  { name: 'local', pattern: /^local\//, files: [], packages: anyPackage },
  {
    name: 'ops',
    pattern: /^ops\//,
    files: [...portalGround, ...contracts, 'members', 'loads', 'portal domain', 'audit', 'clients'],
    packages: anyPackage,
  },
  // Its build runs in Node: it makes the public pages and documents from the same tables.
  {
    name: 'portal build',
    pattern: /^portal-static\/build\//,
    files: [...portalGround, 'portal pages', 'configuration'],
    packages: anyPackage,
  },
  {
    name: 'portal pages',
    pattern: /^portal-static\//,
    files: portalGround,
    packages:
      /^(preact|preact-iso\/(router|lazy)|preact\/.*|zod\/mini|uplot|minisearch|altcha.*|swagger-ui-dist.*)$/,
  },
];

function roomOf(path: string): Room | undefined {
  return rooms.find((room) => room.pattern.test(path));
}

/** The imports that break a rule, each as a sentence. */
export function violations(imports: readonly Import[]): string[] {
  return imports.flatMap(({ from, to, ours }) => {
    const room = roomOf(from);
    if (room === undefined) return [`${from} belongs to no room`];
    if (!ours) {
      return room.packages.test(to) ? [] : [`${from} (${room.name}) imports the package ${to}`];
    }
    const target = roomOf(to);
    if (target === undefined) return [`${from} (${room.name}) imports ${to}, which belongs to no room`];
    return target === room || room.files.includes(target.name)
      ? []
      : [`${from} (${room.name}) imports ${to} (${target.name})`];
  });
}
