import { describe, expect, it } from 'vitest';
import { clientStates } from '../../../lambdas/clients/provisioning/registration-contract.ts';
import { transitions } from '../../../lambdas/clients/provisioning/transitions.ts';
import { provisioningDouble, registered, registration } from './provisioning-double.ts';

const actions = Object.keys(transitions) as (keyof typeof transitions)[];
const cases = clientStates.flatMap((state) => actions.map((action) => ({ state, action })));

/** The parameters of each act, without its client. */
function payload(action: keyof typeof transitions, clientId: string) {
  const act = { action, requestId: `try-${action}`, clientId };
  if (action === 'update') return { ...act, registration: registration() };
  if (action === 'verify-organization') return { ...act, organization: [] };
  // A credential that has already ended, so that nothing is left to stop.
  if (action.startsWith('stop-')) return { ...act, createdAt: '2020-01-01T00:00:00.000Z' };
  return action.startsWith('rotate-') ? { ...act, overlapSeconds: 60 } : act;
}

describe('a client', () => {
  it.each(cases)('$action while $state', async ({ state, action }) => {
    const double = provisioningDouble();
    const { clientId } = await registered(double);
    const lead = { suspended: 'suspend', revoked: 'revoke' } as const;
    if (state !== 'active') await double.send({ action: lead[state], requestId: 'lead-there', clientId });
    const before = double.clients.get(clientId);
    const written = double.audit.length;

    const answer = await double.send(payload(action, clientId));
    const { from, to } = transitions[action];
    if (!from.includes(state)) {
      expect(answer).toEqual({ kind: 'refusal', refusal: { code: 'state_conflict', state } });
      expect(double.clients.get(clientId)).toEqual(before);
      expect(double.audit).toHaveLength(written);
      return;
    }
    expect(answer).not.toMatchObject({ kind: 'refusal' });
    expect(double.clients.get(clientId)?.state).toBe(to ?? state);
    expect(double.audit).toHaveLength(written + 1);
  });
});
