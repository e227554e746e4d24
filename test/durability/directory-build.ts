/**
 * One build of a synthetic Provider Directory, with the function, files and clients of `directory-build`. As a program it is a process that
 * can be killed: its argument is a `BuildPlace` and a `BuildTurn` as JSON, and it sends its parent a message when it begins.
 */
import { randomUUID } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import type { ServiceAccess } from '../../lambdas/platform/table/signed-calls.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import { createPublicationBucket } from '../../lambdas/provider-directory/aws/publication-bucket.ts';
import { publishDirectory } from '../../lambdas/provider-directory/build/publish-directory.ts';
import { createBuiltFile } from '../../lambdas/provider-directory/sqlite/publication-disk.ts';
import { publishFiles } from '../../lambdas/provider-directory/sqlite/publish-files.ts';
import { createDirectoryBuilds } from '../../lambdas/provider-directory/store/directory-builds.ts';
import { directoryOf } from '../../ops/generator/directory/directory.ts';

export const lob = 'MAPD';

/** Store, bucket and disk that a build uses. */
export interface BuildPlace {
  readonly table: { readonly tableName: string; readonly access: ServiceAccess };
  readonly s3: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  readonly bucketName: string;
  /** Folder that stands for the function's own disk. */
  readonly folder: string;
  readonly roles: number;
}

export interface BuildTurn {
  /** Seed of the directory. Each seed gives other names and the same number of resources. */
  readonly seed: number;
  /** Begin of the build in milliseconds since 1970. */
  readonly at: number;
}

export const tableOf = ({ table: { tableName, access } }: BuildPlace) =>
  createSignedTable({ tableName, access });

export const bucketOf = ({ s3, bucketName }: BuildPlace) =>
  createPublicationBucket(new S3Client({ ...s3, forcePathStyle: true }), bucketName);

/**
 * Runs one build.
 *
 * @returns how it ended.
 */
export async function buildOnce(place: BuildPlace, { seed, at }: BuildTurn): Promise<string> {
  const bucket = bucketOf(place);
  const shift = at - Date.now();
  const { folder, roles } = place;
  const { kind } = await publishDirectory(
    {
      builds: createDirectoryBuilds(tableOf(place)),
      bucket,
      async *texts(_lob, type) {
        for (const resource of directoryOf(type, { seed, roles })) yield JSON.stringify(resource);
      },
      createFile: (id) => createBuiltFile(folder, id),
      publishFiles: (of, built, previous) =>
        publishFiles({ bucket, folder, lob: of, base: 'https://directory.example', previous, ...built }),
      toleratedLoss: 0.1,
      now: () => Date.now() + shift,
      uuid: randomUUID,
      report: () => {},
    },
    { lob, acceptLoss: false },
  );
  return kind;
}

const [sent] = process.argv.slice(2);
if (import.meta.main && sent !== undefined) {
  const { place, turn } = JSON.parse(sent) as { readonly place: BuildPlace; readonly turn: BuildTurn };
  process.send?.('begun');
  await buildOnce(place, turn);
  process.disconnect?.();
}
