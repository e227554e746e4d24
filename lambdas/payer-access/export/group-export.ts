/**
 * Carries out the job that exports a group of matched members (PDex 2.2.0, `$davinci-data-export`; Bulk Data Access IG 2.0.0, `$export`).
 */

import * as z from 'zod/mini';
import { isCopiedToRecords, patientAccessTypes } from '../../catalog/fhir/fhir-resources.ts';
import { nameOf } from '../../catalog/fhir/resource-name.ts';
import { allowsSystemRead } from '../../catalog/oauth/system-scopes.ts';
import { jobLimits } from '../../catalog/payer/job-kinds.ts';
import type { PatientCompartment } from '../../fhir/values/patient-compartment.ts';
import { errorLine, partFileName } from '../jobs/bulk-lines.ts';
import type { JobFiles } from '../jobs/job-ports.ts';
import type { JobWork } from '../jobs/job-steps.ts';
import { forMember, type MemberReports } from '../jobs/member-defects.ts';
import {
  fileMembersKey,
  type Job,
  type JobFile,
  type JobRange,
  jobFileKey,
  jobResultKey,
  jobResultsFolder,
} from '../jobs/payer-job.ts';
import type { MatchStore } from '../permission/member-match-port.ts';
import {
  endedGrantReason,
  type MemberInFile,
  type PayerGrant,
  type PayerGrants,
} from '../permission/payer-grant-port.ts';
import type { MatchedMember } from '../permission/payer-group-port.ts';
import { type ReleasedResource, releasedResources } from '../release/released-resources.ts';
import { filteredResources, readTypeFilters, type TypeFilter } from './type-filters.ts';

