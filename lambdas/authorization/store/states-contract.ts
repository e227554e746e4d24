/** State machines of grants, interactions, activations and codes. */

import type { Transition } from '../../platform/kernel/transition.ts';
import type { Activation } from '../activation/activation.ts';
import type { AuthorizationCode, Interaction } from '../authorize/interaction.ts';
import type { SsoSession } from '../authorize/sso-session.ts';
import type { RefreshFamily } from '../token/refresh-token-family.ts';

/**
 * The state machines of this server. These tables are what the store's conditions are made of
 * (`lambdas/platform/table/transition.ts`), what docs/states.md draws, and what the tests walk: an edge that isn't here does not
 * exist. A client's own table is `lambdas/clients/provisioning/transitions.ts`.
 */

/** A grant as stored; only an `active` one gives access. */
export type GrantState = 'pending' | 'active' | 'revoked';

/** A sign-in and consent in progress. Every edge also needs that its time isn't over. */
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

/** The activation of an account, beside an interaction. Every edge also needs that the request for the code is the newest. */
export const activationTransitions = {
  'ask-again': { from: ['asked'], to: 'asked' },
  match: { from: ['asked'], to: 'asked' },
  'wrong-code': { from: ['asked'], to: 'asked' },
  'right-code': { from: ['asked'], to: 'proven' },
  complete: { from: ['proven'], to: 'done' },
} as const satisfies Readonly<Record<string, Transition<Activation['state']>>>;

/**
 * A sign-in a member keeps. `use` also needs that its time isn't over; it is a condition of what is done with it, and
 * writes nothing here.
 */
export const ssoSessionTransitions = {
  use: { from: ['open'], to: 'open' },
  end: { from: ['open'], to: 'ended' },
} as const satisfies Readonly<Record<string, Transition<SsoSession['state']>>>;

/** `redeem` also needs that the code's time isn't over, and is one transaction with the grant's `redeem` or `renew`. */
export const authorizationCodeTransitions = {
  redeem: { from: ['issued'], to: 'redeemed' },
  end: { from: ['issued'], to: 'ended' },
} as const satisfies Readonly<Record<string, Transition<AuthorizationCode['state']>>>;

/** The refresh tokens of a grant. Every use of one also needs that neither its time nor its grant is over. */
export const familyTransitions = {
  rotate: { from: ['active'], to: 'active' },
  end: { from: ['active'], to: 'revoked' },
} as const satisfies Readonly<Record<string, Transition<RefreshFamily['state']>>>;

/**
 * `revoked` is in no `from`, so it is final. `renew` is the condition of another code of the same grant, at issue and at redemption: it
 * also requires that the grant has not expired, and never prolongs it.
 */
export const grantTransitions = {
  redeem: { from: ['pending'], to: 'active' },
  renew: { from: ['active'], to: 'active' },
  end: { from: ['pending', 'active'], to: 'revoked' },
} as const satisfies Readonly<Record<string, Transition<GrantState>>>;
