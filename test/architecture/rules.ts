import type { Import } from './imports.ts';

/**
 * A room: a group of files with the same import rules (docs/architecture.md, "Who may import whom"). A file belongs to the first room whose
 * pattern matches its path. It may import files of its own room and of the rooms named in `files`, and packages that match `packages`.
 */
interface Room {
  readonly name: string;
  readonly pattern: RegExp;
  readonly files: readonly string[];
  readonly packages: RegExp;
}

const anyPackage = /./;
/** Packages that domain code may import: schemas, HTML escaping and types, but no AWS, network or file access. */
const purePackages = /^(zod\/mini|hono\/html|hono\/css|aws-lambda|fhir\/r4\.js)$/;

/** Rooms with data and pure functions, which every other room may import. */
const ground = ['catalog', 'kernel', 'shapes'];
/** Rooms that the portal's pages and its functions share: tables and request schemas. */
const portalGround = [...ground, 'portal catalog', 'portal api'];

/** Capabilities of an environment, each a folder of `lambdas/`. A new capability is added to this list. */
const capabilities = [
  'authorization',
  'clients',
  'patient-access',
  'payer-access',
  'payer-exchange',
  'provider-directory',
  'loads',
  'audit',
] as const;

/** Rooms with the requests and responses of directly invoked functions, and the rules that callers follow. */
const contracts = capabilities.map((capability) => `${capability} contract`);

/** Rooms that every capability's adapters share: the table, HTTP, the process, AWS services. */
const platform = ['table', 'http', 'runtime', 'platform aws'];

/** Names of the adapter folders of a capability, whose files use DynamoDB, another AWS service, the network or files. */
const adapterFolders = 'store|aws|signing|authorizer|identity-provider|payer-server|sqlite';
/** Pattern of files at the top of a capability: its handlers, and code that several handlers share. */
const topFile = '[^/]+\\.ts';

/**
 * The rooms of a capability. Its domain is pure, adapters implement the domain's ports, and the handlers connect them. Other capabilities
 * may import only its contracts (`*-contract.ts`): domains those of its domain, adapters and handlers also those of its store.
 */
function roomsOf(capability: string): readonly Room[] {
  const others = capabilities.filter((other) => other !== capability);
  const domains = [...ground, 'fhir', ...others.map((other) => `${other} contract`)];
  const stores = others.map((other) => `${other} store contract`);
  const own = [`${capability} contract`, `${capability} domain`];
  const ownStore = [`${capability} store contract`, `${capability} adapters`];
  const folder = `^lambdas/${capability}/`;
  return [
    {
      name: `${capability} store contract`,
      pattern: new RegExp(`${folder}store/[^/]+-contract\\.ts$`),
      files: [...domains, ...own, ...ownStore, ...platform],
      packages: anyPackage,
    },
    {
      name: `${capability} contract`,
      pattern: new RegExp(`${folder}.+/[^/]+-contract\\.ts$`),
      files: [...ground, `${capability} domain`],
      packages: purePackages,
    },
    {
      name: `${capability} adapters`,
      pattern: new RegExp(`${folder}(?:${adapterFolders})/`),
      files: [...domains, ...own, ...stores, ...ownStore, 'fhir store', ...platform],
      packages: anyPackage,
    },
    {
      name: `${capability} handlers`,
      pattern: new RegExp(`${folder}${topFile}$`),
      files: [...domains, ...own, ...stores, ...ownStore, 'fhir store', ...platform],
      packages: anyPackage,
    },
    {
      name: `${capability} domain`,
      pattern: new RegExp(`${folder}[^/]+/`),
      // FHIR profile definitions are large, so only the capability that loads data imports the validation.
      files: [...domains, ...own, ...(capability === 'loads' ? ['fhir validation'] : [])],
      packages: purePackages,
    },
  ];
}

export const rooms: readonly Room[] = [
  {
    name: 'catalog',
    pattern: /^lambdas\/catalog\//,
    files: ['shapes'],
    packages: /^(zod\/mini|fhir\/r4\.js)$/,
  },
  {
    name: 'shapes',
    pattern: /^lambdas\/platform\/kernel\/(shapes|json-members)\.ts$/,
    files: [],
    packages: /^$/,
  },
  {
    name: 'kernel',
    pattern: /^lambdas\/platform\/kernel\//,
    files: ['catalog', 'shapes'],
    packages: /^canonicalize$/,
  },
  { name: 'runtime', pattern: /^lambdas\/platform\/runtime\//, files: ground, packages: /^node:/ },
  {
    name: 'table',
    pattern: /^lambdas\/platform\/table\//,
    files: [...ground, 'runtime'],
    packages: anyPackage,
  },
  {
    name: 'http',
    pattern: /^lambdas\/platform\/http\//,
    files: [...ground, 'table', 'runtime'],
    packages: anyPackage,
  },
  {
    name: 'platform aws',
    pattern: /^lambdas\/platform\/aws\//,
    files: [...ground, 'table', 'runtime'],
    packages: anyPackage,
  },

  { name: 'fhir validation', pattern: /^lambdas\/fhir\/validation\//, files: [], packages: /^$/ },
  {
    name: 'fhir store',
    pattern: /^lambdas\/fhir\/store\//,
    files: [...ground, 'fhir', 'table', 'runtime'],
    packages: anyPackage,
  },
  { name: 'fhir', pattern: /^lambdas\/fhir\//, files: ground, packages: purePackages },

  ...capabilities.flatMap(roomsOf),

  // The portal has its own catalog, API and table, apart from the environments.
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
    pattern: /^lambdas\/portal\/(accounts|applications|find-a-doctor|status)\//,
    files: [...portalGround, ...contracts],
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
    files: [...portalGround, 'portal domain', ...contracts, 'table', 'platform aws', 'runtime'],
    packages: anyPackage,
  },
  {
    name: 'portal handlers',
    pattern: /^lambdas\/portal\/[^/]+\.ts$/,
    files: [...portalGround, ...contracts, 'portal domain', 'portal http', 'portal adapters', ...platform],
    packages: anyPackage,
  },

  // Configuration of each environment, read by the stacks and by the portal's build, whose pages show it.
  {
    name: 'configuration',
    pattern: /^lib\/config\//,
    files: [...ground, 'portal catalog'],
    // The logo of the plan's brand is a file beside the values.
    packages: /^(zod|node:(fs|path))$/,
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
  // The synthetic members and directory: made by the operator's commands, and shown by the portal's build.
  {
    name: 'generator',
    pattern: /^ops\/generator\//,
    files: [...portalGround, ...contracts, 'loads domain'],
    packages: /^(node:(crypto|fs|path|zlib)|fhir\/r4\.js)$/,
  },
  {
    name: 'ops',
    pattern: /^ops\//,
    files: [
      ...portalGround,
      ...contracts,
      'generator',
      'authorization domain',
      'loads domain',
      'portal domain',
    ],
    packages: anyPackage,
  },
  // The build of the pages runs in Node and generates public pages and documents from the tables.
  {
    name: 'portal build',
    pattern: /^portal-static\/build\//,
    files: [...portalGround, 'portal pages', 'configuration', 'generator'],
    packages: anyPackage,
  },
  {
    name: 'portal pages',
    pattern: /^portal-static\//,
    files: portalGround,
    packages: /^(preact|preact-iso\/(router|lazy)|preact\/.*|zod\/mini|uplot|minisearch|altcha.*)$/,
  },
];

function roomOf(path: string): Room | undefined {
  return rooms.find((room) => room.pattern.test(path));
}

/** Lists the imports that break a rule, each as a sentence. */
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
