/**
 * The types of developer accounts and the table of their states. The store's conditions, the pages, docs/states.md and the tests are made
 * from the table, so a transition that is not in it does not exist.
 *
 * Source of the types: docs/service.md S2.1.
 */

/** `classic` is the older sign-up form (role, company and a US contact phone). */
export const developerTypes = {
  individual: { name: 'Individual Developer', organization: false },
  payer: { name: 'Developer from Payer Entity', organization: true },
  brokerage: { name: 'Developer from Brokerage Entity', organization: true },
  classic: { name: 'Older sign-up form', organization: false },
} as const;

export type DeveloperType = keyof typeof developerTypes;
export const developerTypeNames = Object.keys(developerTypes) as readonly DeveloperType[];

export const accountStates = {
  pending_email: 'The developer has not entered the e-mail code yet.',
  pending_phone: 'The developer has not entered the text message code yet.',
  pending_terms: 'The developer has not accepted the Terms of Use yet.',
  pending_verification: 'An operator is verifying the organization.',
  active: 'The developer can sign in and work.',
  locked: 'Too many incorrect passwords were entered. A new password unlocks the account.',
  suspended: 'An operator suspended the account.',
  closed: 'The account is closed.',
} as const;

/** The rights of each team role. */
export const teamRoles = {
  owner: 'Invites and removes people, and makes others owners.',
  member: 'Works on the team’s applications.',
} as const;
export type TeamRole = keyof typeof teamRoles;
export const teamRoleNames = Object.keys(teamRoles) as readonly TeamRole[];

export type AccountState = keyof typeof accountStates;
export const accountStateNames = Object.keys(accountStates) as readonly AccountState[];

export type PortalActor = 'developer' | 'operator' | 'service';

export interface PortalTransition<State extends string> {
  /** The states in which the act may begin; empty for the act that creates the account or application. */
  readonly from: readonly State[];
  readonly to: State;
  readonly by: PortalActor;
  /** A further condition, in words for the documentation. */
  readonly condition?: string;
}

const individual = 'an individual developer, or the older form';
const organization = 'a payer or brokerage entity';

export const accountTransitions = {
  sign_up: { from: [], to: 'pending_email', by: 'developer' },
  verify_email: { from: ['pending_email'], to: 'pending_phone', by: 'developer', condition: individual },
  verify_organization_email: {
    from: ['pending_email'],
    to: 'pending_terms',
    by: 'developer',
    condition: organization,
  },
  verify_phone: { from: ['pending_phone'], to: 'pending_terms', by: 'developer' },
  accept_terms: { from: ['pending_terms'], to: 'active', by: 'developer', condition: individual },
  accept_organization_terms: {
    from: ['pending_terms'],
    to: 'pending_verification',
    by: 'developer',
    condition: organization,
  },
  verify_organization: { from: ['pending_verification'], to: 'active', by: 'operator' },
  refuse_organization: {
    from: ['pending_verification'],
    to: 'closed',
    by: 'operator',
    condition: 'with a reason',
  },
  lock: { from: ['active'], to: 'locked', by: 'service', condition: 'after 20 incorrect passwords in a row' },
  unlock: { from: ['locked'], to: 'active', by: 'developer', condition: 'with a new password' },
  suspend: { from: ['active', 'locked'], to: 'suspended', by: 'operator', condition: 'with a reason' },
  resume: { from: ['suspended'], to: 'active', by: 'operator' },
  close: {
    from: ['pending_email', 'pending_phone', 'pending_terms', 'pending_verification', 'active'],
    to: 'closed',
    by: 'developer',
    condition: 'with the password',
  },
} as const satisfies Readonly<Record<string, PortalTransition<AccountState>>>;

export type AccountAct = keyof typeof accountTransitions;
