/** State machine of a client in an environment: active, suspended, revoked. */

import type { ProvisioningAct } from './provisioning-ports.ts';
import type { ClientState } from './registration-contract.ts';

interface Transition {
  readonly from: readonly ClientState[];
  /** New state; absent if the act does not change the state. */
  readonly to?: ClientState;
}

/**
 * State machine of a client in one environment: the acts, the states from which each is allowed, and the new state. `revoked` is in no
 * `from`, so it is final.
 */
export const transitions: Readonly<Record<Exclude<ProvisioningAct['action'], 'register'>, Transition>> = {
  update: { from: ['active', 'suspended'] },
  suspend: { from: ['active'], to: 'suspended' },
  resume: { from: ['suspended'], to: 'active' },
  revoke: { from: ['active', 'suspended'], to: 'revoked' },
  'rotate-secret': { from: ['active', 'suspended'] },
  'rotate-key': { from: ['active', 'suspended'] },
  'stop-secret': { from: ['active', 'suspended'] },
  'stop-key': { from: ['active', 'suspended'] },
  'verify-organization': { from: ['active', 'suspended'] },
};

/** All acts that change a client. */
export const acts = ['register', ...Object.keys(transitions)] as readonly ProvisioningAct['action'][];
