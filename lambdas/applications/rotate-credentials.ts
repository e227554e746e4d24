import { type Change, changeClient, stateConflict } from './change-client.ts';
import { type Client, usesSecret } from './client.ts';
import { repeatedAnswer, requestIdReused } from './completed-request.ts';
import { discardKey, keptKey, newSecret, obtainKey } from './credentials.ts';
import type { Provisioning } from './ports.ts';
import type { ProvisioningAnswer, ProvisioningRefusal } from './provisioning-contract.ts';
import { isLive, previousEnd, rotate } from './rotation.ts';

const tooMany: ProvisioningRefusal = { code: 'too_many_credentials' };

const noSecret: ProvisioningRefusal = {
  code: 'invalid_request',
  issues: [{ path: 'clientId', message: 'a client of this tokenEndpointAuthMethod has no secret' }],
};

/** Gives a client a new secret beside the one it has. */
export async function rotateSecret(
  provisioning: Provisioning,
  act: Extract<Change, { readonly action: 'rotate-secret' }>,
): Promise<ProvisioningAnswer> {
  const { clientId, overlapSeconds } = act;
  const secret = await newSecret(provisioning, clientId);
  return await changeClient(provisioning, act, (client) => {
    if (!usesSecret(client.tokenEndpointAuthMethod)) return { refusal: noSecret };
    const now = provisioning.now();
    const secrets = rotate(client.secrets, secret.kept, overlapSeconds, now);
    if (secrets === undefined) return { refusal: tooMany };
    return {
      after: { ...client, secrets: secrets.filter((it) => isLive(it, now)) },
      answer: { ok: true, rotated: { clientId, clientSecret: secret.value, ...previousEnd(secrets, now) } },
    };
  });
}

/** Gives a client a new subscription key beside the one it has. */
export async function rotateKey(
  provisioning: Provisioning,
  act: Extract<Change, { readonly action: 'rotate-key' }>,
): Promise<ProvisioningAnswer> {
  const { clientId, overlapSeconds, requestId } = act;
  const { registry, keys, now } = provisioning;
  const repeated = await repeatedAnswer(provisioning, act);
  if (repeated !== undefined) return repeated;
  const present = await registry.client(clientId);
  const refusal = keyRefusal(present, act, now());
  if (present === undefined || refusal !== undefined) {
    return { ok: false, refusal: refusal ?? { code: 'client_not_found' } };
  }

  const key = await obtainKey(provisioning, requestId, clientId);
  const known = await registry.client(key.clientId);
  if (key.clientId !== clientId || (known !== undefined && holds(known, key.apiKeyId))) {
    return (await repeatedAnswer(provisioning, act)) ?? requestIdReused;
  }
  await keys.attach(key.apiKeyId, present.tier);
  const kept = keptKey(provisioning, key);
  const answer = await changeClient(provisioning, act, (client) => {
    const subscriptionKeys = rotate(client.subscriptionKeys, kept, overlapSeconds, now());
    if (subscriptionKeys === undefined) return { refusal: tooMany };
    return {
      after: { ...client, subscriptionKeys },
      answer: {
        ok: true,
        rotated: { clientId, subscriptionKey: key.value, ...previousEnd(subscriptionKeys, now()) },
      },
      apiKeyId: key.apiKeyId,
    };
  });
  await discardKey(provisioning, requestId, key);
  return answer;
}

/** The request's id was one of an earlier request, whose key was found in this one's place. */
function holds({ subscriptionKeys, meteringKey }: Client, apiKeyId: string): boolean {
  return [...subscriptionKeys, meteringKey].some((key) => key?.apiKeyId === apiKeyId);
}

/** Looked at before a key is made, so that a refusal makes none. */
function keyRefusal(
  client: Client | undefined,
  act: Extract<Change, { readonly action: 'rotate-key' }>,
  now: number,
): ProvisioningRefusal | undefined {
  if (client === undefined) return { code: 'client_not_found' };
  const conflict = stateConflict(client, act);
  if (conflict !== undefined) return conflict;
  const live = client.subscriptionKeys.filter((key) => isLive(key, now));
  return live.length > 1 && act.overlapSeconds > 0 ? tooMany : undefined;
}
