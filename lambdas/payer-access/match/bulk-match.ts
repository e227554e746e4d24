/** Carries out the job of `Group/$bulk-member-match` (PDex 2.2.0). */

import * as z from 'zod/mini';
import { type LineOfBusiness, linesOfBusiness } from '../../catalog/lines-of-business.ts';
import { jobLimits } from '../../catalog/payer/job-kinds.ts';
import type { OrganizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import { inGroupsOf } from '../../platform/kernel/in-groups-of.ts';
import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';
import { errorLine, partFileName } from '../jobs/bulk-lines.ts';
import type { JobFiles, MemberQuota } from '../jobs/job-ports.ts';
import type { JobWork } from '../jobs/job-steps.ts';
import { forMember, type MemberReports } from '../jobs/member-defects.ts';
import { type Job, type JobFile, jobFileKey, jobResultKey, jobResultsFolder } from '../jobs/payer-job.ts';
import {
  isPatient,
  type MatchGroupCode,
  matchGroup,
  matchGroupCodes,
  matchGroups,
  repeatedMembers,
} from '../permission/match-groups.ts';
import type { MemberOutcome } from '../permission/member-match-port.ts';
import {
  groupKey,
  groupMembersKey,
  type MatchedMember,
  type PayerGroups,
} from '../permission/payer-group-port.ts';
import { readMatchParts } from './match-request.ts';
import { type MatchingPayer, type MemberMatchDependencies, matchSubmitted } from './member-match.ts';

export interface BulkMatchDependencies extends MemberReports {
  readonly matching: MemberMatchDependencies;
  readonly groups: PayerGroups;
  readonly files: JobFiles;
  /** The quota against which the job's members were counted when it began. */
  readonly quota: Pick<MemberQuota, 'giveBack'>;
  readonly lob: LineOfBusiness;
}

/** Number of members matched at once: enough to hide the store's round trips. */
const atOnce = 8;

/** Results of a part, which the last step reads to make the groups of all parts. */
const memberResults = z.array(
  z.object({
    at: z.number(),
    /** Absent for a member that was not compared; such a member is in no group. */
    code: z.optional(z.enum(matchGroupCodes)),
    patientId: z.optional(z.string()),
    grantId: z.optional(z.string()),
    /** Reasons why the member was not compared, or its consent is not honored. */
    faults: z.optional(z.array(z.string())),
    /** MemberPatient and CoverageToMatch, as submitted. */
    patient: z.optional(z.unknown()),
    coverage: z.optional(z.unknown()),
  }),
);
type MemberResult = z.infer<typeof memberResults>[number];
/** A member's outcome, or the reason why there is none. */
type Processed = Omit<MemberResult, 'at' | 'patient' | 'coverage'>;

/** Makes the work of a bulk match: matches each member by the rules of `$member-match`, and groups members by outcome. */
export function createBulkMatch(deps: BulkMatchDependencies): JobWork {
  const { matching, files } = deps;
  return {
    async carryOut(job, range, members) {
      const organization = await matching.store.organization(job.clientId);
      // An interrupted part continues from its recorded outcomes, so that no member is counted or audited twice.
      const recorded = await matching.store.outcomes(job.jobId, range.part);
      const results = await inGroupsOf(
        atOnce,
        members.map((parts, index) => ({ parts, at: range.from + index })),
        async ({ parts, at }): Promise<MemberResult> => {
          const outcome = recorded.get(at);
          const processed =
            outcome === undefined
              ? await forMember(
                  deps,
                  { jobId: job.jobId, at },
                  () => matchMemberOf(matching, payerOf(job, organization, range.part, at), parts),
                  () => notJudged(['The member could not be processed. Nothing was compared.']),
                )
              : processedOf(outcome);
          return { at, ...processed, ...submittedOf(parts) };
        },
      );
      await files.put(jobResultKey(job.jobId, range.part), JSON.stringify(results));
      return [];
    },

    async finish(job) {
      const keys = [...(await files.keys(jobResultsFolder(job.jobId)))].sort();
      const results = await inGroupsOf(atOnce, keys, async (key) =>
        memberResults.parse(JSON.parse((await files.readText(key)) ?? '[]')),
      );
      const all = results.flat();
      const failures = all.filter(({ code }) => code !== undefined && code !== 'match').length;
      return {
        files: await writeResult(deps, job, all),
        recorded: () => deps.quota.giveBack(job.clientId, job.members - failures, Date.parse(job.acceptedAt)),
      };
    },
  };
}

/** The payer with its current organization; undefined if the application is no longer active or has no verified organization. */
function payerOf(
  { jobId, clientId, scope, requestId, clientRequestId, expiresAt }: Job,
  organization: readonly OrganizationIdentifier[] | undefined,
  part: number,
  at: number,
): MatchingPayer | undefined {
  if (organization === undefined || organization.length === 0) return undefined;
  const call = { clientId, requestId, ...(clientRequestId !== undefined && { clientRequestId }) };
  const member = { jobId, part, at, expiresAt };
  return { call: { ...call, action: 'Group.bulk-member-match', member }, scope, organization };
}

/**
 * Matches one member.
 *
 * @throws StoreUnavailable; the part then runs again.
 */
async function matchMemberOf(
  matching: MemberMatchDependencies,
  payer: MatchingPayer | undefined,
  parts: unknown,
): Promise<Processed> {
  if (payer === undefined) return notJudged(['The application has no verified organization any more.']);
  const reading = readMatchParts(parts);
  if (reading.kind === 'invalid') return notJudged(reading.issues.map(({ diagnostics }) => diagnostics));
  const outcome = await matchSubmitted(matching, payer, reading.request);
  if (outcome.kind !== 'matched') return processedOf(outcome);
  const { patient, grantId } = outcome;
  return processedOf({ kind: 'matched', patientId: patient.patientId, grantId });
}

function processedOf(outcome: MemberOutcome): Processed {
  switch (outcome.kind) {
    case 'matched':
      return { code: 'match', patientId: outcome.patientId, grantId: outcome.grantId };
    case 'constrained':
      return { code: 'consentconstraint' };
    case 'unmatched':
      return { code: 'nomatch' };
    case 'faulty': {
      const faults = outcome.issues.map(({ diagnostics }) => diagnostics);
      return outcome.isConstrained ? { code: 'consentconstraint', faults } : notJudged(faults);
    }
    case 'throttled':
      return notJudged([
        `Too many requests matched no member. Submit this member again in ${outcome.retryAfterSeconds} seconds.`,
      ]);
  }
}

/** The result of a member that was not compared: it is in no group, and its faults are reported. */
function notJudged(faults: readonly string[]): Processed {
  return { faults: [...faults] };
}

function submittedOf(parts: unknown): Pick<MemberResult, 'patient' | 'coverage'> {
  const sent = jsonEntries(parts);
  const resource = (name: string) =>
    jsonMember(
      sent.find((part) => jsonMember(part, 'name') === name),
      'resource',
    );
  return { patient: resource('MemberPatient'), coverage: resource('CoverageToMatch') };
}

/** Writes the groups, the NDJSON file with them, and the file with the members' faults. */
async function writeResult(
  { files, groups, lob, matching }: BulkMatchDependencies,
  job: Job,
  results: readonly MemberResult[],
): Promise<readonly JobFile[]> {
  const organization = (await matching.store.organization(job.clientId)) ?? [];
  const expiresAt = Math.floor(Date.parse(job.acceptedAt) / 1000) + jobLimits.groupSeconds;
  const written: { code: MatchGroupCode; text: string }[] = [];
  const submitted = results
    .filter(({ patient }) => isPatient(patient))
    .map(({ at, patient, coverage, ...result }) => ({ ...result, at: at + 1, patient, coverage }));
  const repeated = repeatedMembers(submitted);
  for (const code of matchGroupCodes) {
    const grouped = submitted.filter((result) => result.code === code);
    // The group of matched members is written even if it is empty.
    if (grouped.length === 0 && code !== 'match') continue;
    const groupId = `${job.jobId}.${code}`;
    const head = {
      groupId,
      code,
      organization,
      planName: linesOfBusiness[lob].name,
      createdAt: job.acceptedAt,
      expiresAt: new Date(expiresAt * 1000).toISOString(),
    };
    const text = JSON.stringify(matchGroup(head, grouped, repeated));
    await files.put(groupKey(groupId), text);
    if (code === 'match') await files.put(groupMembersKey(groupId), JSON.stringify(matchedMembers(grouped)));
    await groups.save({
      groupId,
      code,
      expiresAt,
      clientId: job.clientId,
      jobId: job.jobId,
      quantity: grouped.length,
      createdAt: job.acceptedAt,
    });
    written.push({ code, text });
  }
  const parameters = written.map(
    ({ code, text }) => `{"name":"${matchGroups[code].parameter}","resource":${text}}`,
  );
  const result = `{"resourceType":"Parameters","parameter":[${parameters.join(',')}]}\n`;
  const faults = results.flatMap(({ at, faults: own }) => (own === undefined ? [] : [faultLine(at, own)]));
  return await writeFiles(files, job, [
    { list: 'output', type: 'Group', lines: written.map(({ text }) => `${text}\n`) },
    { list: 'output', type: 'Parameters', lines: [result] },
    { list: 'error', type: 'OperationOutcome', lines: faults },
  ]);
}

/** The matched members, each once. */
function matchedMembers(results: readonly MemberResult[]): readonly MatchedMember[] {
  const each = results.flatMap(({ patientId, grantId }) =>
    patientId === undefined || grantId === undefined ? [] : [[patientId, { patientId, grantId }] as const],
  );
  return [...new Map(each).values()];
}

function faultLine(at: number, faults: readonly string[]): string {
  return errorLine(
    faults.map((fault) => ({ code: 'processing', diagnostics: `MemberBundle ${at + 1}: ${fault}` })),
  );
}

async function writeFiles(
  files: JobFiles,
  { jobId }: Job,
  all: readonly {
    readonly list: JobFile['list'];
    readonly type: string;
    readonly lines: readonly string[];
  }[],
): Promise<readonly JobFile[]> {
  const written = all.filter(({ lines }) => lines.length > 0);
  for (const { type, lines } of written)
    await files.put(jobFileKey(jobId, partFileName(0, type, 1)), lines.join(''));
  return written.map(({ list, type, lines }) => ({
    list,
    type,
    name: partFileName(0, type, 1),
    count: lines.length,
    hasMembers: false,
  }));
}
