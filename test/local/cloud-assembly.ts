import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

type Properties = Record<string, unknown>;
export type Resources = Record<
  string,
  { Type: string; Properties?: Properties; [attribute: string]: unknown }
>;

/** Sources of functions' `index.cjs`, by the S3 key in the function's resource. */
export type Handlers = Record<string, string>;

export interface WrittenStack {
  readonly name: string;
  /**
   * Name of the CDK stage that contains the stack.
   *
   * @default `stageName`
   */
  readonly stage?: string;
  readonly template: { Resources: Resources; [section: string]: unknown };
}

/** Texts of the files of folder assets by their path, by the S3 key in the resource. */
export type Folders = Record<string, Record<string, string>>;

/**
 * Writes a cloud assembly as `cdk synth` does, with each stack in a stage. Delete it with `remove`.
 *
 * @param options.stageName of stacks that name no stage.
 */
export function writeCloudAssembly(
  stacks: readonly WrittenStack[],
  handlers: Handlers = {},
  { stageName = 'sandbox', folders = {} }: { stageName?: string; folders?: Folders } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'assembly-'));
  const files = writeAssets(directory, handlers, folders);
  const artifacts: Properties = {};
  for (const [stage, members] of Map.groupBy(stacks, (stack) => stack.stage ?? stageName)) {
    const properties = { directoryName: `assembly-${stage}`, displayName: stage };
    artifacts[properties.directoryName] = { type: 'cdk:cloud-assembly', properties };
    writeStage(join(directory, properties.directoryName), members, files);
  }
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ artifacts }));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/**
 * Writes the assets.
 *
 * @returns the entries of the asset manifest.
 */
function writeAssets(directory: string, handlers: Handlers, folders: Folders): Properties {
  const files: Properties = {};
  const sources = Object.entries(handlers).map(([key, source]) => [key, { 'index.cjs': source }] as const);
  for (const [key, contents] of [...sources, ...Object.entries(folders)]) {
    for (const [path, text] of Object.entries(contents)) {
      const file = join(directory, `asset.${key}`, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const destinations = { here: { bucketName: 'assets', objectKey: `${key}.zip` } };
    files[key] = { source: { path: `../asset.${key}`, packaging: 'zip' }, destinations };
  }
  return files;
}

function writeStage(directory: string, stacks: readonly WrittenStack[], files: Properties): void {
  mkdirSync(directory);
  const artifacts: Properties = {
    assets: { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } },
  };
  writeFileSync(join(directory, 'assets.json'), JSON.stringify({ files }));
  for (const { name, template } of stacks) {
    writeFileSync(join(directory, `${name}.template.json`), JSON.stringify(template));
    artifacts[name] = {
      type: 'aws:cloudformation:stack',
      environment: 'aws://111122223333/us-east-2',
      properties: {
        templateFile: `${name}.template.json`,
        stackName: name,
        requiresBootstrapStackVersion: 6,
        bootstrapStackVersionSsmParameter: '/cdk-bootstrap/hnb659fds/version',
      },
    };
  }
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ artifacts }));
}
