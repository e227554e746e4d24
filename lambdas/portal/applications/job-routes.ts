/**
 * Operators' routes for asynchronous jobs of Payer Access. Each environment has its own jobs; its function `job-operations` reads and
 * cancels them.
 */

import * as z from 'zod/mini';
import type { Environment } from '../../catalog/environments.ts';
import {
  type JobOperation,
  type JobOperationAnswer,
  type JobPartSummary,
  type JobSummary,
  jobOperation,
} from '../../payer-access/jobs/job-operations-contract.ts';
import { environmentName } from '../api/application-requests.ts';
import type { JobDetailView, JobListView, JobView } from '../api/job-views.ts';
import {
  type PortalProblem,
  type PortalRequest,
  type PortalResult,
  type PortalRouteHandler,
  problem,
  response,
  sessionRead,
} from '../api/route-handler.ts';
import type { ClientApplication, EnvironmentInvoker, Portal } from './application-ports.ts';
import { actorOf } from './application-routes.ts';
import { findApplication } from './find-application.ts';

/** The services that the job routes need. */
export interface JobServices extends Pick<Portal, 'applications' | 'accounts' | 'now' | 'uuid'> {
  readonly jobs: EnvironmentInvoker<JobOperation, JobOperationAnswer>;
}

/** Makes the routes that list, show and cancel jobs. */
export function jobRoutes(services: JobServices) {
  return {
    operatorJobs: sessionRead((request) => list(services, request)),
    operatorJob: sessionRead(({ params }) => show(services, params)),
    cancelJob: sessionRead((request) => cancel(services, request)),
  } satisfies Readonly<Record<string, PortalRouteHandler>>;
}

type Params = Readonly<Record<string, string>>;
type Kind = Exclude<JobOperationAnswer['kind'], 'refused'>;

/** Sends a request to `job-operations` of the environment in the path. An unknown environment, LOB or job is `not_found`. */
async function ask<Wanted extends Kind>(
  { jobs }: JobServices,
  { environment: named, lob, jobId }: Params,
  kind: Wanted,
  request: Readonly<Record<string, unknown>>,
): Promise<PortalProblem | Extract<JobOperationAnswer, { readonly kind: Wanted }>> {
  const environment = z.safeParse(environmentName, named);
  const operation = z.safeParse(jobOperation, { lob, ...(jobId !== undefined && { jobId }), ...request });
  if (!operation.success && operation.error.issues.some(({ path }) => path[0] === 'after')) {
    const expected = '`next` of the page before';
    return problem('invalid_request', { errors: [{ pointer: '/after', code: 'invalid', expected }] });
  }
  if (!environment.success || !operation.success) return problem('not_found');
  const answer = await jobs.send(environment.data, operation.data);
  if (answer.kind === 'refusal') return problem('environment_unavailable');
  if (answer.kind === 'refused') {
    return problem(answer.reason === 'no_such_job' ? 'not_found' : 'job_ended');
  }
  if (answer.kind !== kind) throw new Error(`job-operations answered ${answer.kind}`);
  return answer as Extract<JobOperationAnswer, { readonly kind: Wanted }>;
}

async function list(services: JobServices, { params, query }: PortalRequest): Promise<PortalResult> {
  const { after } = query;
  const answer = await ask(services, params, 'list', {
    action: 'list',
    ...(after !== undefined && { after }),
  });
  if (answer.kind === 'problem') return answer;
  const { jobs, next } = answer;
  const shown = await jobViews(services, params.environment as Environment, jobs);
  return response(200, { jobs: shown, ...(next !== undefined && { next }) } satisfies JobListView);
}

async function show(services: JobServices, params: Params): Promise<PortalResult> {
  const answer = await ask(services, params, 'show', { action: 'show' });
  return answer.kind === 'problem' ? answer : response(200, await detailView(services, params, answer));
}

/** Cancels a job. The environment audits the operator's account; the application's timeline shows the operator's name. */
async function cancel(services: JobServices, { params, session }: PortalRequest): Promise<PortalResult> {
  const requestId = services.uuid();
  const act = { action: 'cancel', requestId, operatorId: session.accountId };
  const cancelled = await ask(services, params, 'cancelled', act);
  if (cancelled.kind === 'problem') return cancelled;
  const view = await detailView(services, params, { ...cancelled, parts: [] });
  const { applicationId = '' } = view.application ?? {};
  const loaded = await findApplication(services, { applicationId });
  if (loaded !== undefined) {
    const { kind, name } = actorOf(session);
    await services.applications.recordOperatorAct(
      loaded.application,
      {
        eventId: requestId,
        at: new Date(services.now()).toISOString(),
        actor: { kind, name },
        act: 'cancel_job',
        state: loaded.application.state,
        words: [params.environment, params.lob, params.jobId].join(', '),
      },
      session.accountId,
    );
  }
  return response(200, view);
}

async function detailView(
  services: JobServices,
  { environment }: Params,
  { job, parts }: { readonly job: JobSummary; readonly parts: readonly JobPartSummary[] },
): Promise<JobDetailView> {
  const views = await jobViews(services, environment as Environment, [job]);
  const shown = parts.map(({ part, files }) => ({
    part,
    files: files.map(({ name, list, count }) => ({ name, list, count })),
  }));
  return { ...(views[0] as JobView), parts: shown };
}

/** Adds to each job the name of its application and the company that registered the application. */
async function jobViews(
  { applications, accounts }: JobServices,
  environment: Environment,
  jobs: readonly JobSummary[],
): Promise<readonly JobView[]> {
  const clientIds = [...new Set(jobs.map(({ clientId }) => clientId))];
  const found = await applications.ofClients(environment, clientIds);
  const owners = [...new Set([...found.values()].map(({ createdBy }) => createdBy))];
  const contacts = await Promise.all(owners.map((accountId) => accounts.contact(accountId)));
  const companies = new Map(owners.map((accountId, at) => [accountId, contacts[at]?.company]));
  return jobs.map(({ expiresAt, startedAt, endedAt, ...job }) => {
    const application = found.get(job.clientId);
    return {
      ...job,
      ...(application !== undefined && { application: shownApplication(application, companies) }),
      ...(startedAt !== undefined && { startedAt }),
      ...(endedAt !== undefined && { endedAt }),
      expiresAt: new Date(expiresAt * 1000).toISOString(),
    };
  });
}

function shownApplication(
  { applicationId, name, createdBy }: ClientApplication,
  companies: ReadonlyMap<string, string | undefined>,
): NonNullable<JobView['application']> {
  const company = companies.get(createdBy);
  return { applicationId, name, ...(company !== undefined && { company }) };
}
