/** Reads the synthesized templates. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssemblyError } from './assembly-error.ts';

/** The parts of a CloudFormation template that the local system reads. */
export interface Template {
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
  readonly Mappings?: Readonly<Record<string, unknown>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Resources?: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, TemplateOutput>>;
}

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
  readonly UpdatePolicy?: Readonly<Record<string, unknown>>;
  readonly Condition?: string;
}

export interface TemplateOutput {
  readonly Value: unknown;
  readonly Export?: { readonly Name: unknown };
  readonly Condition?: string;
}

export interface Stack {
  readonly name: string;
  /** Name of the CDK stage, or the empty string. */
  readonly environment: string;
  readonly account: string;
  readonly region: string;
  readonly template: Template;
}

export interface CloudAssembly {
  readonly stacks: readonly Stack[];
  /** S3 object key → file or folder. */
  readonly assets: ReadonlyMap<string, string>;
}

interface Artifact {
  readonly type: string;
  readonly environment?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

interface AssetManifest {
  readonly files?: Readonly<
    Record<
      string,
      {
        readonly source?: { readonly path?: string };
        readonly destinations?: Readonly<Record<string, { readonly objectKey?: string }>>;
      }
    >
  >;
}

/**
 * Reads `manifest.json`, the templates and asset manifests it names, and the assemblies nested in it.
 * Format: the `cloud-assembly-schema` package of the AWS CDK.
 */
export function readCloudAssembly(directory: string, environment = ''): CloudAssembly {
  const manifest = readJson<{ artifacts?: Record<string, Artifact> }>(join(directory, 'manifest.json'));
  const stacks: Stack[] = [];
  const assets = new Map<string, string>();
  for (const [id, artifact] of Object.entries(manifest.artifacts ?? {})) {
    if (artifact.type === 'aws:cloudformation:stack') {
      stacks.push(readStack(directory, id, artifact, environment));
    } else if (artifact.type === 'cdk:asset-manifest') {
      readAssets(directory, artifact, assets);
    } else if (artifact.type === 'cdk:cloud-assembly') {
      const folder = join(directory, String(artifact.properties?.directoryName));
      const nested = readCloudAssembly(folder, String(artifact.properties?.displayName ?? id));
      stacks.push(...nested.stacks);
      for (const [key, path] of nested.assets) assets.set(key, path);
    }
  }
  return { stacks, assets };
}

function readStack(directory: string, id: string, artifact: Artifact, environment: string): Stack {
  const template = readJson<Template>(join(directory, String(artifact.properties?.templateFile)));
  const target = /^aws:\/\/([^/]+)\/(.+)$/.exec(artifact.environment ?? '');
  const account = target?.[1] ?? 'unknown-account';
  const region = target?.[2] ?? 'unknown-region';
  return {
    name: String(artifact.properties?.stackName ?? id),
    environment,
    account: account === 'unknown-account' ? '000000000000' : account,
    region: region === 'unknown-region' ? 'us-east-1' : region,
    template,
  };
}

function readAssets(directory: string, artifact: Artifact, assets: Map<string, string>): void {
  const manifest = readJson<AssetManifest>(join(directory, String(artifact.properties?.file)));
  for (const file of Object.values(manifest.files ?? {})) {
    if (file.source?.path === undefined) continue;
    for (const destination of Object.values(file.destinations ?? {})) {
      if (destination.objectKey !== undefined) {
        assets.set(destination.objectKey, join(directory, file.source.path));
      }
    }
  }
}

function readJson<T>(path: string): T {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    throw new AssemblyError(`the cloud assembly can't be read: ${path}: ${(error as Error).message}`);
  }
}
