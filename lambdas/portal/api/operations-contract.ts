/** Requests and results of the function `application-operations`, behind the operator's CLI. */

import * as z from 'zod/mini';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { type AccountState, accountStateNames } from '../catalog/account-states.ts';
import { applicationStateNames } from '../catalog/application-states.ts';
import type { ProblemCode } from '../catalog/problems.ts';
import type { IncidentSeverity } from '../catalog/status.ts';
import { line } from './fields.ts';
import { incidentChange, incidentId, newIncident } from './incidents.ts';
import { accountDecision, applicationDecision, newOperator } from './operations.ts';
import type { OperatorAccountView, OperatorApplicationView, QueueItem } from './operator-views.ts';
import type { StatusView } from './status-view.ts';
import type { AccountView, ApplicationSummary, ProblemDetails } from './views.ts';

/**
 * The contract of the operator's command line: the payload of a Lambda invocation of `application-operations`, and its answer. IAM decides
 * who may invoke the function, and so who is an operator. `operator` is the name that timelines show and by which the rule of two operators
 * tells people apart.
 */
const operator = line('your name as the timeline shows it', 80);
const id = z.string().check(z.minLength(1), z.maxLength(64));
/** Check only: nothing is written, and no mail is sent. */
const dryRun = z.optional(z.literal(true));

const testMember = z.strictObject({
  lob: z.enum(lineOfBusinessCodes),
  memberId: line('the member ID to sign in with'),
  password: z.string().check(z.minLength(1), z.maxLength(256)),
  patientId: line('the ID of the Patient'),
  name: line('the member’s name'),
  about: line('what you can test with this member', 300),
});

export const operationsRequest = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('queue'), operator }),
  z.strictObject({
    action: z.literal('applications'),
    operator,
    state: z.optional(z.enum(applicationStateNames)),
  }),
  z.strictObject({ action: z.literal('application'), operator, applicationId: id }),
  z.strictObject({
    action: z.literal('decide-application'),
    operator,
    applicationId: id,
    decision: applicationDecision,
    dryRun,
  }),
  z.strictObject({ action: z.literal('accounts'), operator, state: z.optional(z.enum(accountStateNames)) }),
  z.strictObject({ action: z.literal('account'), operator, accountId: id }),
  z.strictObject({
    action: z.literal('decide-account'),
    operator,
    accountId: id,
    decision: accountDecision,
    dryRun,
  }),
  /** Replaces the sandbox's test members of each LOB in the request. */
  z.strictObject({
    action: z.literal('publish-test-members'),
    operator,
    members: z.array(testMember).check(z.minLength(1), z.maxLength(200)),
    dryRun,
  }),
  z.strictObject({ action: z.literal('operators'), operator }),
  z.strictObject({ action: z.literal('create-operator'), operator, person: newOperator, dryRun }),
  /** `operatorId`: an account ID, or an e-mail address. */
  z.strictObject({
    action: z.literal('remove-operator'),
    operator,
    operatorId: z.string().check(z.minLength(1), z.maxLength(254)),
    dryRun,
  }),
  z.strictObject({
    action: z.literal('reset-authenticator'),
    operator,
    operatorId: z.string().check(z.minLength(1), z.maxLength(254)),
    dryRun,
  }),
  /** Calls every component of the service and counts what answers. Sent by a schedule, which is no operator. */
  z.strictObject({ action: z.literal('measure-status'), operator: z.optional(operator) }),
  z.strictObject({ action: z.literal('status'), operator }),
  z.strictObject({ action: z.literal('open-incident'), operator, incident: newIncident, dryRun }),
  z.strictObject({
    action: z.literal('change-incident'),
    operator,
    incidentId,
    change: incidentChange,
    dryRun,
  }),
]);
export type OperationsRequest = z.infer<typeof operationsRequest>;
export type OperationsAction = OperationsRequest['action'];

/** The result of each action. A dry run returns the same result without writing anything. */
export interface OperationsResults {
  readonly queue: { readonly items: readonly QueueItem[] };
  readonly applications: { readonly applications: readonly ApplicationSummary[] };
  readonly application: OperatorApplicationView;
  readonly 'decide-application': OperatorApplicationView;
  readonly accounts: { readonly accounts: readonly AccountView[]; readonly next?: string };
  readonly account: OperatorAccountView;
  readonly 'decide-account': OperatorAccountView;
  readonly 'publish-test-members': { readonly published: number };
  readonly operators: { readonly operators: readonly OperatorView[] };
  /** `made` holds the new password, which is returned only here; absent for a dry run. */
  readonly 'create-operator': { readonly email: string; readonly made?: NewOperatorAccess };
  readonly 'remove-operator': OperatorView;
  readonly 'reset-authenticator': OperatorView;
  /** `counted`: whether the measurement is the first of its five minutes. */
  readonly 'measure-status': {
    readonly answered: number;
    readonly failed: number;
    readonly counted: boolean;
  };
  readonly status: StatusView;
  readonly 'open-incident': IncidentView;
  readonly 'change-incident': IncidentView;
}

/** An incident as an operator wrote it. */
export interface IncidentView {
  readonly id: string;
  readonly severity: IncidentSeverity;
  readonly title: string;
  readonly startsAt: string;
  readonly endsAt?: string | undefined;
  readonly resolvedAt?: string | undefined;
  readonly updates: readonly { readonly at: string; readonly text: string; readonly by: string }[];
}

export interface OperatorView {
  readonly operatorId: string;
  readonly name: string;
  readonly email: string;
  /** Absent for an operator who was made directly in the user pool and has not signed in yet. */
  readonly state?: AccountState;
  /** Time since which sign-ins use codes of an authenticator app, ISO 8601. */
  readonly authenticatorSince?: string;
}

export interface NewOperatorAccess {
  readonly operatorId: string;
  readonly password: string;
}

/** A problem of the portal's API without its HTTP members. */
export interface OperationsProblem
  extends Pick<ProblemDetails, 'errors' | 'state' | 'allowed' | 'current' | 'changed' | 'limit' | 'checks'> {
  readonly code: ProblemCode;
  readonly title: string;
  readonly detail: string;
}

export type OperationsAnswer<Action extends OperationsAction = OperationsAction> =
  | { readonly kind: 'result'; readonly result: OperationsResults[Action] }
  | { readonly kind: 'problem'; readonly problem: OperationsProblem };
