/** Changes a client by a command of provisioning: one winner among concurrent ones. */

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
      /** @default `state` */
      readonly answer?: ProvisioningAnswer;
      readonly apiKeyId?: string;
    }
  | { readonly kind: 'refusal'; readonly refusal: ProvisioningRefusal };

/** Give up after this many lost write races. */
const mostAttempts = 8;

/**
 * Carries out an act on a client. Of concurrent acts one writes; the others decide again on what it wrote.
 *
 * @param decide applies the act to the client as read; called again after a lost race.
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
      // The act that led to this state may have ended half-way, under another request ID.
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

/** Reason why the client's state forbids the act; undefined if it allows it. */
export function stateConflict(client: Client, act: ClientChange): ProvisioningRefusal | undefined {
  return transitions[act.action].from.includes(client.state)
    ? undefined
    : { code: 'state_conflict', state: client.state };
}

/** Deletes expired keys from API Gateway before the client forgets them, so that none is left there. */
async function withoutEndedKeys({ keys, now }: ProvisioningServices, client: Client): Promise<Client> {
  const time = now();
  for (const key of client.subscriptionKeys) if (!isLive(key, time)) await keys.delete(key.apiKeyId);
  return {
    ...client,
    secrets: client.secrets.filter((secret) => isLive(secret, time)),
    subscriptionKeys: client.subscriptionKeys.filter((key) => isLive(key, time)),
  };
}

/** `updatedAt` is the client's version: always later than before, whatever the clock says. */
function transitioned(before: Client, after: Client, act: ClientChange, now: number): Client {
  const updatedAt = new Date(Math.max(now, Date.parse(before.updatedAt) + 1)).toISOString();
  return { ...after, state: transitions[act.action].to ?? before.state, updatedAt };
}
