/** OpenAPI schemas of applications as the portal API shows them. */

import * as z from 'zod';
import { environments } from '../../../lambdas/catalog/environments.ts';
import type { StatusView } from '../../../lambdas/portal/api/status-view.ts';
import type * as views from '../../../lambdas/portal/api/views.ts';
import { incidentSeverityNames } from '../../../lambdas/portal/catalog/status.ts';
import { configuration, configurationField } from './problem-views.ts';
import {
  applicationState,
  changeState,
  criterion,
  environment,
  lineOfBusiness,
  optional,
  product,
  stateActs,
  time,
  view,
} from './view-schemas.ts';

/** Applications, credentials, calls and the sandbox. */

const timelineEvent = view<views.TimelineEvent>()(
  z.object({
    eventId: z.string(),
    at: time(),
    actor: z.object({ kind: z.enum(['developer', 'operator', 'service']), name: z.string() }),
    act: z.enum([
      ...stateActs,
      'edit_sandbox',
      'edit_production',
      'attest',
      'view_credentials',
      'rotate_secret',
      'rotate_key',
      'stop_secret',
      'stop_key',
      'verify_organization',
      'cancel_job',
      'first_approval',
    ]),
    state: applicationState,
    criterion: optional(criterion),
    field: optional(z.string()),
    words: optional(z.string()),
  }),
  'TimelineEvent',
);

export const difference = view<views.Difference>()(
  z.object({ field: configurationField, before: z.unknown(), after: z.unknown() }),
  'Difference',
);

const summaryFields = {
  applicationId: z.string(),
  name: z.string(),
  state: applicationState,
  changeState,
  version: z.number(),
  updatedAt: time(),
  attested: z.boolean(),
};
const applicationSummary = view<views.ApplicationSummary>()(z.object(summaryFields), 'ApplicationSummary');
export const applicationList = z
  .object({ applications: z.array(applicationSummary) })
  .meta({ id: 'ApplicationList' });

export const applicationFieldSchemas = {
  ...summaryFields,
  sandbox: z.object({ clientId: z.string(), configuration }),
  production: optional(z.object({ clientId: z.string(), configuration, approved: optional(configuration) })),
  change: optional(z.object({ configuration, difference: z.array(difference) })),
  resubmission: optional(z.array(difference)),
  attestation: optional(z.object({ textVersion: z.string(), at: time(), by: z.string() })),
  evidence: z.array(
    z.object({ product, lob: lineOfBusiness, at: time(), route: z.string(), requestId: z.string() }),
  ),
  timeline: z.array(timelineEvent),
  allowed: z.array(z.enum(stateActs)),
  decision: optional(
    z.object({
      criterion: optional(criterion),
      field: optional(z.string()),
      words: z.string(),
      at: time(),
    }),
  ),
  appealed: z.boolean(),
  decisionExpectedBy: optional(z.iso.date()),
  pending: optional(z.array(z.object({ environment: z.enum(environments), since: time() }))),
};
export const application = view<views.ApplicationView>()(z.object(applicationFieldSchemas), 'Application');

export const draftSchema = view<views.DraftView>()(
  z.object({
    draftId: z.string(),
    screen: z.string(),
    values: z.record(z.string(), z.unknown()),
    savedAt: time(),
  }),
  'Draft',
);

export const draftList = z.object({ drafts: z.array(draftSchema) }).meta({ id: 'DraftList' });

const liveCredential = () =>
  z.object({
    value: z.string(),
    createdAt: time(),
    expiresAt: optional(time()),
    lastUsedAt: optional(time()),
  });
export const credentials = view<views.CredentialsView>()(
  z.object({
    environment,
    clientId: z.string(),
    secrets: z.array(liveCredential()),
    subscriptionKeys: z.array(liveCredential()),
    keyUsesUnknown: optional(z.literal(true)),
    machineScope: optional(z.string()),
    state: z.string(),
  }),
  'Credentials',
);
export const rotation = view<views.RotationView>()(
  z.object({
    environment,
    clientSecret: optional(z.string()),
    subscriptionKey: optional(z.string()),
    previousExpiresAt: optional(time()),
  }),
  'Rotation',
);

export const callSchema = view<views.CallView>()(
  z.object({
    at: time(),
    host: z.string(),
    lob: optional(lineOfBusiness),
    method: z.string(),
    route: z.string(),
    status: z.number(),
    responseType: optional(z.string()),
    reason: optional(z.string()),
    expected: optional(z.string()),
    received: optional(z.string()),
    requestId: z.string(),
    latencyMs: optional(z.number()),
  }),
  'Call',
);
export const calls = view<views.CallsView>()(
  z.object({ calls: z.array(callSchema), next: optional(z.string()) }),
  'Calls',
);
export const usageSchema = view<views.UsageView>()(
  z.object({
    quotaPerDay: z.number(),
    requestsPerSecond: z.number(),
    burst: z.number(),
    days: z.array(z.object({ date: z.string(), used: z.number(), remaining: z.number() })),
  }),
  'Usage',
);

const testMember = view<views.TestMemberView>()(
  z.object({
    lob: lineOfBusiness,
    memberId: z.string(),
    password: z.string(),
    patientId: z.string(),
    name: z.string(),
    about: z.string(),
  }),
  'TestMember',
);
export const testMemberSchemas = z.object({ members: z.array(testMember) }).meta({ id: 'TestMembers' });

const addressesOfOne = z.object({
  auth: z.string(),
  token: z.string(),
  apiTemplate: z.string(),
  resourceId: z.string(),
});
export const addresses = view<views.AddressesView>()(
  z.object({
    environments: z.object({ sandbox: addressesOfOne, production: addressesOfOne }),
    tryItRedirectUri: z.string(),
  }),
  'Addresses',
);
const ofLob = { environment: z.string(), lob: z.string() };
export const statusSchema = view<StatusView>()(
  z.object({
    checkedAt: time(),
    parts: z.array(
      z.object({
        name: z.string(),
        answers: z.boolean(),
        latencyMs: optional(z.number()),
        environment: optional(z.string()),
        lob: optional(z.string()),
      }),
    ),
    data: z.array(z.object({ ...ofLob, late: z.boolean(), freshUntil: time(), loadedAt: optional(time()) })),
    directories: z.array(z.object({ ...ofLob, publishedAt: time() })),
    incidents: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        severity: z.enum(incidentSeverityNames),
        state: z.enum(['scheduled', 'open', 'over']),
        startsAt: time(),
        endsAt: optional(time()),
        resolvedAt: optional(time()),
        parts: z.array(z.string()),
        updates: z.array(z.object({ at: time(), text: z.string() })),
      }),
    ),
  }),
  'Status',
);
