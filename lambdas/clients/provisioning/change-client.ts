/** Changes a client by a command of provisioning. Of several concurrent changes one is written at a time. */

import type { Client } from './client.ts';
import { completedRequest, repeatedAnswer } from './completed-request.ts';
import type { ProvisioningAnswer, ProvisioningRefusal } from './provisioning-contract.ts';
import type { ProvisioningAct, ProvisioningServices } from './provisioning-ports.ts';
import { isLive } from './rotation.ts';
import { settleKeys } from './settle-keys.ts';
import { transitions } from './transitions.ts';

export type ClientChange = Exclude<ProvisioningAct, { readonly action: 'register' }>;

/** Result of an act on a client; the transition table gives the new state. */
export type ClientDecision =
  | {
      readonly kind: 'change';
      readonly after: Client;
      /**
       * Answer of provisioning.
       *
       * @default an answer with the new state
       */
      readonly answer?: ProvisioningAnswer;
      readonly apiKeyId?: string;
    }
  | { readonly kind: 'refusal'; readonly refusal: ProvisioningRefusal };

/** Maximum number of attempts, while other requests change the same client. */
const mostAttempts = 8;

/**
 * Carries out an act on a client. If a concurrent act was written first, the act is decided again on the changed client.
 *
 * @param decide applies the act to the client as read; may be called several times.
 */
export async function changeClient(
  provisioning: ProvisioningServices,
  act: ClientChange,
  decide: (client: Client) => ClientDecision,
): Promise<ProvisioningAnswer> {
  const { registry, random } = provisioning;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const repeated = await repeatedAnswer(provisioning, act);
    if (repeated !== undefined) return repeated;
    const before = await registry.client(act.clientId);
    if (before === undefined) return { kind: 'refusal', refusal: { code: 'client_not_found' } };
    const conflict = stateConflict(before, act);
    if (conflict !== undefined) {
      // The earlier act that led to this state, of another request, may have failed before API Gateway's keys were changed.
      await settleKeys(provisioning, act.clientId);
      return { kind: 'refusal', refusal: conflict };
    }
    const decision = decide(await withoutEndedKeys(provisioning, before));
    if (decision.kind === 'refusal') return decision;

    const after = transitioned(before, decision.after, act, provisioning.now());
    const answer = decision.answer ?? { kind: 'state', clientId: after.clientId, state: after.state };
    const request = await completedRequest(provisioning, act, answer, {
      clientId: after.clientId,
      ...(decision.apiKeyId === undefined ? {} : { apiKeyId: decision.apiKeyId }),
    });
    if (await registry.commit({ before, after, request, eventId: random.uuid() })) {
      await settleKeys(provisioning, act.clientId, act.action === 'update');
      return answer;
    }
  }
  throw new Error('a client changes faster than it can be decided on');
}

/** The refusal if the client's state does not allow the act; undefined if it does. */
export function stateConflict(client: Client, act: ClientChange): ProvisioningRefusal | undefined {
  return transitions[act.action].from.includes(client.state)
    ? undefined
    : { code: 'state_conflict', state: client.state };
}

/** The client without expired credentials. Expired keys are deleted from API Gateway first, so that none is left there. */
async function withoutEndedKeys({ keys, now }: ProvisioningServices, client: Client): Promise<Client> {
  const time = now();
  for (const key of client.subscriptionKeys) if (!isLive(key, time)) await keys.delete(key.apiKeyId);
  return {
    ...client,
    secrets: client.secrets.filter((secret) => isLive(secret, time)),
    subscriptionKeys: client.subscriptionKeys.filter((key) => isLive(key, time)),
  };
}

/** The client after an act. `updatedAt` is its version, so it always increases, whatever the clock says. */
function transitioned(before: Client, after: Client, act: ClientChange, now: number): Client {
  const updatedAt = new Date(Math.max(now, Date.parse(before.updatedAt) + 1)).toISOString();
  return { ...after, state: transitions[act.action].to ?? before.state, updatedAt };
}
