/** Composes the handlers of Payer Access for groups and asynchronous jobs, from their services. */

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { GroupOperation } from '../catalog/fhir/fhir-routes.ts';
import { type BackendContext, backendContext } from '../catalog/oauth/authorizer-context.ts';
import { jobLimits } from '../catalog/payer/job-kinds.ts';
import { type MediaType, negotiate } from '../fhir/query/media-type.ts';
import type { Parameter } from '../fhir/query/search-issue.ts';
import { formatOf, isStrict } from '../fhir/query/search-request.ts';
import type { FhirHandler } from '../platform/http/fhir-dispatch.ts';
import { fhirParameters } from '../platform/http/fhir-parameters.ts';
import {
  isAsynchronous,
  jobAccepted,
  jobCancelled,
  jobComplete,
  jobInProgress,
  redirectToFile,
} from '../platform/http/job-responses.ts';
import {
  corsHeaders,
  fhirRefusal,
  invalidRequest,
  tooManyJobs,
  tooManyMembers,
} from '../platform/http/operation-outcome.ts';
import { bodyText, contentTypeOf } from '../platform/http/parameters.ts';
import { header, requestIds } from '../platform/http/pipeline.ts';
import { safeParse } from '../platform/kernel/shapes.ts';
import { digests } from '../platform/runtime/digests.ts';
import { lateJobServices } from './aws/late-job-services.ts';
import type { PayerDataOptions } from './compose-payer-data.ts';
import { readExportParameters } from './export/export-request.ts';
import { chooseMembers, type GroupAnswer, readGroup } from './groups/group-requests.ts';
import { searchGroups } from './groups/group-search.ts';
import { requestJobFile } from './jobs/job-file-request.ts';
import {
  beginJob,
  cancelJob,
  type JobBeginningAnswer,
  type JobStatus,
  jobStatus,
} from './jobs/job-requests.ts';
import { readBulkMatchRequest } from './match/bulk-match-request.ts';
import type { PayerAction, PayerCall } from './permission/member-match-port.ts';
import { admitPayer } from './permission/payer-admission.ts';
import { createJobStore } from './store/job-store.ts';
import { createBulkMatchQuota } from './store/match-limits.ts';
import { createPayerGrants } from './store/payer-grants.ts';
import { createPayerGroups } from './store/payer-groups.ts';

export interface PayerJobsOptions extends PayerDataOptions {
  readonly jobBucket: string;
  readonly jobStateMachine: string;
}

const bodyTypes = ['application/fhir+json', 'application/json'];

/** The response to a status request; undefined if there is no such job. */
function statusResponse(status: JobStatus): APIGatewayProxyResult | undefined {
  switch (status.kind) {
    case 'none':
      return undefined;
    case 'failed':
      return fhirRefusal('job-failed');
    case 'running':
      return jobInProgress(status.progress, status.retryAfterSeconds);
    case 'complete':
      return jobComplete(status.manifest, status.expiresAt);
  }
}

/** The URL of a request as the manifest repeats it (Bulk Data Access IG 2.0.0): with the query, or, for a POST, without parameters. */
function kickOffUrl(
  url: string,
  { httpMethod }: APIGatewayProxyEvent,
  parameters: readonly Parameter[],
): string {
  const query = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]));
  return httpMethod === 'POST' || query.size === 0 ? url : `${url}?${query}`;
}

/** The application that sends the request. */
interface Caller {
  readonly context: BackendContext;
  readonly call: PayerCall & { readonly action: PayerAction };
}

interface AdmittedCaller extends Caller {
  /** The application's organization, as the first of its verified identifiers. */
  readonly payer: string;
}

type AdmittedHandler = (
  caller: AdmittedCaller,
  event: APIGatewayProxyEvent,
) => Promise<APIGatewayProxyResult>;
type ExportOperation = 'Group.davinci-data-export' | 'Group.export';
type Handlers = Readonly<Record<GroupOperation | ExportOperation | 'Group.bulk-member-match', FhirHandler>>;

