/** DynamoDB items of an application, read back into objects. */

import * as z from 'zod/mini';
import { environments } from '../../catalog/environments.ts';
import { interfaceNames } from '../../catalog/fhir/interfaces.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import type { Item } from '../../platform/table/table.ts';
import type { ApplicationConfiguration } from '../api/applications.ts';
import type { ApplicationSummary, Evidence, TimelineEvent } from '../api/views.ts';
import type { Application, LoadedApplication } from '../applications/application.ts';
import {
  type ApplicationState,
  applicationStateNames,
  type ChangeState,
  changeStates,
  type DecisionCriterion,
} from '../catalog/application-states.ts';

/** Schemas of an application's items. Older items must stay readable, so a configuration is not fully validated. */

const state = z.enum(applicationStateNames as readonly [ApplicationState, ...ApplicationState[]]);
const changeState = z.enum(Object.keys(changeStates) as [ChangeState, ...ChangeState[]]);
const version = z.int().check(z.minimum(1));

const configuration = z.pipe(
  z.looseObject({
    applicationName: z.string(),
    products: z.array(z.enum(interfaceNames)),
    linesOfBusiness: z.array(z.enum(lineOfBusinessCodes)),
    loginRedirectUris: z.optional(z.array(z.string())),
  }),
  z.transform((it) => it as unknown as ApplicationConfiguration),
);

/** Counts of a pre-flight's results. */
export const storedVerdict = z.object({
  fix: z.number(),
  check: z.number(),
  open: z.number(),
  passed: z.number(),
});

const storedApplication = z.object({
  applicationId: z.string(),
  teamId: z.string(),
  version,
  state,
  changeState,
  createdBy: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  sandbox: configuration,
  production: z.optional(configuration),
  approved: z.optional(z.object({ configuration, sha256: z.string() })),
  change: z.optional(configuration),
  submitted: z.optional(configuration),
  submittedBefore: z.optional(configuration),
  verdict: z.optional(storedVerdict),
  awaitingSince: z.optional(z.string()),
  attestation: z.optional(z.object({ textVersion: z.string(), at: z.string(), by: z.string() })),
  decision: z.optional(
    z.object({
      act: z.string(),
      criterion: z.optional(z.string()),
      field: z.optional(z.string()),
      words: z.string(),
      at: z.string(),
      by: z.optional(z.object({ accountId: z.string(), name: z.string() })),
    }),
  ),
  appealed: z.boolean(),
  firstApproval: z.optional(z.object({ accountId: z.string(), name: z.string(), at: z.string() })),
});

const storedEvent = z.object({
  eventId: z.string(),
  at: z.string(),
  actor: z.object({ kind: z.enum(['developer', 'operator', 'service']), name: z.string() }),
  act: z.pipe(
    z.string(),
    z.transform((it) => it as TimelineEvent['act']),
  ),
  state,
  criterion: z.optional(
    z.pipe(
      z.string(),
      z.transform((it) => it as DecisionCriterion),
    ),
  ),
  field: z.optional(z.string()),
  words: z.optional(z.string()),
});

const storedEvidence = z.object({
  product: z.enum(interfaceNames),
  lob: z.enum(lineOfBusinessCodes),
  at: z.string(),
  route: z.string(),
  requestId: z.string(),
});

const storedClient = z.object({ environment: z.enum(environments), clientId: z.string() });

const storedPending = z.object({
  entryId: z.string(),
  environment: z.enum(environments),
  since: z.string(),
});

const storedSummary = z.object({
  applicationId: z.string(),
  name: z.string(),
  state,
  changeState,
  version,
  updatedAt: z.string(),
  attested: z.boolean(),
});

export function readSummary(item: Item): ApplicationSummary {
  return storedSummary.parse(item);
}

/**
 * Reads the items of an application's partition as one application.
 *
 * @returns undefined if the application's own item is not among them.
 */
export function readApplication(items: readonly Item[]): LoadedApplication | undefined {
  const of = (prefix: string) => items.filter(({ sk }) => String(sk).startsWith(prefix));
  const [application] = of('APPLICATION');
  if (application === undefined) return undefined;
  const clients = of('CLIENT#').map((item) => storedClient.parse(item));
  return {
    application: storedApplication.parse(application) as Application,
    clients: Object.fromEntries(clients.map(({ environment, clientId }) => [environment, clientId])),
    evidence: of('EVIDENCE#').map((item): Evidence => storedEvidence.parse(item)),
    timeline: of('EVENT#').map((item) => storedEvent.parse(item) as TimelineEvent),
    pending: of('PENDING#').map((item) => storedPending.parse(item)),
  };
}
