/**
 * The work of `npm run durability:jobs`: in each round a bulk match and an export of the matched members. Jobs that were killed and resumed
 * must end with the same result as undisturbed ones.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { payerToPayer } from '../../lambdas/catalog/payer/export-parameters.ts';
import { queryAll } from '../../lambdas/platform/table/query-all.ts';
import { createSdkTable } from '../../lambdas/platform/table/sdk-table.ts';
import type { Table } from '../../lambdas/platform/table/table.ts';
import {
  grantPartition,
  jobPartition,
  jobQuotaKey,
  patientAuditPartition,
} from '../../lambdas/platform/table/table-keys.ts';
import type { LocalSystem } from '../../ops/command-line/system.ts';
import { type SyntheticMember, syntheticMembers } from '../../ops/generator/members.ts';
import { type HttpResponse, headerText } from '../../ops/http/client.ts';
import type { EndedJob, Partner } from '../../ops/payer-check/partner.ts';
import type { PartnerCredentials } from '../../ops/payer-check/partner-calls.ts';
import { storeMember } from '../payer-access/jobs/matchable-members.ts';
import { matchingBundle, memberBundle, personOf } from '../payer-access/jobs/member-bundles.ts';
import { organization } from '../payer-access/match-samples.ts';
import { partnerOf, registerPartner } from '../support/payer-partner.ts';
import type { KilledWork } from './kills.ts';
import { operatorClient, sandboxName, sandboxTable } from './sandbox.ts';

const lob = 'DSNP';
const exportedTypes = ['Patient', 'Coverage'];
const [sample] = syntheticMembers('sandbox').filter((member) => !/-00/.test(personOf(member).birthDate));
/** Members with copies of one record, each with IDs of its own. */
const members: readonly SyntheticMember[] = Array.from({ length: 52 }, (_, at) => {
  const { patientId = '', memberId = '' } = sample ?? {};
  const kept = sample?.resources.filter(({ resourceType }) => exportedTypes.includes(resourceType));
  const own = JSON.stringify({ ...sample, lob, resources: kept })
    .replaceAll(patientId, `killed-${at}`)
    .replaceAll(memberId, `KILLED${at}`);
  return JSON.parse(own);
});
/**
 * Number of requested members whom nobody is. Together with the other 52 they make a match of two parts; the 52 alone make an export of two
 * parts.
 */
const nobodies = 50;

/** Result of both jobs, without IDs and times. */
export interface JobsState {
  readonly groups: unknown;
  readonly files: unknown;
  readonly grants: unknown;
  readonly audited: unknown;
  readonly parts: unknown;
  readonly orphans: readonly string[];
  readonly activeJobs: unknown;
}

/** The jobs of a round that the client knows of. */
interface Round {
  match?: HttpResponse;
  export?: HttpResponse;
}

/** The work that `npm run durability:jobs` kills. */
export function jobWork(): KilledWork<JobsState> {
  const rounds = new Map<number, Round>();
  let tableName = '';
  let bucketName = '';
  let credentials: PartnerCredentials | undefined;
  const tableOf = (system: LocalSystem) =>
    createSdkTable({ tableName, client: new DynamoDBClient(operatorClient(system)) });

  return {
    functions: 'Payer(Jobs|Access)',

    async prepare(system, assemblyDirectory) {
      tableName = sandboxTable(assemblyDirectory);
      bucketName = sandboxName(assemblyDirectory, 'AWS::S3::Bucket', 'Files');
      for (const member of members) await storeMember(tableOf(system), member);
      credentials = await registerPartner(system, lob, organization);
    },

    async follow(system, round) {
      if (credentials === undefined) throw new Error('there is no application');
      const partner = partnerOf(credentials);
      const known = rounds.get(round) ?? {};
      rounds.set(round, known);
      known.match ??= await accepted(partner.begin('Group/$bulk-member-match', requestOf(round)));
      const match = await finished(partner, known.match);
      const groups = await partner.files(match.manifest.output.filter(({ type }) => type === 'Group'));
      const all = groups.flatMap(({ resources }) => resources);
      const path = `Group/${all[0]?.id}/$davinci-data-export`;
      known.export ??= await accepted(partner.begin(path, exportBody));
      const exported = await finished(partner, known.export);
      const files = await partner.files(exported.manifest.output);
      return {
        groups: all.map(({ code, quantity, member }) => ({ code, quantity, member })),
        files: files.map(({ entry: { type, count }, resources }) => ({
          ...{ type, count },
          ids: resources.map(({ id }) => id),
        })),
        ...(await storedState(tableOf(system), credentials.clientId, match, exported)),
        orphans: await orphans(new S3Client(operatorClient(system)), bucketName, [match, exported]),
      };
    },
  };
}

