import { attestation, termsOfUse } from '../../lambdas/portal/catalog/agreements.ts';
import type { PortalRoute, PortalRouteName } from '../../lambdas/portal/catalog/portal-routes.ts';
import { individual, password, person } from '../portal/accounts/portal-world.ts';
import { configuration } from '../portal/applications/configurations.ts';

/** The roles that call the portal, a valid body for each route, and the expected answer of each route to each role. */

/** Roles of callers. Only `owner` and `operator` may access the owner's resources. */
export const roles = [
  'anonymous',
  'unfinished',
  'unverified',
  'stranger',
  'removed',
  'locked',
  'suspended',
  'closed',
  'operator',
  'owner',
] as const;
export type Role = (typeof roles)[number];

/** IDs of the resources that the owner has. */
export interface Owned {
  readonly applicationId: string;
  readonly draftId: string;
  readonly invitationId: string;
  readonly accountId: string;
}

/** A job of the owner's application. */
export const aJobId = '11111111-2222-4333-8444-555555555555';

export function pathOf({ path }: PortalRoute, owned: Owned): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String({ environment: 'sandbox', lob: 'DSNP', jobId: aJobId, ...owned }[name]),
  );
}

const newPassword = 'quiet orchard of seven kites';
const version = { version: 1 };
const edit = { ...version, configuration: configuration({ applicationName: 'Taken over' }) };
const secret = { password: newPassword, passwordConfirmation: newPassword };
const stop = { requestId: 'stop-of-the-matrix', createdAt: '2026-01-01T00:00:00.000Z' };
const rotation = { requestId: 'rotation-of-the-matrix', overlapSeconds: 0 };
const code = { code: '000000' };

/** A valid body for each route, so that no call is refused for its body. */
export const bodies: Partial<Record<PortalRouteName, () => object>> = {
  signUp: individual,
  verifyEmail: () => code,
  verifyPhone: () => code,
  acceptTerms: () => ({ version: termsOfUse.version, scrolledToEnd: true, accepted: true }),
  updateAccount: () => ({ firstName: 'Eve', lastName: 'Elsewhere' }),
  changeEmail: () => ({ email: 'eve@example.org', password: 'not the password' }),
  confirmEmail: () => code,
  changePhone: () => ({ phone: '202-555-0123', password: 'not the password' }),
  confirmPhone: () => code,
  changePassword: () => ({ presentPassword: 'not the password', ...secret }),
  closeAccount: () => ({ password: 'not the password' }),
  beginAuthenticator: () => ({ password: 'not the password' }),
  confirmAuthenticator: () => ({ enrollment: `9999999999.${'x'.repeat(22)}`, ...code }),
  signIn: () => ({ identifier: 'nobody@example.org', password, botCheck: person() }),
  signInCode: () => code,
  passwordAgain: () => ({ password: 'not the password' }),
  requestPasswordReset: () => ({ email: 'nobody@example.org', botCheck: person() }),
  resetPassword: () => ({ email: 'nobody@example.org', ...code, ...secret }),
  invite: () => ({ email: 'eve@example.org' }),
  acceptInvitation: () => ({ invitation: 'x'.repeat(43) }),
  showInvitation: () => ({ invitation: 'x'.repeat(43) }),
  changeTeamRole: () => ({ role: 'member' }),
  registerApplication: () => ({ configuration: {} }),
  updateSandbox: () => edit,
  promote: () => version,
  updateProduction: () => edit,
  submit: () => version,
  recall: () => version,
  appeal: () => ({ ...version, words: 'Please.' }),
  withdraw: () => version,
  proposeChange: () => edit,
  submitChange: () => version,
  attest: () => ({ ...version, textVersion: attestation.version, scrolledToEnd: true, accepted: true }),
  credentials: () => ({ password }),
  rotateSecret: () => rotation,
  rotateKey: () => rotation,
  stopSecret: () => stop,
  stopKey: () => stop,
  saveDraft: () => ({ screen: 'contact', values: { description: 'Taken over' } }),
  decideApplication: () => ({ act: 'suspend', ...version, reason: 'A test.' }),
  verifyOrganization: () => ({ npi: '1234567893' }),
  decideAccount: () => ({ act: 'resume', version: 999 }),
};

/** The expected answer of a route to a role. A resource of another team is `not_found`. */
type Verdict = 'open' | 'signed_out' | 'not_found' | 'account_state' | 'account_locked';

/** Routes that are closed to operators: their addresses and accounts are managed in the user pool. */
const notOfOperators: readonly string[] = ['/api/account/email', '/api/account/close'];
/** Routes of an operator's second factor. */
const ofOperators = /^\/api\/account\/authenticator/;
/** Routes of the caller's own account and session, which operators have as well. */
const ofOneself = /^\/api\/(account|sessions?)(\/|$)/;
/** Parameters of a path that belong to a team. A draft belongs to a person: the same path leads another person to a draft of their own. */
const ofATeam = /\{(applicationId|invitationId|accountId)\}/;

export function verdict(route: PortalRoute, role: Role): Verdict {
  const { access, path } = route;
  if (access === 'public') return 'open';
  if (role === 'anonymous' || role === 'suspended' || role === 'closed') return 'signed_out';
  if (role === 'operator') {
    if (notOfOperators.includes(path)) return 'not_found';
    return access === 'operator' || ofOneself.test(path) ? 'open' : 'not_found';
  }
  if (access === 'operator' || ofOperators.test(path)) return 'not_found';
  if (access === 'pending') return 'open';
  if (role === 'locked') return 'account_locked';
  if (role === 'unfinished' || role === 'unverified') return 'account_state';
  const isOthers = role === 'stranger' || role === 'removed';
  return isOthers && ofATeam.test(path) ? 'not_found' : 'open';
}

const refusals: readonly string[] = ['signed_out', 'not_found', 'account_locked', 'account_suspended'];

/** @returns the difference between an answer and the expected one; undefined if there is none. */
export function complaint(
  expected: Verdict,
  route: PortalRoute,
  code: string | undefined,
): string | undefined {
  if (expected !== 'open') return code === expected ? undefined : `${code ?? 'good'} instead of ${expected}`;
  // Access was granted, and the act is refused because of the account's own state.
  const isRefused = code !== undefined && refusals.includes(code);
  const mayBeState = route.access === 'pending' || route.access === 'public';
  if (isRefused && !(route.access === 'public' && code === 'signed_out'))
    return `${code} although it is open`;
  return code === 'account_state' && !mayBeState ? 'account_state although it is open' : undefined;
}
