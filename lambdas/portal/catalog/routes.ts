/**
 * Every route of the portal's API, under the portal's own host. The stacks send a path's first segment to its function, the
 * functions route by this table, the browser's client and the OpenAPI document are made of it.
 */

/** Functions of the portal that serve HTTP, and the path prefixes each of them has. */
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
 * The callers of a route: `public` anybody; `pending` a session of an account that isn't finished, or of any other; `developer` a
 * session of an active account; `operator` a session of an operator.
 */
export type PortalAccess = 'public' | 'pending' | 'developer' | 'operator';

export interface PortalRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{name}` stands for one segment. */
  readonly path: string;
  readonly access: PortalAccess;
  readonly function: PortalFunction;
  /** One sentence for the documentation. */
  readonly summary: string;
}

type Method = PortalRoute['method'];
// Generic, so that each route's type is its very method and path: the browser's client is typed by them.
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
  // Accounts
  botCheck: accounts(
    'GET',
    '/bot-check',
    'public',
    'A new bot check: which one, and its challenge or site key',
  ),
  signUp: accounts(
    'POST',
    '/accounts',
    'public',
    'Sign up; the answer begins a session and a code goes out by e-mail',
  ),
  verifyEmail: accounts('POST', '/account/email-code', 'pending', 'The code that came by e-mail at sign-up'),
  resendEmailCode: accounts('POST', '/account/email-code/resend', 'pending', 'Another code by e-mail'),
  verifyPhone: accounts(
    'POST',
    '/account/phone-code',
    'pending',
    'The code that came by text message at sign-up',
  ),
  resendPhoneCode: accounts('POST', '/account/phone-code/resend', 'pending', 'Another code by text message'),
  acceptTerms: accounts('POST', '/account/terms', 'pending', 'Accept the Terms of Use'),
  account: accounts('GET', '/account', 'pending', 'The account: who, its state and the next step'),
  updateAccount: accounts('PATCH', '/account', 'developer', 'Change names'),
  changeEmail: accounts(
    'POST',
    '/account/email',
    'developer',
    'Begin a change of e-mail address; a code goes to the new one',
  ),
  confirmEmail: accounts(
    'POST',
    '/account/email/confirm',
    'developer',
    'The code that came to the new e-mail address',
  ),
  changePhone: accounts(
    'POST',
    '/account/phone',
    'developer',
    'Begin a change of phone; a code goes to the new one',
  ),
  confirmPhone: accounts(
    'POST',
    '/account/phone/confirm',
    'developer',
    'The code that came to the new phone',
  ),
  changePassword: accounts(
    'POST',
    '/account/password',
    'developer',
    'Change the password; every other session ends',
  ),
  beginAuthenticator: accounts(
    'POST',
    '/account/authenticator',
    'pending',
    'A key for an operator’s authenticator app; needs the password',
  ),
  confirmAuthenticator: accounts(
    'POST',
    '/account/authenticator/confirm',
    'pending',
    'The first code of the authenticator app: from then on it is asked for at sign-in',
  ),
  closeAccount: accounts('POST', '/account/close', 'pending', 'Close the account'),
  signIn: accounts('POST', '/session', 'public', 'Sign in; a code may be asked for'),
  signInCode: accounts('POST', '/session/code', 'public', 'The code a sign-in asked for'),
  resendSignInCode: accounts('POST', '/session/code/resend', 'public', 'Another code for the sign-in'),
  signOut: accounts('DELETE', '/session', 'public', 'Sign out'),
  signOutEverywhere: accounts('DELETE', '/sessions', 'pending', 'End every session of the account'),
  passwordAgain: accounts(
    'POST',
    '/session/password',
    'developer',
    'The password once more, before secrets are shown',
  ),
  requestPasswordReset: accounts('POST', '/password-reset', 'public', 'A code to set a new password by'),
  resetPassword: accounts('POST', '/password-reset/confirm', 'public', 'Set a new password by the code'),
  team: accounts('GET', '/team', 'developer', 'The team: members and open invitations'),
  invite: accounts('POST', '/team/invitations', 'developer', 'Invite somebody by e-mail; for owners'),
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
    'Who invites to which team, by what the link in the mail carries',
  ),
  acceptInvitation: accounts('POST', '/team/invitations/accept', 'developer', 'Join the team that invited'),
  changeTeamRole: accounts(
    'PUT',
    '/team/members/{accountId}',
    'developer',
    'Make somebody an owner or a member of the team; for owners',
  ),
  removeTeamMember: accounts(
    'DELETE',
    '/team/members/{accountId}',
    'developer',
    'Remove somebody from the team, for owners; or leave it',
  ),
  // Applications
  applications: applications('GET', '/applications', 'developer', 'The team’s applications'),
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
    'An application with its timeline',
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
  recall: applications('POST', '/applications/{applicationId}/recall', 'developer', 'Take a submission back'),
  appeal: applications('POST', '/applications/{applicationId}/appeal', 'developer', 'Appeal a rejection'),
  withdraw: applications(
    'POST',
    '/applications/{applicationId}/withdraw',
    'developer',
    'End the application in both environments',
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
    'Drop the change',
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
    'View Credentials; needs the password',
  ),
  rotateSecret: applications(
    'POST',
    '/applications/{applicationId}/credentials/{environment}/rotate-secret',
    'developer',
    'A new client secret; the old one works on for the chosen time',
  ),
  rotateKey: applications(
    'POST',
    '/applications/{applicationId}/credentials/{environment}/rotate-key',
    'developer',
    'A new subscription key; the old one works on for the chosen time',
  ),
  stopSecret: applications(
    'POST',
    '/applications/{applicationId}/credentials/{environment}/stop-secret',
    'developer',
    'End the older of two client secrets now',
  ),
  stopKey: applications(
    'POST',
    '/applications/{applicationId}/credentials/{environment}/stop-key',
    'developer',
    'End the older of two subscription keys now',
  ),
  calls: applications(
    'GET',
    '/applications/{applicationId}/calls/{environment}',
    'developer',
    'The log of calls',
  ),
  usage: applications(
    'GET',
    '/applications/{applicationId}/usage/{environment}',
    'developer',
    'Calls of each day against the quota',
  ),
  drafts: applications('GET', '/drafts', 'developer', 'Registrations begun and not finished'),
  saveDraft: applications('PUT', '/drafts/{draftId}', 'developer', 'Keep a registration as far as it is'),
  deleteDraft: applications('DELETE', '/drafts/{draftId}', 'developer', 'Drop a draft'),
  testMembers: applications(
    'GET',
    '/sandbox/members',
    'developer',
    'The sandbox’s test members and their credentials',
  ),
  addresses: applications('GET', '/sandbox/addresses', 'public', 'Where each environment is reached'),
  status: applications('GET', '/status', 'public', 'Whether each environment answers'),
  // Operations
  queue: operations('GET', '/queue', 'What awaits a decision, oldest first'),
  operatorApplications: operations('GET', '/applications', 'Applications by state'),
  operatorApplication: operations('GET', '/applications/{applicationId}', 'Everything a decision needs'),
  decideApplication: operations(
    'POST',
    '/applications/{applicationId}/decisions',
    'Approve, request changes, reject, suspend, resume or revoke',
  ),
  operatorAccounts: operations('GET', '/accounts', 'Accounts by state'),
  operatorAccount: operations('GET', '/accounts/{accountId}', 'An account as it was given at sign-up'),
  decideAccount: operations(
    'POST',
    '/accounts/{accountId}/decisions',
    'Verify, refuse, suspend or resume an account',
  ),
  resetAuthenticator: operations(
    'DELETE',
    '/accounts/{accountId}/authenticator',
    'Reset another operator’s authenticator app; its sessions end',
  ),
} as const satisfies Readonly<Record<string, PortalRoute>>;

export type PortalRouteName = keyof typeof portalRoutes;

/** The names of a function's routes. */
export type RoutesOf<Function extends PortalFunction> = {
  [Name in PortalRouteName]: (typeof portalRoutes)[Name]['function'] extends Function ? Name : never;
}[PortalRouteName];
