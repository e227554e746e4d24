/** State machine of a client in an environment: active, suspended, revoked. */

import type { ProvisioningAct } from './provisioning-ports.ts';
import type { ClientState } from './registration-contract.ts';

interface Transition {
  readonly from: readonly ClientState[];
  /** Absent where the act leaves the state as it is. */
  readonly to?: ClientState;
}

/**
 * A client's states as one environment enforces them: which act is allowed from where, and where it leads. `revoked` is
 * in no `from`, so it is final.
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

/** Every act that changes something. */
export const acts = ['register', ...Object.keys(transitions)] as readonly ProvisioningAct['action'][];
