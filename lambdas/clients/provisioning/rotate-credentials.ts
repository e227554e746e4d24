/** Rotates a client's secrets and subscription keys, and ends older ones. */

import { type ClientChange, changeClient, stateConflict } from './change-client.ts';
import type { Client } from './client.ts';
import { repeatedAnswer, requestIdReused } from './completed-request.ts';
import { discardKey, keptKey, newSecret, obtainKey } from './credentials.ts';
import type { ProvisioningAnswer, ProvisioningRefusal } from './provisioning-contract.ts';
import type { ProvisioningServices } from './provisioning-ports.ts';
import { usesSecret } from './registration-contract.ts';
import { isLive, onlyNewestIsLive, previousEnd, rotateCredential, stop } from './rotation.ts';

const tooMany: ProvisioningRefusal = { code: 'too_many_credentials' };

const isNewest: ProvisioningRefusal = {
  code: 'invalid_request',
  issues: [{ path: 'createdAt', message: 'an older one; rotate to replace the newest one' }],
};

const noSecret: ProvisioningRefusal = {
  code: 'invalid_request',
  issues: [{ path: 'clientId', message: 'a client whose tokenEndpointAuthMethod uses a secret' }],
};

/** Adds a new secret to a client; the previous one ends after the overlap. */
export async function rotateSecret(
  provisioning: ProvisioningServices,
  act: Extract<ClientChange, { readonly action: 'rotate-secret' }>,
): Promise<ProvisioningAnswer> {
  const { clientId, overlapSeconds, onlyOneLive } = act;
  const secret = await newSecret(provisioning, clientId);
  return await changeClient(provisioning, act, (client) => {
    if (!usesSecret(client.tokenEndpointAuthMethod)) return { kind: 'refusal', refusal: noSecret };
    const now = provisioning.now();
    if (onlyOneLive === true && !onlyNewestIsLive(client.secrets, now))
      return { kind: 'refusal', refusal: tooMany };
    const secrets = rotateCredential(client.secrets, secret.kept, overlapSeconds, now);
    if (secrets === undefined) return { kind: 'refusal', refusal: tooMany };
    return {
      kind: 'change',
      after: { ...client, secrets: secrets.filter((it) => isLive(it, now)) },
      answer: {
        kind: 'rotated',
        rotated: { clientId, clientSecret: secret.value, ...previousEnd(secrets, now) },
      },
    };
  });
}

/** Adds a new subscription key to a client; the previous one ends after the overlap. */
export async function rotateKey(
  provisioning: ProvisioningServices,
  act: Extract<ClientChange, { readonly action: 'rotate-key' }>,
): Promise<ProvisioningAnswer> {
  const { clientId, overlapSeconds, requestId } = act;
  const { registry, keys, now } = provisioning;
  const repeated = await repeatedAnswer(provisioning, act);
  if (repeated !== undefined) return repeated;
  const present = await registry.client(clientId);
  const refusal = keyRefusal(present, act, now());
  if (present === undefined || refusal !== undefined) {
    return { kind: 'refusal', refusal: refusal ?? { code: 'client_not_found' } };
  }

  const key = await obtainKey(provisioning, requestId, clientId);
  const known = await registry.client(key.clientId);
  if (key.clientId !== clientId || (known !== undefined && holds(known, key.apiKeyId))) {
    return (await repeatedAnswer(provisioning, act)) ?? requestIdReused;
  }
  await keys.attach(key.apiKeyId, present.tier);
  const kept = keptKey(provisioning, key);
  const answer = await changeClient(provisioning, act, (client) => {
    if (act.onlyOneLive === true && !onlyNewestIsLive(client.subscriptionKeys, now())) {
      return { kind: 'refusal', refusal: tooMany };
    }
    const subscriptionKeys = rotateCredential(client.subscriptionKeys, kept, overlapSeconds, now());
    if (subscriptionKeys === undefined) return { kind: 'refusal', refusal: tooMany };
    return {
      kind: 'change',
      after: { ...client, subscriptionKeys },
      answer: {
        kind: 'rotated',
        rotated: { clientId, subscriptionKey: key.value, ...previousEnd(subscriptionKeys, now()) },
      },
      apiKeyId: key.apiKeyId,
    };
  });
  await discardKey(provisioning, requestId, key);
  return answer;
}

/** Ends an older secret or key of a client at once. The newest stays. */
export async function stopCredential(
  provisioning: ProvisioningServices,
  act: Extract<ClientChange, { readonly action: 'stop-secret' | 'stop-key' }>,
): Promise<ProvisioningAnswer> {
  return await changeClient(provisioning, act, (client) => {
    const now = provisioning.now();
    if (act.action === 'stop-key') {
      const subscriptionKeys = stop(client.subscriptionKeys, act.createdAt, now);
      return subscriptionKeys === undefined
        ? { kind: 'refusal', refusal: isNewest }
        : { kind: 'change', after: { ...client, subscriptionKeys } };
    }
    const secrets = stop(client.secrets, act.createdAt, now);
    return secrets === undefined
      ? { kind: 'refusal', refusal: isNewest }
      : { kind: 'change', after: { ...client, secrets: secrets.filter((it) => isLive(it, now)) } };
  });
}

/** Whether the client has the key already: then the request ID was used by an earlier request. */
function holds({ subscriptionKeys, meteringKey }: Client, apiKeyId: string): boolean {
  return [...subscriptionKeys, meteringKey].some((key) => key?.apiKeyId === apiKeyId);
}

/** The refusal of a key rotation, decided before a key is made in API Gateway. */
function keyRefusal(
  client: Client | undefined,
  act: Extract<ClientChange, { readonly action: 'rotate-key' }>,
  now: number,
): ProvisioningRefusal | undefined {
  if (client === undefined) return { code: 'client_not_found' };
  const conflict = stateConflict(client, act);
  if (conflict !== undefined) return conflict;
  const endsAll = act.overlapSeconds === 0 && act.onlyOneLive !== true;
  return endsAll || onlyNewestIsLive(client.subscriptionKeys, now) ? undefined : tooMany;
}
