/** Response schemas of the portal's operator API, for its OpenAPI document. Types keep them equal to the views that the API returns. */

import * as z from 'zod';
import { environments } from '../../../lambdas/catalog/environments.ts';
import { findingCodes } from '../../../lambdas/catalog/fhir/directory-findings.ts';
import { jobKindNames } from '../../../lambdas/catalog/payer/job-kinds.ts';
import { jobStates } from '../../../lambdas/catalog/payer/job-states.ts';
import type * as directoryViews from '../../../lambdas/portal/api/directory-views.ts';
import type * as jobViews from '../../../lambdas/portal/api/job-views.ts';
import type * as operatorViews from '../../../lambdas/portal/api/operator-views.ts';
import { account, accountFields } from './account-views.ts';
import { applicationFieldSchemas, callSchema, difference } from './application-views.ts';
import { preflightCheck } from './problem-views.ts';
import { criterion, lineOfBusiness, optional, product, time, view } from './view-schemas.ts';

const ownAct = optional(z.enum(['reject', 'approve']));

const queueItem = view<operatorViews.QueueItem>()(
  z.object({
    kind: z.enum(['application', 'change', 'account']),
    id: z.string(),
    name: z.string(),
    company: z.string(),
    since: time(),
    expectedBy: z.iso.date(),
    products: optional(z.array(product)),
    verdict: optional(z.object({ fix: z.number(), check: z.number(), open: z.number(), passed: z.number() })),
    appeal: optional(z.literal(true)),
    approvedBy: optional(z.string()),
    ownAct,
  }),
  'QueueItem',
);
export const queue = z.object({ items: z.array(queueItem) }).meta({ id: 'Queue' });

export const operatorActs = view<operatorViews.OperatorActsView>()(
  z.object({
    acts: z.array(
      z.object({
        at: time(),
        kind: z.enum(['application', 'account']),
        id: z.string(),
        name: z.string(),
        act: z.string(),
        criterion: optional(criterion),
        words: optional(z.string()),
      }),
    ),
    next: optional(z.string()),
  }),
  'OperatorActs',
);

const teamApplicationFields = { applicationId: z.string(), name: z.string() };
const teamApplication = z.object(teamApplicationFields);

export const operatorAccount = view<operatorViews.OperatorAccountView>()(
  z.object({
    ...accountFields,
    signUp: z.record(z.string(), z.unknown()),
    notice: optional(z.string()),
    team: optional(z.object({ others: z.array(z.string()), approved: z.array(teamApplication) })),
    suspended: optional(
      z.array(z.object({ ...teamApplicationFields, outcome: z.enum(['suspended', 'waiting']) })),
    ),
    timeline: z.array(
      z.object({ at: time(), actor: z.string(), act: z.string(), words: optional(z.string()) }),
    ),
  }),
  'OperatorAccount',
);
export const accountList = z.object({ accounts: z.array(account) }).meta({ id: 'AccountList' });

export const verifiedOrganization = view<operatorViews.VerifiedOrganizationView>()(
  z.object({
    environments: z.array(
      z.object({
        environment: z.enum(environments),
        identifiers: z.array(z.object({ system: z.string(), value: z.string() })),
      }),
    ),
  }),
  'VerifiedOrganization',
);

export const operatorApplication = view<operatorViews.OperatorApplicationView>()(
  z.object({
    ...applicationFieldSchemas,
    developer: operatorAccount,
    preflight: z.array(preflightCheck),
    sandboxDifference: z.array(difference),
    sandboxCalls: z.array(callSchema),
    approvedBy: optional(z.string()),
    ownAct,
  }),
  'OperatorApplication',
);

const jobFields = {
  jobId: z.string(),
  kind: z.enum(jobKindNames),
  state: z.enum(jobStates),
  clientId: z.string(),
  application: optional(z.object({ ...teamApplicationFields, company: optional(z.string()) })),
  members: z.number(),
  done: z.number(),
  acceptedAt: time(),
  startedAt: optional(time()),
  endedAt: optional(time()),
  expiresAt: time(),
};

export const jobList = view<jobViews.JobListView>()(
  z.object({ jobs: z.array(z.object(jobFields).meta({ id: 'Job' })), next: optional(z.string()) }),
  'JobList',
);

export const jobDetail = view<jobViews.JobDetailView>()(
  z.object({
    ...jobFields,
    parts: z.array(
      z.object({
        part: z.number(),
        files: z.array(z.object({ name: z.string(), list: z.string(), count: z.number() })),
      }),
    ),
  }),
  'JobDetail',
);

const loadOfDirectory = z.object({
  jobId: z.string(),
  source: z.string(),
  state: z.string(),
  acceptedAt: time(),
  rows: z.number(),
  rejected: z.number(),
  refusedFiles: z.array(z.object({ name: z.string(), problem: z.string(), fix: z.string() })),
  rejects: z.array(
    z.object({
      code: z.string(),
      problem: z.string(),
      fix: z.string(),
      rows: z.number(),
      examples: z.array(
        z.object({
          file: z.string(),
          line: z.number(),
          resource: optional(z.string()),
          element: optional(z.string()),
          expected: optional(z.string()),
        }),
      ),
    }),
  ),
  readRejects: optional(z.number()),
});
const directoryToFix = view<directoryViews.DirectoryToFixView>()(
  z.object({
    lob: lineOfBusiness,
    lastBuild: optional(
      z.object({
        state: z.string(),
        startedAt: time(),
        reasons: z.array(z.object({ code: z.string(), message: z.string() })),
      }),
    ),
    publication: optional(
      z.object({
        publishedAt: time(),
        records: z.number(),
        clean: z.number(),
        comparedWithNppes: z.boolean(),
      }),
    ),
    findings: z.array(
      z.object({
        type: z.string(),
        code: z.enum(findingCodes),
        records: z.number(),
        examples: z.array(z.object({ resource: z.string(), message: z.string() })),
      }),
    ),
    load: optional(loadOfDirectory),
  }),
  'DirectoryToFix',
);
export const directoriesToFix = view<directoryViews.DirectoriesToFixView>()(
  z.object({ directories: z.array(directoryToFix) }),
  'DirectoriesToFix',
);
export const findingsFile = view<directoryViews.FindingsFileView>()(
  z.object({ url: z.string() }),
  'FindingsFile',
);
