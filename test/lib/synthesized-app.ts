import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { memberDataApp } from '../../lib/member-data-app.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { madeOnce } from './made-once.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** Names of all functions of an environment and of the portal. */
const functionNames = globSync('lambdas/**/*.handler.ts', { cwd: repositoryRoot }).map((path) =>
  basename(path, '.handler.ts'),
);

/** Files of the portal's site: one page of each kind, and the metafile of the build. */
const siteFiles = ['index.html', '404.html', 'app.html', 'assets/page-ABCD.js', 'assets/meta.json'];

interface Folders {
  readonly bundles: string;
  readonly site: string;
  readonly outdir: string;
}

/**
 * Runs `synthesize` with placeholder bundles, since the functions' code is tested elsewhere.
 *
 * @param without bundles that are missing: functions' names, or `portal-static`.
 */
export function withBundles<Result>(
  without: readonly string[],
  synthesize: (folders: Folders) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), 'member-data-app-'));
  const bundles = join(folder, 'dist');
  const site = join(folder, 'portal-static');
  try {
    const names = functionNames.filter((each) => !without.includes(each));
    for (const name of names) {
      write(join(bundles, name, 'index.cjs'), `exports.handler = async () => '${name}';`);
    }
    if (!without.includes('portal-static')) {
      for (const file of siteFiles) write(join(site, file), file);
    }
    return synthesize({ bundles, site, outdir: join(folder, 'cdk.out') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

type Templates = ReadonlyMap<string, Template>;

interface Synthesized {
  readonly templates: Templates;
  /** Messages that the CDK CLI prints about each stack, as `sandbox/Data <text>`. */
  readonly messages: readonly string[];
  /** The stacks that CloudFormation refuses to delete, as `sandbox/Data`. */
  readonly protectedStacks: readonly string[];
}

/** Synthesizes the app as the CDK CLI does, once for each run. */
export function synthesizedApp(
  context: Readonly<Record<string, unknown>> = {},
  without: readonly string[] = [],
): Synthesized {
  const name = `app ${JSON.stringify([context, without])}`;
  const { templates, ...others } = madeOnce(name, () => synthesize(context, without));
  return { templates: new Map(templates), ...others };
}

/** The app's templates by stack (`sandbox/Data`). */
export function synthesizeApp(
  context: Readonly<Record<string, unknown>> = {},
  without: readonly string[] = [],
): Templates {
  return synthesizedApp(context, without).templates;
}

function synthesize(context: Readonly<Record<string, unknown>>, without: readonly string[]) {
  return withBundles(without, (folders) => {
    const cdkJson = JSON.parse(readFileSync(join(repositoryRoot, 'cdk.json'), 'utf8'));
    const assembly = memberDataApp({ ...folders, context: { ...cdkJson.context, ...context } }).synth();
    const stacks = assembly.nestedAssemblies.flatMap(({ nestedAssembly }) => nestedAssembly.stacks);
    return {
      templates: stacks.map((stack) => [stack.hierarchicalId, stack.template as Template] as const),
      messages: stacks.flatMap((stack) =>
        stack.messages.map(({ entry }) => `${stack.hierarchicalId} ${entry.data}`),
      ),
      protectedStacks: stacks
        .filter(({ terminationProtection }) => terminationProtection)
        .map(({ hierarchicalId }) => hierarchicalId),
    };
  });
}

export function template(templates: ReadonlyMap<string, Template>, stack: string): Template {
  const found = templates.get(stack);
  if (found === undefined) throw new Error(`${stack} is none of ${[...templates.keys()].join(', ')}`);
  return found;
}

/** The project's own functions, without the one that CDK adds to copy files to a bucket. */
export function ownFunctions(of: Template): readonly Resource[] {
  return resources(of, 'AWS::Lambda::Function').filter(
    ({ Properties: { Runtime } }) => !String(Runtime).startsWith('python'),
  );
}

export function resources(of: Template, type: string): readonly Resource[] {
  return Object.values(of.Resources).filter((resource) => resource.Type === type);
}

/** A method of a REST API with its path. */
export interface Method {
  readonly api: string;
  readonly path: string;
  readonly httpMethod: string;
  /** Logical id of the authorizer. */
  readonly authorizer?: string;
  readonly apiKeyRequired: boolean;
}

export function methods(of: Template): readonly Method[] {
  return resources(of, 'AWS::ApiGateway::Method').map(({ Properties: properties }) => {
    const authorizer = reference(properties.AuthorizerId);
    return {
      api: reference(properties.RestApiId) ?? '',
      path: pathOf(of, properties.ResourceId),
      httpMethod: String(properties.HttpMethod),
      apiKeyRequired: properties.ApiKeyRequired === true,
      ...(authorizer === undefined ? {} : { authorizer }),
    };
  });
}

function pathOf(of: Template, resourceId: unknown): string {
  const resource = of.Resources[reference(resourceId) ?? ''];
  if (resource === undefined) return '';
  return `${pathOf(of, resource.Properties.ParentId)}/${String(resource.Properties.PathPart)}`;
}

/** The logical ID in a `Ref`; undefined for another value. */
export function reference(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && 'Ref' in value ? String(value.Ref) : undefined;
}
