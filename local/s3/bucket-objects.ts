import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { AssemblyError } from '../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../assembly/resources.ts';
import { contentTypeOfFile } from './content-types.ts';

export interface StoredObject {
  readonly body: Buffer;
  /** MD5 of the body in quotes, as S3 gives it to an object put in one piece. */
  readonly etag: string;
  /** Milliseconds since 1970, whole seconds. */
  readonly lastModified: number;
  /** `Content-Type`, `Cache-Control`, `x-amz-meta-…`: sent with the object. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Bucket name → key → object. */
export type Buckets = ReadonlyMap<string, ReadonlyMap<string, StoredObject>>;

const deploymentType = 'Custom::CDKBucketDeployment';

/** Headers a deployment may give to its objects by `SystemMetadata`; others change how S3 keeps them, which shows nowhere. */
const systemHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'Cache-Control',
  'content-disposition': 'Content-Disposition',
  'content-encoding': 'Content-Encoding',
  'content-language': 'Content-Language',
  'content-type': 'Content-Type',
};

const known = new Set([
  ...['ServiceToken', 'SourceBucketNames', 'SourceObjectKeys', 'SourceMarkers', 'SourceMarkersConfig'],
  ...['DestinationBucketName', 'DestinationBucketKeyPrefix', 'Prune', 'Exclude', 'Include'],
  ...['SystemMetadata', 'UserMetadata', 'Extract'],
  // Without effect where nothing is cached, updated or deleted by a stack.
  ...['RetainOnDelete', 'DistributionId', 'DistributionPaths', 'WaitForDistributionInvalidation'],
  ...['OutputObjectKeys', 'DestinationBucketArn'],
]);

/** ARNs of the functions that carry out bucket deployments in the cloud; nothing on one machine invokes them. */
export function deploymentFunctions(assembly: Assembly): ReadonlySet<string> {
  return new Set(assembly.ofType(deploymentType).map(({ properties }) => String(properties.ServiceToken)));
}

/**
 * What the bucket deployments of the templates put into their buckets, in the order of their dependencies.
 *
 * @throws AssemblyError for a deployment this machine can't carry out.
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

/** A deployment that depends on another comes after it. */
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
  if (`${properties.Extract ?? true}` !== 'true') {
    throw fault(deployment, 'Extract: false is not implemented on one machine');
  }
  const prefix = String(properties.DestinationBucketKeyPrefix ?? '').replace(/^\/|\/$/g, '');
  const at = prefix === '' ? '' : `${prefix}/`;
  const taken = selection(properties);
  const files = sourceFiles(assembly, deployment);
  if (`${properties.Prune ?? true}` === 'true') {
    for (const key of objects.keys()) {
      const name = key.slice(at.length);
      if (key.startsWith(at) && taken(name) && !files.has(name)) objects.delete(key);
    }
  }
  for (const [name, { body, lastModified }] of files) {
    if (taken(name)) objects.set(`${at}${name}`, stored(`${at}${name}`, body, lastModified, properties));
  }
}

function stored(
  key: string,
  body: Buffer,
  lastModified: number,
  { SystemMetadata, UserMetadata }: Resource['properties'],
): StoredObject {
  const headers = new Map([['Content-Type', contentTypeOfFile(key)]]);
  for (const [name, value] of Object.entries((SystemMetadata ?? {}) as object)) {
    const header = systemHeaders[name];
    if (header !== undefined) headers.set(header, String(value));
  }
  for (const [name, value] of Object.entries((UserMetadata ?? {}) as object)) {
    headers.set(`x-amz-meta-${name.replace(/^x-amz-meta-/, '')}`, String(value));
  }
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  return { body, etag, lastModified: Math.floor(lastModified / 1_000) * 1_000, headers: [...headers] };
}

/** `--exclude` and `--include` of `aws s3 sync`: all excludes first, then the includes; `*` crosses slashes. */
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

/** Every file of every source by its path; of two with the same path the later source's. */
function sourceFiles(assembly: Assembly, deployment: Resource): ReadonlyMap<string, SourceFile> {
  const { SourceObjectKeys, SourceMarkers, SourceMarkersConfig } = deployment.properties;
  const files = new Map<string, SourceFile>();
  for (const [index, key] of ((SourceObjectKeys ?? []) as readonly unknown[]).entries()) {
    const folder = assembly.assetPath(String(key));
    if (folder === undefined) throw fault(deployment, `no asset for its source ${String(key)}`);
    const status = statSync(folder, { throwIfNoEntry: false });
    if (status === undefined || !status.isDirectory()) {
      throw fault(
        deployment,
        `its source ${folder} is no folder; an archive is not implemented on one machine`,
      );
    }
    const fill = markerFiller(
      (SourceMarkers as readonly Readonly<Record<string, unknown>>[] | undefined)?.[index] ?? {},
      (SourceMarkersConfig as readonly { jsonEscape?: unknown }[] | undefined)?.[index]?.jsonEscape,
    );
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const lastModified = statSync(path).mtimeMs;
      files.set(relative(folder, path).split(sep).join('/'), {
        body: fill(readFileSync(path)),
        lastModified,
      });
    }
  }
  return files;
}

/** Values known only at deployment stand as markers in the source. */
function markerFiller(markers: Readonly<Record<string, unknown>>, jsonEscape: unknown) {
  const entries = Object.entries(markers).map(([marker, value]) => {
    const text = String(value);
    return [marker, `${jsonEscape}` === 'true' ? JSON.stringify(text).slice(1, -1) : text] as const;
  });
  if (entries.length === 0) return (body: Buffer) => body;
  return (body: Buffer) => {
    const text = body.toString('latin1');
    if (!entries.some(([marker]) => text.includes(marker))) return body;
    const filled = entries.reduce(
      (before, [marker, value]) => before.replaceAll(marker, () => Buffer.from(value).toString('latin1')),
      text,
    );
    return Buffer.from(filled, 'latin1');
  };
}

function fault({ stack, logicalId }: Resource, what: string): AssemblyError {
  return new AssemblyError(`stack ${stack}: ${logicalId}: ${what}`);
}
