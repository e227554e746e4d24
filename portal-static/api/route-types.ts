/** Types of the portal API's routes for the pages: path, request and response of each. */

import type { DirectoriesToFixView, FindingsFileView } from '../../lambdas/portal/api/directory-views.ts';
import type { JobDetailView, JobListView } from '../../lambdas/portal/api/job-views.ts';
import type {
  OperatorAccountView,
  OperatorActsView,
  OperatorApplicationView,
  QueueItem,
  VerifiedOrganizationView,
} from '../../lambdas/portal/api/operator-views.ts';
import type { StatusView } from '../../lambdas/portal/api/status-view.ts';
import type {
  AccountView,
  AddressesView,
  ApplicationSummary,
  ApplicationView,
  AuthenticatorView,
  BotCheckView,
  CallsView,
  CredentialsView,
  DraftView,
  InvitationView,
  PreflightCheck,
  RotationView,
  SignInView,
  TeamView,
  TestMemberView,
  UsageView,
} from '../../lambdas/portal/api/views.ts';
import type { PortalRouteName, portalRoutes } from '../../lambdas/portal/catalog/portal-routes.ts';

/**
 * The routes as types only. A call is written `POST /api/session`, and is a type error if the table has no such route. The table itself is
 * not sent to the browser.
 */
type Routes = typeof portalRoutes;
export type RouteKey = {
  [N in PortalRouteName]: `${Routes[N]['method']} ${Routes[N]['path']}`;
}[PortalRouteName];

export type RouteNameOf<K extends RouteKey> = {
  [N in PortalRouteName]: K extends `${Routes[N]['method']} ${Routes[N]['path']}` ? N : never;
}[PortalRouteName];

/** The names of the `{parameters}` in a path. */
export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

/** The response body of each route. Pages cannot read the body of a route that is not listed. */
interface Answers {
  readonly botCheck: BotCheckView;
  readonly signUp: AccountView;
  readonly account: AccountView;
  readonly updateAccount: AccountView;
  readonly beginAuthenticator: AuthenticatorView;
  readonly confirmAuthenticator: AccountView;
  readonly signIn: SignInView;
  readonly signInCode: SignInView;
  readonly team: TeamView;
  readonly showInvitation: InvitationView;
  readonly changeTeamRole: TeamView;
  readonly applications: { readonly applications: readonly ApplicationSummary[] };
  readonly registerApplication: ApplicationView;
  readonly application: ApplicationView;
  readonly updateSandbox: ApplicationView;
  readonly promote: ApplicationView;
  readonly updateProduction: ApplicationView;
  readonly preflight: { readonly checks: readonly PreflightCheck[] };
  readonly submit: ApplicationView;
  readonly recall: ApplicationView;
  readonly appeal: ApplicationView;
  readonly withdraw: ApplicationView;
  readonly proposeChange: ApplicationView;
  readonly submitChange: ApplicationView;
  readonly discardChange: ApplicationView;
  readonly attest: ApplicationView;
  readonly credentials: CredentialsView;
  readonly rotateSecret: RotationView;
  readonly rotateKey: RotationView;
  readonly calls: CallsView;
  readonly usage: UsageView;
  readonly drafts: { readonly drafts: readonly DraftView[] };
  readonly saveDraft: DraftView;
  readonly testMembers: { readonly members: readonly TestMemberView[] };
  readonly addresses: AddressesView;
  readonly status: StatusView;
  readonly queue: { readonly items: readonly QueueItem[] };
  readonly ownActs: OperatorActsView;
  readonly operatorApplications: { readonly applications: readonly ApplicationSummary[] };
  readonly operatorApplication: OperatorApplicationView;
  readonly decideApplication: OperatorApplicationView;
  readonly verifiedOrganization: VerifiedOrganizationView;
  readonly verifyOrganization: VerifiedOrganizationView;
  readonly operatorAccounts: { readonly accounts: readonly AccountView[] };
  readonly operatorAccount: OperatorAccountView;
  readonly decideAccount: OperatorAccountView;
  readonly resetAuthenticator: OperatorAccountView;
  readonly operatorJobs: JobListView;
  readonly operatorJob: JobDetailView;
  readonly cancelJob: JobDetailView;
  readonly directoriesToFix: DirectoriesToFixView;
  readonly directoryFindings: FindingsFileView;
}

export type AnswerOf<K extends RouteKey> =
  RouteNameOf<K> extends keyof Answers ? Answers[RouteNameOf<K>] : unknown;
