/**
 * Every route of the portal's API, on the portal's own host. The stacks route path prefixes to functions, the functions route requests, and
 * the browser's client and the OpenAPI document are made by this table.
 */

/** The portal's functions that serve HTTP, each with its path prefixes. */
export const portalFunctions = {
  'portal-accounts': [
    '/api/bot-check',
    '/api/accounts',
    '/api/account',
    '/api/session',
    '/api/sessions',
    '/api/password-reset',
    '/api/team',
  ],
  'portal-applications': ['/api/applications', '/api/drafts', '/api/sandbox', '/api/status'],
  'portal-operations': ['/api/operations'],
} as const;
export type PortalFunction = keyof typeof portalFunctions;

/**
 * The callers that a route accepts. `public`: anybody; `pending`: any session, even of an account whose sign-up is not complete;
 * `developer`: a session of an active account; `operator`: a session of an operator.
 */
export type PortalAccess = 'public' | 'pending' | 'developer' | 'operator';

export interface PortalRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path template; `{name}` stands for one segment. */
  readonly path: string;
  readonly access: PortalAccess;
  readonly function: PortalFunction;
  /** One sentence for the documentation. */
  readonly summary: string;
}

type Method = PortalRoute['method'];
// Generic, so that each route's type has its literal method and path, by which the browser's client is typed.
const accounts = <M extends Method, P extends string>(
  method: M,
  path: P,
  access: PortalAccess,
  summary: string,
) => ({ method, path: `/api${path}`, access, function: 'portal-accounts', summary }) as const;
const applications = <M extends Method, P extends string>(
  method: M,
  path: P,
  access: PortalAccess,
  summary: string,
) => ({ method, path: `/api${path}`, access, function: 'portal-applications', summary }) as const;
const operations = <M extends Method, P extends string>(method: M, path: P, summary: string) =>
  ({
    method,
    path: `/api/operations${path}`,
    access: 'operator',
    function: 'portal-operations',
    summary,
  }) as const;

