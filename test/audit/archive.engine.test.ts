import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createArchiveBucket, createArchiveReader } from '../../lambdas/audit/aws/archive-bucket.ts';
import { createArchivePositions } from '../../lambdas/audit/store/archive-positions.ts';
import { putAuditEvent } from '../../lambdas/audit/store/audit-events-contract.ts';
import {
  createEventReader,
  createSealStore,
  createWindowEvents,
} from '../../lambdas/audit/store/seal-store.ts';
import { type Archiving, archiveKeys, archiveSealed } from '../../lambdas/audit/trail/archiving.ts';
import { sealFinished } from '../../lambdas/audit/trail/sealing.ts';
import type { AuditEvent } from '../../lambdas/catalog/audit/audit-event.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import type { Key } from '../../lambdas/platform/table/key.ts';
import { createSignedTable } from '../../lambdas/platform/table/signed-table.ts';
import { archivedKey, auditKey } from '../../lambdas/platform/table/table-keys.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { assembly, resource } from '../local/aws/declarations.ts';
import { type Started, started } from '../local/aws/started.ts';
import { startTestEngine } from '../support/engine.ts';
import { createSealKey } from '../support/seal-key.ts';

/** The archive from the events in the table to the files of a bucket with Object Lock, which an auditor verifies. */

const engine = await startTestEngine();
const table = createSignedTable(engine);
const seals = createSealStore(table);
const { signer, publicKey } = createSealKey();
const folder = mkdtempSync(join(tmpdir(), 'audit-archive-'));
const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
writeFileSync(join(folder, 'key.pem'), pem);

const Bucket = 'archive';
const lock = { ObjectLockConfiguration: { Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 3653 } } } };
let aws: Started;
let client: S3Client;
beforeAll(async () => {
  const bucket = resource(
    'AWS::S3::Bucket',
    'Archive',
    { ObjectLockEnabled: true, ...lock },
    { physicalId: Bucket, arn: `arn:aws:s3:::${Bucket}` },
  );
  aws = await started({ assembly: assembly(bucket) });
  client = new S3Client({ ...aws.asOperator, forcePathStyle: true });
});
afterAll(async () => {
  await aws.stopAndForget();
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
});

const issuers = ['DSNP', 'MAPD', 'EGWP', 'CHPDC', 'CHPMD'] as const;
let issuer: (typeof issuers)[number] = 'DSNP';
let tests = 0;
/** Each test has the trail of another issuer. */
beforeEach(() => {
  issuer = issuers[tests] ?? 'DSNP';
  tests += 1;
});

const startMs = Date.UTC(2026, 10, 20, 12);
async function record(minute: number): Promise<Key> {
  const event: AuditEvent = {
    ...{ eventId: randomUUID(), time: new Date(startMs + minute * 60_000).toISOString() },
    ...{ environment: 'sandbox', lob: issuer, action: 'Coverage.search-type', outcome: 'disclosed' },
    ...{ actor: 'c1', clientId: 'c1', patientId: 'p1', requestId: 'r1' },
    ...{ resource: 'Coverage', resources: ['Coverage/ä "1"', 'Organization/2'] },
  };
  await putAuditEvent(table, event);
  return auditKey(issuer, { patientId: 'p1' }, event.time, event.eventId);
}

async function seal(minute: number): Promise<void> {
  const now = () => startMs + minute * 60_000;
  const ports = { events: createWindowEvents(table), seals, signer, sha256: digests.sha256Hex, now };
  await sealFinished({ environment: 'sandbox', ...ports, endsAt: Number.POSITIVE_INFINITY }, issuer);
}

const archive = async (changes: Partial<Archiving> = {}) =>
  await archiveSealed(
    {
      seals,
      events: createEventReader(table),
      positions: createArchivePositions(table),
      bucket: createArchiveBucket(client, Bucket),
      now: () => 0,
      endsAt: 1,
      ...changes,
    },
    issuer,
  );

async function keys(): Promise<readonly string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
  return Contents.map(({ Key = '' }) => Key).filter((key) => key.startsWith(`sandbox/${issuer}/`));
}

/** Downloads the issuer's files and runs the verifier over them. */
async function verify() {
  const directory = join(folder, issuer);
  rmSync(directory, { recursive: true, force: true });
  for (const key of await keys()) {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }));
    mkdirSync(dirname(join(directory, key)), { recursive: true });
    writeFileSync(join(directory, key), (await Body?.transformToByteArray()) ?? '');
  }
  const script = join(repositoryRoot, 'ops/verify-audit-archive.mjs');
  const { status, stdout } = spawnSync(
    process.execPath,
    [script, directory, '--key', join(folder, 'key.pem')],
    { encoding: 'utf8' },
  );
  return { status, stdout };
}

