/** Local S3: the objects that bucket deployments of the templates create. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { AssemblyError } from '../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../assembly/resources.ts';
import { settingsOf } from '../assembly/settings.ts';
import { contentTypeOfFile } from './content-types.ts';

export interface StoredObject {
  readonly body: Buffer;
  /** MD5 of the body in quotes, S3's entity tag of an object that was not uploaded in parts. */
  readonly etag: string;
  /** Milliseconds since 1970, whole seconds. */
  readonly lastModified: number;
  /** `Content-Type` and `Cache-Control`, sent with the object. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Objects by bucket name and key. */
export type Buckets = ReadonlyMap<string, ReadonlyMap<string, StoredObject>>;

const deploymentType = 'Custom::CDKBucketDeployment';

const known = new Set([
  ...['ServiceToken', 'SourceBucketNames', 'SourceObjectKeys', 'DestinationBucketName'],
  ...['Prune', 'Exclude', 'Include', 'SystemMetadata'],
  // These settings have no effect here, since nothing is cached, and no stack is updated or deleted.
  ...['RetainOnDelete', 'DistributionId', 'DistributionPaths', 'WaitForDistributionInvalidation'],
  ...['OutputObjectKeys', 'DestinationBucketArn'],
]);

/** ARNs of the functions that carry out bucket deployments in AWS; they are never invoked here. */
export function deploymentFunctions(assembly: Assembly): ReadonlySet<string> {
  return new Set(assembly.ofType(deploymentType).map(({ properties }) => String(properties.ServiceToken)));
}

/**
 * The objects of the buckets after all bucket deployments of the templates, in the order of their dependencies.
 *
 * @throws AssemblyError for a deployment that can't be carried out here.
 * @see https://docs.aws.amazon.com/cdk/api/v2/docs/aws-cdk-lib.aws_s3_deployment-readme.html
 */
export function bucketObjects(assembly: Assembly): Buckets {
  const buckets = new Map<string, Map<string, StoredObject>>(
    assembly.ofType('AWS::S3::Bucket').map(({ physicalId }) => [physicalId, new Map()]),
  );
  for (const deployment of inOrder(assembly.ofType(deploymentType))) {
    const name = String(deployment.properties.DestinationBucketName);
    const objects = buckets.get(name);
    if (objects === undefined) throw fault(deployment, `no template declares the bucket ${name}`);
    deploy(assembly, deployment, objects);
  }
  return buckets;
}

/** Sorts deployments so that each comes after those it depends on. */
function inOrder(deployments: readonly Resource[]): readonly Resource[] {
  const ordered = new Set<Resource>();
  const visit = (one: Resource) => {
    for (const before of deployments) {
      if (before.stack === one.stack && one.dependsOn.includes(before.logicalId) && !ordered.has(before))
        visit(before);
    }
    ordered.add(one);
  };
  for (const one of deployments) visit(one);
  return [...ordered];
}

function deploy(assembly: Assembly, deployment: Resource, objects: Map<string, StoredObject>): void {
  const { properties } = deployment;
  for (const name of Object.keys(properties)) {
    if (!known.has(name)) throw fault(deployment, `${name} is not implemented on one machine`);
  }
  const { 'cache-control': cacheControl, ...others } = settingsOf(properties.SystemMetadata);
  for (const name of Object.keys(others)) {
    throw fault(deployment, `the metadata ${name} is not implemented on one machine`);
  }
  const taken = selection(properties);
  const files = sourceFiles(assembly, deployment);
  if (`${properties.Prune ?? true}` === 'true') {
    for (const key of objects.keys()) {
      if (taken(key) && !files.has(key)) objects.delete(key);
    }
  }
  for (const [key, file] of files) {
    if (taken(key)) objects.set(key, stored(key, file, cacheControl));
  }
}

function stored(key: string, { body, lastModified }: SourceFile, cacheControl: unknown): StoredObject {
  return {
    body,
    etag: `"${createHash('md5').update(body).digest('hex')}"`,
    lastModified: Math.floor(lastModified / 1_000) * 1_000,
    headers: [
      ['Content-Type', contentTypeOfFile(key)],
      ...(cacheControl === undefined ? [] : [['Cache-Control', String(cacheControl)] as const]),
    ],
  };
}

/** Evaluates `--exclude` and `--include` of `aws s3 sync`: first all excludes, then the includes; `*` matches slashes too. */
function selection({ Exclude, Include }: Resource['properties']): (name: string) => boolean {
  const excludes = patterns(Exclude);
  const includes = patterns(Include);
  return (name) => includes.some((one) => one.test(name)) || !excludes.some((one) => one.test(name));
}

function patterns(value: unknown): readonly RegExp[] {
  const texts = Array.isArray(value) ? value.map(String) : [];
  return texts.map((text) => {
    const escaped = text.replace(/[.+^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
  });
}

interface SourceFile {
  readonly body: Buffer;
  readonly lastModified: number;
}

/** All files of a deployment's sources, by path; if two have the same path, the later source's is used. */
function sourceFiles(assembly: Assembly, deployment: Resource): ReadonlyMap<string, SourceFile> {
  const { SourceObjectKeys } = deployment.properties;
  const files = new Map<string, SourceFile>();
  for (const key of (SourceObjectKeys ?? []) as readonly unknown[]) {
    const folder = assembly.assetPath(String(key));
    if (folder === undefined) throw fault(deployment, `no asset for its source ${String(key)}`);
    const status = statSync(folder, { throwIfNoEntry: false });
    if (status === undefined || !status.isDirectory()) {
      throw fault(
        deployment,
        `its source ${folder} is no folder; an archive is not implemented on one machine`,
      );
    }
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const name = relative(folder, path).split(sep).join('/');
      files.set(name, { body: readFileSync(path), lastModified: statSync(path).mtimeMs });
    }
  }
  return files;
}

function fault({ stack, logicalId }: Resource, what: string): AssemblyError {
  return new AssemblyError(`stack ${stack}: ${logicalId}: ${what}`);
}
