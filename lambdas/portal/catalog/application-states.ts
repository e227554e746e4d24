import type { PortalTransition } from './account-states.ts';

/**
 * The lifecycle of an application in the portal: ONE table, enforced by the store's conditions, shown in the timeline, drawn
 * in docs/states.md and walked by the tests.
 *
 * Source of the first four edges: docs/service.md S4.1 to S4.4. The others are this service's own.
 */
export const applicationStates = {
  registered_in_sandbox: 'The application is registered in the sandbox. Its sandbox credentials work.',
  promoted_to_production:
    'The application is in the production category. The developer fills in its production values.',
  awaiting_operator_approval: 'The application is submitted. An operator decides.',
  approved: 'The application may call the production interfaces.',
  changes_requested: 'An operator requested changes. The developer can submit the application again.',
  rejected:
    'An operator rejected the application with a reason. The developer can submit it again or appeal.',
  suspended: 'The application cannot call production until an operator reinstates it.',
  revoked: 'The application can never call production again.',
  withdrawn: 'The developer withdrew the application.',
} as const;

export type ApplicationState = keyof typeof applicationStates;
export const applicationStateNames = Object.keys(applicationStates) as readonly ApplicationState[];

export const applicationTransitions = {
  register: { from: [], to: 'registered_in_sandbox', by: 'developer' },
  promote: {
    from: ['registered_in_sandbox'],
    to: 'promoted_to_production',
    by: 'developer',
    condition: 'a successful sandbox call for each product',
  },
  submit: {
    from: ['promoted_to_production', 'changes_requested', 'rejected'],
    to: 'awaiting_operator_approval',
    by: 'developer',
    condition: 'production values filled in, and no pre-flight check fails',
  },
  appeal: {
    from: ['rejected'],
    to: 'awaiting_operator_approval',
    by: 'developer',
    condition: 'once for each rejection, with a statement',
  },
  recall: { from: ['awaiting_operator_approval'], to: 'promoted_to_production', by: 'developer' },
  approve: { from: ['awaiting_operator_approval'], to: 'approved', by: 'operator' },
  request_changes: {
    from: ['awaiting_operator_approval'],
    to: 'changes_requested',
    by: 'operator',
    condition: 'with a criterion, a field and a reason',
  },
  reject: {
    from: ['awaiting_operator_approval'],
    to: 'rejected',
    by: 'operator',
    condition: 'with a criterion, a field and a reason',
  },
  suspend: { from: ['approved'], to: 'suspended', by: 'operator', condition: 'with a reason' },
  resume: { from: ['suspended'], to: 'approved', by: 'operator' },
  revoke: { from: ['approved', 'suspended'], to: 'revoked', by: 'operator', condition: 'with a reason' },
  withdraw: {
    from: [
      'registered_in_sandbox',
      'promoted_to_production',
      'awaiting_operator_approval',
      'approved',
      'changes_requested',
      'rejected',
    ],
    to: 'withdrawn',
    by: 'developer',
  },
} as const satisfies Readonly<Record<string, PortalTransition<ApplicationState>>>;

export type ApplicationAct = keyof typeof applicationTransitions;

/**
 * A change to an approved application: what was approved keeps running until the difference is approved too. The change is
 * part of an application that is `approved`; it ends (`none`) when it is approved or discarded.
 */
export const changeStates = {
  none: 'There is no change. The approved configuration runs.',
  draft: 'The developer edited the change and has not submitted it yet.',
  awaiting_operator_approval: 'The change is submitted. An operator decides.',
  changes_requested: 'An operator requested corrections to the change.',
  rejected: 'An operator rejected the change. The approved configuration keeps running.',
} as const;

export type ChangeState = keyof typeof changeStates;

export const changeTransitions = {
  propose_change: { from: ['none', 'draft', 'changes_requested', 'rejected'], to: 'draft', by: 'developer' },
  submit_change: { from: ['draft'], to: 'awaiting_operator_approval', by: 'developer' },
  discard_change: {
    from: ['draft', 'awaiting_operator_approval', 'changes_requested', 'rejected'],
    to: 'none',
    by: 'developer',
  },
  approve_change: { from: ['awaiting_operator_approval'], to: 'none', by: 'operator' },
  request_change_changes: { from: ['awaiting_operator_approval'], to: 'changes_requested', by: 'operator' },
  reject_change: { from: ['awaiting_operator_approval'], to: 'rejected', by: 'operator' },
} as const satisfies Readonly<Record<string, PortalTransition<ChangeState>>>;