export interface GroupExportDependencies extends MemberReports {
  readonly payers: Pick<MatchStore, 'organization'>;
  readonly grants: PayerGrants;
  readonly compartment: PatientCompartment;
  readonly files: JobFiles;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const matchedMember = z.object({ patientId: z.string(), grantId: z.string() });
const membersOfPart = z.array(matchedMember);

/**
 * Shared resources of a part, such as practitioners, each with the first member whose record has it. The job's last step writes them, once
 * for all parts.
 */
const sharedLines = z.array(
  z.object({ member: matchedMember, type: z.string(), name: z.string(), line: z.string() }),
);
type SharedLine = z.infer<typeof sharedLines>[number];

/** Parameters of an export job. */
const exportJobParameters = z.object({
  types: z.optional(z.array(z.string())),
  since: z.optional(z.number()),
  until: z.optional(z.number()),
  typeFilters: z.optional(z.array(z.string())),
});

/** A file of one type while lines are added. */
interface OpenFile {
  readonly lines: string[];
  readonly members: Map<string, { readonly member: MatchedMember; readonly resources: string[] }>;
  bytes: number;
}

/** Result of exporting one member: the released resources, or the reason why the files have none. */
type Exported =
  | { readonly kind: 'resources'; readonly resources: readonly ReleasedResource[] }
  | { readonly kind: 'withheld'; readonly because: string };

/** Makes the work of an export job: judges each member's consent again, and writes the released resources into files by type. */
export function createGroupExport(deps: GroupExportDependencies): JobWork {
  return {
    async carryOut(job, range, input) {
      const { files, grants, payers, now } = deps;
      const members = membersOfPart.parse(input);
      const organization = (await payers.organization(job.clientId)) ?? [];
      const found = await grants.find(members);
      const writer = createFileWriter(files, job, range.part);
      const shared = new Map<string, SharedLine>();
      const errors: string[] = [];
      const filters = typeFiltersOf(job);
      for (const [at, member] of members.entries()) {
        const exported = await forMember<Exported>(
          deps,
          { jobId: job.jobId, at: range.from + at },
          async () => {
            const grant = found[at];
            const ended = endedGrantReason(grant, job.clientId, organization, now());
            return grant === undefined || ended !== undefined
              ? { kind: 'withheld', because: 'the consent is no longer honored.' }
              : { kind: 'resources', resources: await resourcesOf(deps, job, member, grant, filters) };
          },
          () => ({
            kind: 'withheld',
            because: 'the record could not be read. No part of it is in the files.',
          }),
        );
        if (exported.kind === 'withheld') {
          const diagnostics = `Patient/${member.patientId}: ${exported.because}`;
          errors.push(errorLine([{ code: 'processing', diagnostics }]));
          continue;
        }
        for (const resource of exported.resources) {
          const [type, name, line] = [resource.resourceType, nameOf(resource), `${resource.json}\n`];
          if (!isCopiedToRecords(type)) await writer.add(member, type, name, line);
          else if (!shared.has(name)) shared.set(name, { member, type, name, line });
        }
      }
      if (shared.size > 0) {
        await files.put(jobResultKey(job.jobId, range.part), JSON.stringify([...shared.values()]));
      }
      return [...(await writer.end()), ...(await writeErrors(files, job, range, errors))];
    },

    finish: async (job) => ({ files: await writeShared(deps.files, job) }),
  };
}

/** Writes the resources that members share, once for all parts. */
async function writeShared(files: JobFiles, job: Job): Promise<readonly JobFile[]> {
  const writer = createFileWriter(files, job, 0);
  const written = new Set<string>();
  for (const key of [...(await files.keys(jobResultsFolder(job.jobId)))].sort()) {
    const lines = sharedLines.parse(JSON.parse((await files.readText(key)) ?? '[]'));
    for (const { member, type, name, line } of lines) {
      if (written.has(name)) continue;
      written.add(name);
      await writer.add(member, type, name, line);
    }
  }
  return await writer.end();
}

/** Reads all released resources of a member before any is written, so that the files contain a member completely or not at all. */
async function resourcesOf(
  { compartment, now }: GroupExportDependencies,
  job: Job,
  member: MatchedMember,
  { policy, scope }: PayerGrant,
  filters: readonly TypeFilter[],
): Promise<readonly ReleasedResource[]> {
  const { types = patientAccessTypes, since, until } = parametersOf(job);
  // The token of the export may have fewer scopes than the token of the match.
  const allowed = types.filter((type) => allowsSystemRead(job.scope, type));
  const selection = { since, until, types: allowed, policy, scope };
  const released = releasedResources(compartment, member, selection, now());
  const resources: ReleasedResource[] = [];
  for await (const resource of filteredResources(released, filters)) resources.push(resource);
  return resources;
}

function parametersOf({ parameters }: Job) {
  return exportJobParameters.parse(JSON.parse(parameters));
}

/** Parses the filters of the job's request again. */
function typeFiltersOf(job: Job): readonly TypeFilter[] {
  const base = job.request.slice(0, job.request.indexOf('/Group/'));
  const context = { base, now: Date.parse(job.acceptedAt) };
  const reading = readTypeFilters(parametersOf(job).typeFilters ?? [], context);
  // A filter can only be invalid now if the release that accepted it was replaced by one that refuses it; the job then fails.
  if (reading.kind === 'invalid') throw new TypeError('the filters of the export can not be read');
  return reading.filters;
}

interface FileWriter {
  add(member: MatchedMember, type: string, name: string, line: string): Promise<void>;
  /**
   * Writes the open files.
   *
   * @returns all files of the part.
   */
  end(): Promise<readonly JobFile[]>;
}

/**
 * Makes a writer of a part's files, by type. A full file is written, and a new one begun. Beside each file it writes an index of the
 * members in it.
 */
function createFileWriter(files: JobFiles, { jobId }: Job, part: number): FileWriter {
  const open = new Map<string, OpenFile>();
  const written: JobFile[] = [];

  async function close(type: string, file: OpenFile): Promise<void> {
    const number = written.filter((each) => each.type === type).length + 1;
    const name = partFileName(part, type, number);
    const members = [...file.members.values()].map(
      ({ member, resources }): MemberInFile => ({ ...member, resources }),
    );
    // The index is written first, so that every file has one.
    await files.put(fileMembersKey(jobId, name), JSON.stringify(members));
    await files.put(jobFileKey(jobId, name), file.lines.join(''));
    written.push({ name, list: 'output', type, count: file.lines.length, hasMembers: true });
    open.delete(type);
  }

  return {
    async add(member, type, name, line) {
      const file: OpenFile = open.get(type) ?? { lines: [], members: new Map(), bytes: 0 };
      open.set(type, file);
      const own = file.members.get(member.patientId) ?? { member, resources: [] };
      file.members.set(member.patientId, own);
      own.resources.push(name);
      file.lines.push(line);
      file.bytes += Buffer.byteLength(line);
      if (file.bytes >= jobLimits.fileBytes) await close(type, file);
    },
    async end() {
      for (const [type, file] of [...open]) await close(type, file);
      return written;
    },
  };
}

async function writeErrors(
  files: JobFiles,
  { jobId }: Job,
  { part }: JobRange,
  lines: readonly string[],
): Promise<readonly JobFile[]> {
  if (lines.length === 0) return [];
  const [type, list] = ['OperationOutcome', 'error'] as const;
  const name = partFileName(part, type, 1);
  await files.put(jobFileKey(jobId, name), lines.join(''));
  return [{ name, list, type, count: lines.length, hasMembers: false }];
}
