/** State machines of grants, interactions, activations, codes, SSO sessions and refresh tokens. */

import type { Transition } from '../../platform/kernel/transition.ts';
import type { Activation } from '../activation/activation.ts';
import type { AuthorizationCode, Interaction } from '../authorize/interaction.ts';
import type { SsoSession } from '../authorize/sso-session.ts';
import type { RefreshFamily } from '../token/refresh-token-family.ts';

/**
 * The state machines of the authorization server. The store's conditions are made from these tables
 * (`lambdas/platform/table/transition.ts`), docs/states.md draws them, and the tests walk them, so no other transition is possible. Those
 * of a client are in `lambdas/clients/provisioning/transitions.ts`.
 */

/** State of a stored grant; only an `active` one gives access. */
export type GrantState = 'pending' | 'active' | 'revoked';

/** Transitions of an interaction (a sign-in and consent in progress). Each also requires that the interaction has not expired. */
export const interactionTransitions = {
  'send-to-provider': { from: ['signing-in'], to: 'signing-in' },
  'refuse-provider': { from: ['signing-in'], to: 'signing-in' },
  'sign-in': { from: ['signing-in'], to: 'consenting' },
  'ask-code': { from: ['signing-in'], to: 'verifying' },
  'ask-code-again': { from: ['verifying'], to: 'verifying' },
  'wrong-code': { from: ['verifying'], to: 'verifying' },
  'right-code': { from: ['verifying'], to: 'consenting' },
  'ask-patient': { from: ['signing-in', 'verifying'], to: 'choosing' },
  'choose-patient': { from: ['choosing'], to: 'consenting' },
  visit: { from: ['signing-in', 'verifying'], to: 'answered' },
  'other-member': { from: ['signing-in'], to: 'answered' },
  'switch-account': { from: ['consenting'], to: 'answered' },
  share: { from: ['consenting'], to: 'answered' },
  decline: { from: ['consenting'], to: 'answered' },
} as const satisfies Readonly<Record<string, Transition<Interaction['state']>>>;

/** Transitions of the activation of an account. Each also requires that the step belongs to the latest request for a code. */
export const activationTransitions = {
  'ask-again': { from: ['asked'], to: 'asked' },
  match: { from: ['asked'], to: 'asked' },
  'wrong-code': { from: ['asked'], to: 'asked' },
  'right-code': { from: ['asked'], to: 'proven' },
  complete: { from: ['proven'], to: 'done' },
} as const satisfies Readonly<Record<string, Transition<Activation['state']>>>;

/**
 * Transitions of an SSO session. `use` also requires that the session has not expired; it is a condition of other writes and changes
 * nothing in the session.
 */
export const ssoSessionTransitions = {
  use: { from: ['open'], to: 'open' },
  end: { from: ['open'], to: 'ended' },
} as const satisfies Readonly<Record<string, Transition<SsoSession['state']>>>;

/**
 * Transitions of an authorization code. `redeem` also requires that the code has not expired, and is in one transaction with the grant's
 * `redeem` or `renew`.
 */
export const authorizationCodeTransitions = {
  redeem: { from: ['issued'], to: 'redeemed' },
  end: { from: ['issued'], to: 'ended' },
} as const satisfies Readonly<Record<string, Transition<AuthorizationCode['state']>>>;

/** Transitions of the refresh token family of a grant. `rotate` also requires that neither the token nor the grant has expired. */
export const familyTransitions = {
  rotate: { from: ['active'], to: 'active' },
  end: { from: ['active'], to: 'revoked' },
} as const satisfies Readonly<Record<string, Transition<RefreshFamily['state']>>>;

/**
 * Transitions of a grant. `revoked` is in no `from`, so it is final. `renew` is the condition of another code of the same grant, when the
 * code is issued and when it is redeemed: it also requires that the grant has not expired, and does not extend the grant.
 */
export const grantTransitions = {
  redeem: { from: ['pending'], to: 'active' },
  renew: { from: ['active'], to: 'active' },
  end: { from: ['pending', 'active'], to: 'revoked' },
} as const satisfies Readonly<Record<string, Transition<GrantState>>>;
