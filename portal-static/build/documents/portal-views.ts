import * as z from 'zod';
import { environments } from '../../../lambdas/catalog/environments.ts';
import { interfaceNames } from '../../../lambdas/catalog/interfaces.ts';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import { accountStateNames, developerTypeNames } from '../../../lambdas/catalog/portal-accounts.ts';
import {
  applicationStateNames,
  applicationTransitions,
  changeStates,
  changeTransitions,
  decisionCriterionNames,
} from '../../../lambdas/catalog/portal-applications.ts';
import { portalProblems } from '../../../lambdas/catalog/portal-problems.ts';
import { type ApplicationConfiguration, screens } from '../../../lambdas/portal-api/applications.ts';
import type * as views from '../../../lambdas/portal-api/views.ts';

/**
 * The answers of the portal's API as schemas, for its OpenAPI document. Each is held against its view's type by the
 * compiler, both ways: a field that is added, renamed or dropped there doesn't compile here.
 */

/** An object's members, read-only or not; which may be missing is part of what is compared. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? {
        [Key in keyof T]-?: object extends Pick<T, Key>
          ? { optional: Plain<Exclude<T[Key], undefined>> }
          : Plain<T[Key]>;
      }
    : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? unknown : never) : never;

/** Takes a schema of exactly this view. */
function view<View>() {
  return <Schema extends z.ZodType>(
    schema: Schema & Same<Plain<z.output<Schema>>, Plain<View>>,
    id: string,
    description?: string,
  ): z.ZodType<View> =>
    (schema as z.ZodType).meta({ id, ...(description !== undefined && { description }) }) as z.ZodType<View>;
}

const names = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];
const time = () => z.string().meta({ description: 'ISO 8601, UTC.' });
const environment = z.enum(environments);
const lineOfBusiness = z.enum(lineOfBusinessCodes as readonly (typeof lineOfBusinessCodes)[number][]);
const product = z.enum(interfaceNames as readonly (typeof interfaceNames)[number][]);
const accountState = z.enum(accountStateNames as readonly (typeof accountStateNames)[number][]);
const applicationState = z.enum(applicationStateNames as readonly (typeof applicationStateNames)[number][]);
const changeState = z.enum(names(changeStates));
const criterion = z.enum(decisionCriterionNames as readonly (typeof decisionCriterionNames)[number][]);
const stateActs = [...names(applicationTransitions), ...names(changeTransitions)];
const optional = z.exactOptional;

const configurationShape = {
  ...screens.registration.shape,
  ...screens.uris.shape,
  ...screens.contact.shape,
};
export const configuration = view<ApplicationConfiguration>()(
  z.strictObject(configurationShape),
  'ApplicationConfiguration',
  'An application as its developer describes it. Rules between fields are told with the problem `invalid_request`.',
);
const configurationField = z.enum(names(configurationShape));

const preflightCheck = view<views.PreflightCheck>()(
  z.object({
    id: z.string(),
    title: z.string(),
    result: z.enum(['pass', 'warn', 'fail', 'skipped']),
    detail: z.string(),
    field: optional(configurationField),
  }),
  'PreflightCheck',
);
export const preflightChecks = z.object({ checks: z.array(preflightCheck) }).meta({ id: 'Preflight' });

const problemField = view<views.ProblemField>()(
  z.object({
    pointer: z.string().meta({ description: 'JSON pointer (RFC 6901) into the request.' }),
    code: z.enum(['unknown_field', 'missing', 'invalid', 'taken', 'known_password', 'not_us_number']),
    expected: z.string().meta({ description: 'What was expected, in words.' }),
  }),
  'ProblemField',
);

export const problemDetails = view<views.ProblemDetails>()(
  z.object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    detail: z.string(),
    code: z.enum(names(portalProblems)),
    requestId: z.string(),
    errors: optional(z.array(problemField)),
    state: optional(z.string()),
    allowed: optional(z.array(z.string())),
    current: optional(z.unknown()),
    changed: optional(z.array(z.string())),
    triesLeft: optional(z.number()),
    retryAfter: optional(z.number()),
    limit: optional(z.number()),
    version: optional(z.string()),
    checks: optional(z.array(preflightCheck)),
  }),
  'ProblemDetails',
  'RFC 9457, with this API’s extensions.',
);

