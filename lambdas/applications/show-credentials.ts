import type { Provisioning } from './ports.ts';
import type { ProvisioningAnswer, ProvisioningRequest, ShownCredential } from './provisioning-contract.ts';
import { isLive } from './rotation.ts';

/**
 * View Credentials: the live secrets (opened from their encrypted copies) and keys (from API Gateway) of a client. The audit
 * event is durable before anything is opened.
 */
export async function showCredentials(
  provisioning: Provisioning,
  { clientId, requestId }: Extract<ProvisioningRequest, { readonly action: 'credentials' }>,
): Promise<ProvisioningAnswer> {
  const { registry, cipher, keys, now, random, resourceId } = provisioning;
  const client = await registry.client(clientId);
  if (client === undefined) return { ok: false, refusal: { code: 'client_not_found' } };
  const time = now();
  await registry.auditView({
    clientId,
    requestId,
    eventId: random.uuid(),
    time: new Date(time).toISOString(),
  });
  const secrets = await Promise.all(
    client.secrets
      .filter((secret) => isLive(secret, time))
      .map(async (secret) => shown(await cipher.decrypt(secret.encrypted, clientId), secret)),
  );
  const subscriptionKeys = await Promise.all(
    client.subscriptionKeys
      .filter((key) => isLive(key, time))
      .map(async (key) => shown(await keys.value(key.apiKeyId), key)),
  );
  return {
    ok: true,
    shown: {
      clientId,
      state: client.state,
      secrets: secrets.flat(),
      subscriptionKeys: subscriptionKeys.flat(),
      ...(client.grantTypes.includes('client_credentials') ? { machineScope: `${resourceId}/.default` } : {}),
    },
  };
}

/** Nothing for a key that has left API Gateway, as a revoked client's has. */
function shown(
  value: string | undefined,
  { createdAt, expiresAt }: Omit<ShownCredential, 'value'>,
): readonly ShownCredential[] {
  return value === undefined ? [] : [{ value, createdAt, ...(expiresAt === undefined ? {} : { expiresAt }) }];
}