export type ChangeAct = keyof typeof changeTransitions;

/**
 * The kinds of application a developer can register (the description leaves the values open). A kind decides how the
 * application can keep a secret (RFC 6749 section 2.1, OAuth 2.0 for Browser-Based Apps).
 */
export const applicationTypes = {
  web: { name: 'Web application with a server', confidential: true },
  'single-page': { name: 'Single-page application in the browser', confidential: false },
  native: { name: 'Mobile or desktop application', confidential: false },
  service: { name: 'Back-end service without a member present', confidential: true },
} as const;

export type ApplicationType = keyof typeof applicationTypes;
export const applicationTypeNames = Object.keys(applicationTypes) as readonly ApplicationType[];

/** RFC 7591 section 2 `response_types`; `none` for the client credentials grant, which has no authorization request. */
export const responseTypes = ['code', 'none'] as const;

interface DecisionCriterionRow {
  readonly name: string;
  readonly meaning: string;
  readonly mayReject: boolean;
  /** A text for the developer that an operator begins a reason with: what was found, and what to do. */
  readonly reason: string;
}

/**
 * The published list of criteria a decision against an application is taken from. An application may be kept out only for an
 * objective risk to the security of member data (45 CFR 156.221(e), 42 CFR 422.119(e)); the others ask for a correction.
 */
export const decisionCriteria = {
  'security-risk': {
    name: 'Risk to the security of member data',
    meaning:
      'Connecting the application would present an unacceptable level of risk to protected health information on our systems.',
    mayReject: true,
    reason:
      'Connecting this application would put the health information of members at risk. Close the risk, tell us how you did it in an appeal or a new submission, and we decide again.',
  },
  'malware-or-abuse': {
    name: 'Malware or abuse',
    meaning:
      'The application or one of its addresses is known to spread malware, to phish, or to misuse member data.',
    mayReject: true,
    reason:
      'The application, or one of its addresses, is on a public list of malware, phishing or abuse. Have the entry removed, and appeal or submit the application again.',
  },
  'identity-not-verified': {
    name: 'Identity not verified',
    meaning: 'The organization, its domain or its contacts could not be confirmed.',
    mayReject: true,
    reason:
      'We could not confirm your organization, its domain or its contacts. Use addresses and an e-mail address on your organization’s own domain, and submit the application again.',
  },
  'uri-not-reachable': {
    name: 'Address not reachable',
    meaning: 'One of the addresses does not answer over HTTPS, or answers with an error.',
    mayReject: false,
    reason:
      'We opened this address, and it did not answer over HTTPS or answered with an error. Publish the page so that it opens without signing in, and submit the application again.',
  },
  'privacy-policy': {
    name: 'Privacy policy',
    meaning:
      'The privacy policy is missing, is not about this application, or does not say how member data is used and shared.',
    mayReject: false,
    reason:
      'The privacy policy at this address does not say how this application uses and shares member data. Publish one that names the application, the data it uses, whom it shares them with and how a member ends that, and submit the application again.',
  },
  'terms-of-service': {
    name: 'Terms of service',
    meaning: 'The terms of service are missing, or are not about this application.',
    mayReject: false,
    reason:
      'The terms of service at this address are missing, or are about something else. Publish the terms of this application, and submit it again.',
  },
  'misleading-name': {
    name: 'Misleading name',
    meaning:
      'The name, display name or description could be mistaken for another application, the health plan or an agency.',
    mayReject: false,
    reason:
      'Members could mistake this name for another application, the health plan or an agency. Choose a name that is your own, and submit the application again.',
  },
  'support-contact': {
    name: 'Support contact',
    meaning:
      'The contact e-mail or the support phone number does not reach a person who is responsible for the application.',
    mayReject: false,
    reason:
      'We did not reach a person who is responsible for the application by this contact. Enter an e-mail address and a phone number that somebody answers, and submit the application again.',
  },
  'incomplete-information': {
    name: 'Missing or inconsistent information',
    meaning: 'Values are missing, contradict each other, or do not describe what the application does.',
    mayReject: false,
    reason:
      'This value is missing, contradicts another one, or does not describe what the application does. Correct it, and submit the application again.',
  },
} as const satisfies Readonly<Record<string, DecisionCriterionRow>>;

export type DecisionCriterion = keyof typeof decisionCriteria;
export const decisionCriterionNames = Object.keys(decisionCriteria) as readonly DecisionCriterion[];