describe('the archive', () => {
  it('has each seal with its events, which an auditor verifies with the public key', async () => {
    await seal(0);
    for (const minute of [1, 2, 3, 6]) await record(minute);
    await seal(12);
    expect(await archive()).toEqual([]);
    const day = `sandbox/${issuer}/2026/11/20`;
    expect(await keys()).toEqual([1, 2, 3].map((each) => `${day}/000000000${each}-0001.ndjson.gz`));
    const { status, stdout } = await verify();
    expect(stdout).toContain(`sandbox/${issuer}: 3 seals, 4 events`);
    expect(status).toBe(0);
  });

  it('gets what is new, and the same files if a run is repeated from the beginning', async () => {
    await seal(0);
    await record(1);
    await seal(7);
    const failing = {
      ...createArchivePositions(table),
      save: async () => Promise.reject(new Error('cut off')),
    };
    await expect(archive({ positions: failing })).rejects.toThrow('cut off');
    expect(await archive()).toEqual([]);
    await record(8);
    await seal(17);
    expect(await archive({ now: () => 2 })).toEqual([]);
    expect(await keys()).toHaveLength(2);
    await Promise.all([archive(), archive()]);
    expect(await keys()).toHaveLength(3);
    await table.put({ ...archivedKey(issuer), sequence: 0 });
    expect(await archive()).toEqual([]);
    expect((await verify()).status).toBe(0);
  });

  it('keeps what it has, and says of which seal the table has other events now', async () => {
    await seal(0);
    const key = await record(1);
    await seal(7);
    expect(await archive()).toEqual([]);
    await engine.client.send(
      new UpdateItemCommand({
        TableName: engine.tableName,
        Key: { pk: { S: key.pk }, sk: { S: key.sk } },
        UpdateExpression: 'SET actor = :actor',
        ExpressionAttributeValues: { ':actor': { S: 'c2' } },
      }),
    );
    await table.put({ ...archivedKey(issuer), sequence: 0 });
    expect(await archive()).toEqual([{ sequence: 2, reason: 'archive_differs' }]);
    expect((await verify()).status).toBe(0);
  });

  it('has the place of an event that was gone before it was archived', async () => {
    await seal(0);
    const { pk, sk } = await record(1);
    await record(2);
    await seal(7);
    await engine.client.send(
      new DeleteItemCommand({ TableName: engine.tableName, Key: { pk: { S: pk }, sk: { S: sk } } }),
    );
    expect(await archive()).toEqual([]);
    const { status, stdout } = await verify();
    expect(status).toBe(1);
    expect(stdout).toContain(`the event ${sk} of ${pk} was missing when it was archived`);
  });

  it('is read in the order of its files, without those of other days and issuers', async () => {
    await seal(0);
    const tomorrow = 12 * 60;
    for (const minute of [1, 6, 11, tomorrow + 1]) await record(minute);
    await seal(tomorrow + 12);
    expect(await archive()).toEqual([]);
    const prefix = `sandbox/${issuer}/`;
    const [after = '', until = ''] = [`${prefix}2026/11/20`, `${prefix}2026/11/20/~`];
    const read: string[] = [];
    for await (const { key, bytes } of createArchiveReader(client, Bucket).files(prefix, after, until)) {
      read.push(key);
      expect(bytes.toString('utf8')).toMatch(/^\{"format":1,/);
    }
    const ofDay = (await keys()).filter((key) => key.includes('/2026/11/20/'));
    expect(ofDay.length).toBeGreaterThan(3);
    expect(ofDay.length).toBeLessThan((await keys()).length);
    expect(read).toEqual(ofDay);
  });

  it('has the public keys, once each', async () => {
    const bucket = createArchiveBucket(client, Bucket);
    const key = { keyId: 'key-1', publicKey: pem, fingerprint: '' };
    expect(await archiveKeys(bucket, 'sandbox', [key])).toEqual([]);
    expect(await archiveKeys(bucket, 'sandbox', [key])).toEqual([]);
    expect(await archiveKeys(bucket, 'sandbox', [{ ...key, publicKey: 'another' }])).toEqual([
      'key key-1 (archive_differs)',
    ]);
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: 'sandbox/keys/key-1.pem' }));
    expect(await Body?.transformToString()).toBe(pem);
  });
});