export const portalRoutes = {
  // Routes of accounts, sessions and teams.
  botCheck: accounts('GET', '/bot-check', 'public', 'Get a bot check with its challenge or site key'),
  signUp: accounts('POST', '/accounts', 'public', 'Sign up, start a session and send a code by e-mail'),
  verifyEmail: accounts('POST', '/account/email-code', 'pending', 'Confirm the sign-up code sent by e-mail'),
  resendEmailCode: accounts('POST', '/account/email-code/resend', 'pending', 'Send a new code by e-mail'),
  verifyPhone: accounts(
    'POST',
    '/account/phone-code',
    'pending',
    'Confirm the sign-up code sent by text message',
  ),
  resendPhoneCode: accounts(
    'POST',
    '/account/phone-code/resend',
    'pending',
    'Send a new code by text message',
  ),
  acceptTerms: accounts('POST', '/account/terms', 'pending', 'Accept the Terms of Use'),
  account: accounts('GET', '/account', 'pending', 'Get the account, its state and its next step'),
  updateAccount: accounts('PATCH', '/account', 'developer', 'Change the name'),
  changeEmail: accounts(
    'POST',
    '/account/email',
    'developer',
    'Start a change of e-mail address and send a code to the new address',
  ),
  confirmEmail: accounts(
    'POST',
    '/account/email/confirm',
    'developer',
    'Confirm the new e-mail address with the code',
  ),
  changePhone: accounts(
    'POST',
    '/account/phone',
    'pending',
    'Start a change of phone number and send a code to the new number',
  ),
  confirmPhone: accounts(
    'POST',
    '/account/phone/confirm',
    'pending',
    'Confirm the new phone number with the code',
  ),
  changePassword: accounts(
    'POST',
    '/account/password',
    'developer',
    'Change the password and end all other sessions',
  ),
  beginAuthenticator: accounts(
    'POST',
    '/account/authenticator',
    'pending',
    'Create a key for an operator’s authenticator app (requires the password)',
  ),
  confirmAuthenticator: accounts(
    'POST',
    '/account/authenticator/confirm',
    'pending',
    'Confirm the authenticator app with its first code',
  ),
  closeAccount: accounts('POST', '/account/close', 'pending', 'Close the account'),
  signIn: accounts('POST', '/session', 'public', 'Sign in'),
  signInCode: accounts('POST', '/session/code', 'public', 'Confirm the sign-in code'),
  resendSignInCode: accounts('POST', '/session/code/resend', 'public', 'Send a new sign-in code'),
  signOut: accounts('DELETE', '/session', 'public', 'Sign out'),
  signOutEverywhere: accounts('DELETE', '/sessions', 'pending', 'End all sessions of the account'),
  passwordAgain: accounts(
    'POST',
    '/session/password',
    'developer',
    'Confirm the password before secrets are shown',
  ),
  requestPasswordReset: accounts('POST', '/password-reset', 'public', 'Send a code to set a new password'),
  resetPassword: accounts('POST', '/password-reset/confirm', 'public', 'Set a new password with the code'),
  team: accounts('GET', '/team', 'developer', 'List team members and open invitations'),
  invite: accounts('POST', '/team/invitations', 'developer', 'Invite a person by e-mail (owners only)'),
  withdrawInvitation: accounts(
    'DELETE',
    '/team/invitations/{invitationId}',
    'developer',
    'Withdraw an invitation',
  ),
  showInvitation: accounts(
    'POST',
    '/team/invitations/show',
    'public',
    'Get the team and the sender of an invitation',
  ),
  acceptInvitation: accounts(
    'POST',
    '/team/invitations/accept',
    'developer',
    'Accept an invitation and join the team',
  ),
  changeTeamRole: accounts(
    'PUT',
    '/team/members/{accountId}',
    'developer',
    'Change a team member’s role (owners only)',
  ),
  removeTeamMember: accounts(
    'DELETE',
    '/team/members/{accountId}',
    'developer',
    'Remove a team member (owners only) or leave the team',
  ),
  // Routes of applications, drafts, the sandbox and the status.
  applications: applications('GET', '/applications', 'developer', 'List the team’s applications'),
  registerApplication: applications(
    'POST',
    '/applications',
    'developer',
    'Register an application in the sandbox',
  ),
  application: applications(
    'GET',
    '/applications/{applicationId}',
    'developer',
    'Get an application with its timeline',
  ),
  updateSandbox: applications(
    'PUT',
    '/applications/{applicationId}/sandbox',
    'developer',
    'Change the sandbox values',
  ),
  promote: applications(
    'POST',
    '/applications/{applicationId}/promote',
    'developer',
    'Promote to production',
  ),
  updateProduction: applications(
    'PUT',
    '/applications/{applicationId}/production',
    'developer',
    'Change the production values before approval',
  ),
  preflight: applications(
    'POST',
    '/applications/{applicationId}/preflight',
    'developer',
    'Run the checks a submission needs',
  ),
  submit: applications('POST', '/applications/{applicationId}/submit', 'developer', 'Submit for approval'),
  recall: applications('POST', '/applications/{applicationId}/recall', 'developer', 'Recall a submission'),
  appeal: applications('POST', '/applications/{applicationId}/appeal', 'developer', 'Appeal a rejection'),
  withdraw: applications(
    'POST',
    '/applications/{applicationId}/withdraw',
    'developer',
    'Withdraw the application from both environments',
  ),
  proposeChange: applications(
    'PUT',
    '/applications/{applicationId}/change',
    'developer',
    'Propose a change to an approved application',
  ),
  submitChange: applications(
    'POST',
    '/applications/{applicationId}/change/submit',
    'developer',
    'Submit the change for approval',
  ),
  discardChange: applications(
    'DELETE',
    '/applications/{applicationId}/change',
    'developer',
    'Discard the change',
  ),
  attest: applications(
    'POST',
    '/applications/{applicationId}/attestation',
    'developer',
    'Attest how the application handles member data',
  ),
  credentials: applications(
    'POST',
    '/applications/{applicationId}/credentials/{environment}',
    'developer',
    'View credentials (requires the password)',
  ),
  rotateSecret: applications(
    'POST',
    '/applications/{applicationId}/credentials/{environment}/rotate-secret',
    'developer',
    'Rotate the client secret; the old secret stays valid for the chosen time',
  ),
  rotateKey: applications(
    'POST',
    '/applications/{applicationId}/credentials/{environment}/rotate-key',
    'developer',
    'Rotate the subscription key; the old key stays valid for the chosen time',
  ),
  stopSecret: applications(
    'POST',
    '/applications/{applicationId}/credentials/{environment}/stop-secret',
    'developer',
    'Stop the older of two client secrets',
  ),
  stopKey: applications(
    'POST',
    '/applications/{applicationId}/credentials/{environment}/stop-key',
    'developer',
    'Stop the older of two subscription keys',
  ),
  calls: applications('GET', '/applications/{applicationId}/calls/{environment}', 'developer', 'List calls'),
  usage: applications(
    'GET',
    '/applications/{applicationId}/usage/{environment}',
    'developer',
    'Get calls per day and the quota',
  ),
  drafts: applications('GET', '/drafts', 'developer', 'List registration drafts'),
  saveDraft: applications('PUT', '/drafts/{draftId}', 'developer', 'Save a registration draft'),
  deleteDraft: applications('DELETE', '/drafts/{draftId}', 'developer', 'Delete a draft'),
  testMembers: applications(
    'GET',
    '/sandbox/members',
    'developer',
    'List the sandbox test members and their credentials',
  ),
  addresses: applications('GET', '/sandbox/addresses', 'public', 'List the hosts of each environment'),
  status: applications('GET', '/status', 'public', 'Get the status of each environment'),
  // Routes of the operators' console.
  queue: operations('GET', '/queue', 'List pending decisions, oldest first'),
  ownActs: operations('GET', '/acts', 'List your own acts as an operator, newest first'),
  operatorApplications: operations('GET', '/applications', 'List applications by state'),
  operatorApplication: operations(
    'GET',
    '/applications/{applicationId}',
    'Get an application for a decision',
  ),
  decideApplication: operations(
    'POST',
    '/applications/{applicationId}/decisions',
    'Approve, request changes, reject, suspend, reinstate or revoke',
  ),
  verifiedOrganization: operations(
    'GET',
    '/applications/{applicationId}/organization',
    'Get the verified identifiers of an application’s organization, by environment',
  ),
  verifyOrganization: operations(
    'PUT',
    '/applications/{applicationId}/organization/{environment}',
    'Set the verified identifiers of an application’s organization in an environment',
  ),
  operatorAccounts: operations('GET', '/accounts', 'List accounts by state'),
  operatorAccount: operations('GET', '/accounts/{accountId}', 'Get an account'),
  decideAccount: operations(
    'POST',
    '/accounts/{accountId}/decisions',
    'Verify, refuse, suspend or reinstate an account',
  ),
  operatorJobs: operations(
    'GET',
    '/jobs/{environment}/{lob}',
    'List the asynchronous jobs of a line of business in an environment, newest first',
  ),
  operatorJob: operations(
    'GET',
    '/jobs/{environment}/{lob}/{jobId}',
    'Get an asynchronous job with its parts and files',
  ),
  cancelJob: operations(
    'DELETE',
    '/jobs/{environment}/{lob}/{jobId}',
    'Cancel an asynchronous job, or remove the files of one that has ended',
  ),
  directoriesToFix: operations(
    'GET',
    '/directories/{environment}',
    'List what is to fix in the provider directories of an environment, by line of business',
  ),
  directoryFindings: operations(
    'GET',
    '/directories/{environment}/{lob}/findings',
    'Get the address of all findings in a provider directory as CSV',
  ),
  resetAuthenticator: operations(
    'DELETE',
    '/accounts/{accountId}/authenticator',
    'Reset another operator’s authenticator app and end the operator’s sessions',
  ),
} as const satisfies Readonly<Record<string, PortalRoute>>;

export type PortalRouteName = keyof typeof portalRoutes;

/** The names of a function's routes. */
export type RoutesOf<Function extends PortalFunction> = {
  [Name in PortalRouteName]: (typeof portalRoutes)[Name]['function'] extends Function ? Name : never;
}[PortalRouteName];
