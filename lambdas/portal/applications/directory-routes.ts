/** Operators' routes about the data of Provider Directories: what is to fix, by LOB, and the list of all findings as CSV. */

import * as z from 'zod/mini';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type {
  DirectoryRejects,
  LoadOperation,
  LoadOperationAnswer,
} from '../../loads/course/load-operations-contract.ts';
import type {
  DirectoryOperation,
  DirectoryOperationAnswer,
  DirectoryToFix,
} from '../../provider-directory/build/directory-operations-contract.ts';
import { environmentName } from '../api/application-requests.ts';
import type { DirectoriesToFixView, DirectoryToFixView } from '../api/directory-views.ts';
import {
  type PortalRequest,
  type PortalResult,
  problem,
  response,
  sessionRead,
} from '../api/route-handler.ts';
import type { EnvironmentInvoker } from './application-ports.ts';

export interface DirectoryServices {
  readonly directories: EnvironmentInvoker<DirectoryOperation, DirectoryOperationAnswer>;
  readonly loads: EnvironmentInvoker<LoadOperation, LoadOperationAnswer>;
}

/** Makes the routes that show what is to fix in the data of directories. */
export function directoryRoutes(services: DirectoryServices) {
  return {
    directoriesToFix: sessionRead((request) => toFix(services, request)),
    directoryFindings: sessionRead((request) => findings(services, request)),
  };
}

/** Reads the directories of all LOBs of the environment in the path. */
async function toFix(
  { directories, loads }: DirectoryServices,
  { params }: PortalRequest,
): Promise<PortalResult> {
  const environment = z.safeParse(environmentName, params.environment);
  if (!environment.success) return problem('not_found');
  const [built, loaded] = await Promise.all([
    directories.send(environment.data, { action: 'to-fix' }),
    loads.send(environment.data, { action: 'directory-rejects' }),
  ]);
  if (built.kind !== 'to-fix' || loaded.kind !== 'directory-rejects') {
    return problem('environment_unavailable');
  }
  const view: DirectoriesToFixView = {
    directories: built.directories.map((each) =>
      directoryView(
        each,
        loaded.loads.find(({ lob }) => lob === each.lob),
      ),
    ),
  };
  return response(200, view);
}

function directoryView(
  { lob, lastBuild, report, examples }: DirectoryToFix,
  loaded: DirectoryRejects | undefined,
): DirectoryToFixView {
  return {
    lob,
    ...(lastBuild !== undefined && {
      lastBuild: {
        state: lastBuild.state,
        startedAt: lastBuild.startedAt,
        reasons: (lastBuild.reasons ?? []).map(({ code, message }) => ({ code, message })),
      },
    }),
    ...(report !== undefined && {
      publication: {
        publishedAt: report.builtAt,
        records: report.records,
        clean: report.clean,
        comparedWithNppes: report.comparedWithNppes,
      },
    }),
    findings: Object.entries(report?.types ?? {}).flatMap(([type, { findings: counts }]) =>
      Object.entries(counts).map(([code, records]) => ({
        type,
        code: code as DirectoryToFixView['findings'][number]['code'],
        records,
        examples: examples
          .filter((each) => each.code === code && each.resource.startsWith(`${type}/`))
          .map(({ resource, message }) => ({ resource, message })),
      })),
    ),
    ...(loaded !== undefined && { load: loadView(loaded) }),
  };
}

function loadView({ load, refusedFiles, rejects, readRejects }: DirectoryRejects) {
  return {
    jobId: load.jobId,
    source: load.source,
    state: load.state,
    acceptedAt: load.acceptedAt,
    rows: load.controlTotal,
    rejected: load.counts.rejected,
    refusedFiles: refusedFiles.map(({ name, problem: fault, fix }) => ({ name, problem: fault, fix })),
    rejects: rejects.map(({ code, problem: fault, fix, rows, examples }) => ({
      code,
      problem: fault,
      fix,
      rows,
      examples: examples.map(({ file, line, resource, element, expected }) => ({
        file,
        line,
        ...(resource !== undefined && { resource }),
        ...(element !== undefined && { element }),
        ...(expected !== undefined && { expected }),
      })),
    })),
    ...(readRejects !== undefined && { readRejects }),
  };
}

/** Makes the address of the list of all findings, which is valid for a quarter of an hour. */
async function findings(
  { directories }: DirectoryServices,
  { params }: PortalRequest,
): Promise<PortalResult> {
  const environment = z.safeParse(environmentName, params.environment);
  const lob = lineOfBusinessCodes.find((code) => code === params.lob);
  if (!environment.success || lob === undefined) return problem('not_found');
  const answer = await directories.send(environment.data, { action: 'report', lob });
  if (answer.kind === 'refusal') return problem('environment_unavailable');
  if (answer.kind !== 'report' || answer.csvUrl === undefined) return problem('not_found');
  return response(200, { url: answer.csvUrl });
}
