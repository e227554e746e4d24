/** Registers an application as an OAuth client of an environment. */

import { demonstration } from '../../catalog/oauth/demonstration.ts';
import type { Client } from './client.ts';
import { completedRequest, repeatedAnswer, requestIdReused } from './completed-request.ts';
import {
  discardKey,
  discardMeteringKey,
  keptKey,
  newSecret,
  obtainKey,
  obtainMeteringKey,
} from './credentials.ts';
import type { Credentials, ProvisioningAnswer } from './provisioning-contract.ts';
import type { GatewayKey, ProvisioningAct, ProvisioningServices } from './provisioning-ports.ts';
import { usesSecret } from './registration-contract.ts';
import { isDemonstration, registrationIssues } from './registration-rules-contract.ts';
import { settleKeys } from './settle-keys.ts';

type Registration = Extract<ProvisioningAct, { readonly action: 'register' }>;

/**
 * Registers a client and returns its credentials.
 *
 * The keys are made in API Gateway first, then everything is written to the table in one transaction. An attempt that fails in between
 * leaves keys without lookup items, which grant no access; a repeat finds them by the request ID and continues.
 * Only the demonstration has a client ID and a subscription key that are public.
 */
export async function registerClient(
  provisioning: ProvisioningServices,
  act: Registration,
): Promise<ProvisioningAnswer> {
  const repeated = await repeatedAnswer(provisioning, act);
  if (repeated !== undefined) return repeated;
  const issues = registrationIssues(act.registration, provisioning.environment, provisioning.tiers);
  if (issues.length > 0) return { kind: 'refusal', refusal: { code: 'invalid_request', issues } };

  const { registry, keys, random } = provisioning;
  const published = isDemonstration(act.registration) ? demonstration : undefined;
  const present = published && (await registry.client(published.clientId));
  if (present) return { kind: 'refusal', refusal: { code: 'state_conflict', state: present.state } };
  const key = await obtainKey(
    provisioning,
    act.requestId,
    published?.clientId ?? random.uuid(),
    published?.subscriptionKey,
  );
  const { clientId } = key;
  if ((await registry.client(clientId)) !== undefined) {
    return (await repeatedAnswer(provisioning, act)) ?? requestIdReused;
  }
  const metering = await obtainMeteringKey(provisioning, act.requestId, clientId);
  if (metering.clientId !== clientId) return requestIdReused;
  await keys.attach(key.apiKeyId, act.registration.tier);
  await keys.attach(metering.apiKeyId, act.registration.tier);

  const { client, credentials } = await newClient(provisioning, act, key, metering);
  const answer: ProvisioningAnswer = { kind: 'credentials', credentials };
  const request = await completedRequest(provisioning, act, answer, { clientId, apiKeyId: key.apiKeyId });
  if (await registry.commit({ after: client, request, eventId: random.uuid() })) {
    // The lookup items make every call with a suspended client's key fail; this disables the key in API Gateway too.
    if (client.state !== 'active') await settleKeys(provisioning, clientId);
    return answer;
  }
  // A concurrent repeat of the same request was written first.
  const theirs = await repeatedAnswer(provisioning, act);
  await discardKey(provisioning, act.requestId, key);
  await discardMeteringKey(provisioning, act.requestId, metering);
  return theirs ?? requestIdReused;
}

async function newClient(
  provisioning: ProvisioningServices,
  act: Registration,
  key: GatewayKey,
  metering: GatewayKey,
): Promise<{ readonly client: Client; readonly credentials: Credentials }> {
  const { clientId } = key;
  const createdAt = new Date(provisioning.now()).toISOString();
  const secret = usesSecret(act.registration.tokenEndpointAuthMethod)
    ? await newSecret(provisioning, clientId)
    : undefined;
  const client: Client = {
    ...act.registration,
    clientId,
    state: act.suspended === true ? 'suspended' : 'active',
    secrets: secret === undefined ? [] : [secret.kept],
    subscriptionKeys: [keptKey(provisioning, key)],
    meteringKey: { apiKeyId: metering.apiKeyId, value: metering.value },
    createdAt,
    updatedAt: createdAt,
  };
  const credentials: Credentials = {
    clientId,
    ...(secret === undefined ? {} : { clientSecret: secret.value }),
    subscriptionKey: key.value,
    ...(act.registration.grantTypes.includes('client_credentials')
      ? { machineScope: `${provisioning.resourceId}/.default` }
      : {}),
  };
  return { client, credentials };
}