/** Makes the handlers of the routes on groups and jobs, by operation. */
export function composePayerJobs(options: PayerJobsOptions): Handlers {
  const { table, lob, base, payers, now, uuid } = options;
  const store = createJobStore(table, lob);
  const { files, machine } = lateJobServices(async () => {
    const { connectJobServices } = await import('./aws/job-clients.ts');
    return connectJobServices(options);
  });
  const jobs = { store, files, machine, now, uuid };
  const grants = createPayerGrants(table, { lob, environment: options.environment, now, uuid });
  const groups = {
    store: payers,
    files,
    lob,
    now,
    sha256: digests.sha256Hex,
    groups: createPayerGroups(table, lob, now),
  };

  /** The calling application; undefined if the authorizer passed none. */
  const callerOf = (event: APIGatewayProxyEvent, action: PayerAction): Caller | undefined => {
    const context = safeParse(backendContext, event.requestContext.authorizer);
    if (context === undefined) return undefined;
    const { clientId } = context;
    return { context, call: { ...requestIds(event), clientId, action } };
  };

  /** Makes a handler that admits the payer before anything in the request is read. Refusals are recorded in the audit. */
  const admitting =
    (action: PayerAction, answer: AdmittedHandler): FhirHandler =>
    async (event) => {
      const caller = callerOf(event, action);
      if (caller === undefined) return fhirRefusal('key-invalid');
      const { context, call } = caller;
      const admission = await admitPayer({ store: payers, now }, context, call, 'Patient');
      if (admission.kind === 'refusal') return fhirRefusal(admission.refusal);
      const [organization] = admission.organization;
      const payer = `${organization?.system}|${organization?.value}`;
      return await answer({ ...caller, payer }, event);
    };

  /** Responds 404 both for another application's resource and for one that doesn't exist, and records the call in the audit. */
  async function notFound({ call }: Caller): Promise<APIGatewayProxyResult> {
    await payers.recordRefusal(call, 'resource_unknown');
    return fhirRefusal('not-found');
  }

  const bulkMatch = admitting('Group.bulk-member-match', async ({ context, call, payer }, event) => {
    if (!isAsynchronous(event)) return fhirRefusal('async-only');
    if (!bodyTypes.includes(contentTypeOf(event))) return fhirRefusal('unsupported-media-type');
    const size = Buffer.byteLength(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
    if (size > jobLimits.bodyBytes) return fhirRefusal('request-too-long');
    const reading = readBulkMatchRequest(bodyText(event, jobLimits.bodyBytes) ?? '');
    if (reading.kind === 'invalid') return invalidRequest(reading.issues);
    const begun = await beginJob(jobs, {
      ...call,
      payer,
      kind: 'member-match',
      request: `${base}/Group/$bulk-member-match`,
      scope: context.scope,
      parameters: {},
      members: reading.members,
      quota: createBulkMatchQuota(table, lob),
    });
    return respondBegun(begun);
  });

  const respondBegun = (begun: JobBeginningAnswer): APIGatewayProxyResult => {
    switch (begun.kind) {
      case 'accepted':
        return jobAccepted(`${base}/jobs/${begun.jobId}`);
      case 'too-many-jobs':
        return tooManyJobs(begun.retryAfterSeconds);
      case 'quota-used':
        return tooManyMembers(begun.retryAfterSeconds);
    }
  };

  /** Makes the handler that begins the export of a group of matched members. */
  const exportGroup = (action: ExportOperation): FhirHandler =>
    admitting(action, async (caller, event) => {
      const { context, call, payer } = caller;
      if (!isAsynchronous(event)) return fhirRefusal('async-only');
      const asked = fhirParameters(event, 'operation', jobLimits.bodyBytes);
      if (asked.kind === 'refusal') {
        return fhirRefusal(asked.refusal === 'form-too-long' ? 'request-too-long' : asked.refusal);
      }
      const reading = readExportParameters(
        asked.parameters,
        { base, now: now() },
        action === 'Group.davinci-data-export',
      );
      if (reading.kind === 'invalid') return invalidRequest(reading.issues);
      const { patients, ...parameters } = reading.parameters;
      const groupId = event.pathParameters?.id ?? '';
      const chosen = await chooseMembers(groups, context.clientId, groupId, patients);
      if (chosen.kind === 'none') return await notFound(caller);
      if (chosen.kind === 'invalid') {
        await payers.recordRefusal(call, 'patient_not_in_group');
        return invalidRequest(chosen.issues);
      }
      const begun = await beginJob(jobs, {
        ...call,
        payer,
        kind: 'export',
        request: kickOffUrl(
          `${base}/Group/${groupId}/$${action.replace('Group.', '')}`,
          event,
          asked.parameters,
        ),
        scope: context.scope,
        parameters,
        members: chosen.members,
      });
      return respondBegun(begun);
    });

  /** Makes the handler of a request about one of the application's jobs. */
  const onJob = (
    action: 'job.status' | 'job.cancel',
    answer: (clientId: string, jobId: string) => Promise<APIGatewayProxyResult | undefined>,
  ): FhirHandler =>
    admitting(action, async (caller, { pathParameters }) => {
      const { clientId } = caller.context;
      const jobId = pathParameters?.job ?? '';
      const answered = await answer(clientId, jobId);
      if (answered !== undefined) return answered;
      // Repeating the cancellation of one's own job is not recorded as a call about another application's job.
      const job = await store.job(jobId);
      return job?.clientId === clientId ? fhirRefusal('not-found') : await notFound(caller);
    });

  async function jobFile(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
    const caller = callerOf(event, 'job.file');
    if (caller === undefined) return fhirRefusal('key-invalid');
    const { job: jobId = '', file: name = '' } = event.pathParameters ?? {};
    const request = { ...caller.call, context: caller.context, jobId, name };
    const answer = await requestJobFile({ store, files, payers, grants, now }, request);
    if (answer.kind === 'refusal') return fhirRefusal(answer.refusal);
    return redirectToFile(
      await files.signedUrl(answer.key, 'application/fhir+ndjson', jobLimits.fileAddressSeconds),
    );
  }

  async function respondGroup(answer: GroupAnswer, mediaType: MediaType): Promise<APIGatewayProxyResult> {
    switch (answer.kind) {
      case 'refusal':
        return fhirRefusal(answer.refusal);
      case 'invalid':
        return invalidRequest(answer.issues);
      case 'redirect':
        return redirectToFile(await files.signedUrl(answer.key, mediaType, jobLimits.fileAddressSeconds));
      case 'resource':
        return {
          statusCode: 200,
          headers: { ...corsHeaders, 'Content-Type': mediaType, 'Cache-Control': 'private, no-store' },
          body: answer.body,
        };
    }
  }

  async function onGroups(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
    const caller = callerOf(event, 'Group.read');
    if (caller === undefined) return fhirRefusal('key-invalid');
    const asked = fhirParameters(event);
    if (asked.kind === 'refusal') return fhirRefusal(asked.refusal);
    const format = formatOf(asked.parameters)[0]?.[1];
    const mediaType = negotiate(header(event, 'accept'), format, 'application/fhir+json');
    if (mediaType === undefined) return fhirRefusal('not-acceptable');
    const request = { ...caller.call, context: caller.context };
    const strict = isStrict(header(event, 'prefer'));
    const id = event.pathParameters?.id;
    const answer =
      id === undefined
        ? await searchGroups(groups, { ...request, parameters: asked.parameters, strict, base })
        : await readGroup(groups, request, id);
    return await respondGroup(answer, mediaType);
  }

  return {
    'Group.bulk-member-match': bulkMatch,
    'Group.davinci-data-export': exportGroup('Group.davinci-data-export'),
    'Group.export': exportGroup('Group.export'),
    'Group.read': onGroups,
    'Group.search-type': onGroups,
    'job-status': onJob('job.status', async (clientId, jobId) => {
      const addressOf = (name: string) => `${base}/jobs/${jobId}/files/${name}`;
      return statusResponse(await jobStatus(jobs, clientId, jobId, addressOf));
    }),
    'job-cancel': onJob('job.cancel', async (clientId, jobId) =>
      (await cancelJob(jobs, clientId, jobId)) ? jobCancelled() : undefined,
    ),
    'job-file': jobFile,
  };
}