const exportBody = {
  resourceType: 'Parameters',
  parameter: [
    { name: 'exportType', valueString: payerToPayer },
    { name: '_type', valueString: exportedTypes.join(',') },
  ],
};

/** The members whom nobody is have other identifiers in each round, so that no identifier is locked for its failures. */
function requestOf(round: number): object {
  const others = Array.from({ length: nobodies }, (_, at) => memberBundle(`NOBODY${round}X${at}`));
  return {
    resourceType: 'Parameters',
    parameter: [...members.map(matchingBundle), ...others, { name: 'MemberBundle', part: [] }],
  };
}

async function accepted(begun: Promise<HttpResponse>): Promise<HttpResponse> {
  const response = await begun;
  if (response.status !== 202) throw new Error(`the job is refused: ${response.status} ${response.body}`);
  return response;
}

const patienceMs = 120_000;

/** Polls a job, more often than its `Retry-After` says, until it has ended. */
async function finished(partner: Partner, begun: HttpResponse): Promise<EndedJob> {
  const address = headerText(begun, 'content-location') ?? '';
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const { status, body } = await partner.get(address);
    if (status === 200) return { address, manifest: JSON.parse(body) };
    if (status !== 202 || Date.now() > deadline) throw new Error(`the job answers ${status} ${body}`);
    await sleep(250);
  }
}

const idOf = ({ address }: EndedJob) => address.split('/').at(-1) ?? '';

/** Reads the grants, the audit events of the match, the parts of both jobs and the quota. */
async function storedState(table: Table, clientId: string, match: EndedJob, exported: EndedJob) {
  const { requestId } = (await table.get({ pk: jobPartition(lob, idOf(match)), sk: 'JOB' })) ?? {};
  const of = async (partition: string) =>
    (await queryAll(table, partition)).filter((item) => item.clientId === clientId);
  const each: { readonly grants: readonly unknown[]; readonly audited: number }[] = [];
  // Read one after the other, since the partitions hold the events of all rounds.
  for (const { patientId } of members) {
    const grants = (await of(grantPartition(lob, patientId))).map(({ state }) => state);
    const events = await of(patientAuditPartition(lob, patientId));
    each.push({ grants, audited: events.filter((event) => event.requestId === requestId).length });
  }
  const refused = (await of(`AUDIT#${lob}#CLIENT#${clientId}`)).filter(
    (event) => event.requestId === requestId,
  );
  return {
    grants: each.map(({ grants }) => grants),
    audited: { matched: each.map(({ audited }) => audited), refused: refused.length },
    parts: await Promise.all(
      [match, exported].map(async (job) =>
        (await queryAll(table, jobPartition(lob, idOf(job)), 'PART#')).map((part) => part.members),
      ),
    ),
    activeJobs: (await table.get(jobQuotaKey(lob, clientId)))?.active,
  };
}

/** Objects of the jobs that no manifest names. */
async function orphans(
  client: S3Client,
  Bucket: string,
  jobs: readonly EndedJob[],
): Promise<readonly string[]> {
  const left = jobs.map(async (job) => {
    const list = new ListObjectsV2Command({ Bucket, Prefix: `${lob}/jobs/${idOf(job)}/` });
    const { Contents = [] } = await client.send(list);
    const { output, error } = job.manifest;
    const names = [...output, ...error].map(({ url }) => url.split('/').at(-1));
    return Contents.map(({ Key = '' }) => Key).filter(
      (key) => !names.some((name) => key.includes(`/${name}`)),
    );
  });
  return (await Promise.all(left)).flat();
}