export const botCheck = view<views.BotCheckView>()(
  z.union([
    z.object({ provider: z.literal('recaptcha'), siteKey: z.string() }),
    z.object({ provider: z.literal('altcha'), challenge: z.unknown() }),
  ]),
  'BotCheck',
);

const accountFields = {
  accountId: z.string(),
  version: z.number(),
  state: accountState,
  nextStep: z.enum(['verify_email', 'verify_phone', 'accept_terms', 'await_verification', 'none']),
  role: z.enum(['developer', 'operator']),
  developerType: optional(z.enum(developerTypeNames as readonly (typeof developerTypeNames)[number][])),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: optional(z.string()),
  username: optional(z.string()),
  company: z.string(),
  teamId: z.string(),
  codeSentTo: optional(z.string()),
  createdAt: time(),
  termsVersion: optional(z.string()),
};
export const account = view<views.AccountView>()(z.object(accountFields), 'Account');

export const signIn = view<views.SignInView>()(
  z.union([
    z.object({ next: z.literal('signed_in'), account }),
    z.object({ next: z.literal('code'), sentTo: z.string(), channel: z.enum(['email', 'sms']) }),
  ]),
  'SignIn',
);

export const team = view<views.TeamView>()(
  z.object({
    teamId: z.string(),
    name: z.string(),
    members: z.array(
      z.object({ accountId: z.string(), name: z.string(), email: z.string(), joinedAt: time() }),
    ),
    invitations: z.array(
      z.object({
        invitationId: z.string(),
        email: z.string(),
        invitedBy: z.string(),
        expiresAt: time(),
      }),
    ),
  }),
  'Team',
);

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
      'first_approval',
    ]),
    state: applicationState,
    criterion: optional(criterion),
    field: optional(z.string()),
    words: optional(z.string()),
  }),
  'TimelineEvent',
);

const difference = view<views.Difference>()(
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

const applicationFields = {
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
};
export const application = view<views.ApplicationView>()(z.object(applicationFields), 'Application');

export const draft = view<views.DraftView>()(
  z.object({
    draftId: z.string(),
    screen: z.string(),
    values: z.record(z.string(), z.unknown()),
    savedAt: time(),
  }),
  'Draft',
);

export const draftList = z.object({ drafts: z.array(draft) }).meta({ id: 'DraftList' });

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

const call = view<views.CallView>()(
  z.object({
    at: time(),
    host: z.string(),
    lob: optional(lineOfBusiness),
    method: z.string(),
    route: z.string(),
    status: z.number(),
    responseType: optional(z.string()),
    reason: optional(z.string()),
    requestId: z.string(),
    latencyMs: optional(z.number()),
  }),
  'Call',
);
export const calls = view<views.CallsView>()(
  z.object({ calls: z.array(call), next: optional(z.string()) }),
  'Calls',
);
export const usage = view<views.UsageView>()(
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
export const testMembers = z.object({ members: z.array(testMember) }).meta({ id: 'TestMembers' });

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
export const status = view<views.StatusView>()(
  z.object({
    checkedAt: time(),
    parts: z.array(z.object({ name: z.string(), answers: z.boolean(), latencyMs: optional(z.number()) })),
  }),
  'Status',
);

const queueItem = view<views.QueueItem>()(
  z.object({
    kind: z.enum(['application', 'change', 'account']),
    id: z.string(),
    name: z.string(),
    company: z.string(),
    since: time(),
    approvedBy: optional(z.string()),
  }),
  'QueueItem',
);
export const queue = z.object({ items: z.array(queueItem) }).meta({ id: 'Queue' });

export const operatorAccount = view<views.OperatorAccountView>()(
  z.object({
    ...accountFields,
    signUp: z.record(z.string(), z.unknown()),
    notice: optional(z.string()),
    timeline: z.array(
      z.object({ at: time(), actor: z.string(), act: z.string(), words: optional(z.string()) }),
    ),
  }),
  'OperatorAccount',
);
export const accountList = z.object({ accounts: z.array(account) }).meta({ id: 'AccountList' });

export const operatorApplication = view<views.OperatorApplicationView>()(
  z.object({
    ...applicationFields,
    developer: operatorAccount,
    preflight: z.array(preflightCheck),
    sandboxDifference: z.array(difference),
    sandboxCalls: z.array(call),
    approvedBy: optional(z.string()),
  }),
  'OperatorApplication',
);
