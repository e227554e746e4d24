/** Makes provisioning requests idempotent: the answer is stored with the effects, and a repeat gets the same answer. */

import type { ProvisioningAnswer } from './provisioning-contract.ts';
import type { CompletedRequest, ProvisioningAct, ProvisioningServices } from './provisioning-ports.ts';
import { settleKeys } from './settle-keys.ts';

/** Milliseconds that a request's answer is kept. */
const rememberedMilliseconds = 24 * 60 * 60 * 1000;

export const requestIdReused: ProvisioningAnswer = {
  kind: 'refusal',
  refusal: {
    code: 'invalid_request',
    issues: [{ path: 'requestId', message: 'a new request ID: this one was used for another request' }],
  },
};

/** The stored answer if this request was carried out before; undefined otherwise. */
export async function repeatedAnswer(
  provisioning: ProvisioningServices,
  act: ProvisioningAct,
): Promise<ProvisioningAnswer | undefined> {
  const { registry, cipher, now, random } = provisioning;
  const done = await registry.request(act.requestId);
  if (done === undefined || done.expiresAt * 1000 <= now()) return undefined;
  if (done.fingerprint !== fingerprint(provisioning, act)) return requestIdReused;
  // The first attempt may have failed between the table and API Gateway.
  await settleKeys(provisioning, done.clientId, act.action === 'update');
  if (givesCredentials(act)) {
    await registry.auditRepeat(done, random.uuid(), new Date(now()).toISOString());
  }
  return JSON.parse(await cipher.decrypt(done.encryptedAnswer, done.clientId)) as ProvisioningAnswer;
}

/** Builds the record of a request. It is written in the transaction of the request's effects. */
export async function completedRequest(
  provisioning: ProvisioningServices,
  act: ProvisioningAct,
  answer: ProvisioningAnswer,
  made: { readonly clientId: string; readonly apiKeyId?: string },
): Promise<CompletedRequest> {
  return {
    requestId: act.requestId,
    action: act.action,
    fingerprint: fingerprint(provisioning, act),
    clientId: made.clientId,
    encryptedAnswer: await provisioning.cipher.encrypt(JSON.stringify(answer), made.clientId),
    ...(made.apiKeyId === undefined ? {} : { apiKeyId: made.apiKeyId }),
    expiresAt: Math.ceil((provisioning.now() + rememberedMilliseconds) / 1000),
  };
}

/** SHA-256 of a request. A parsed request has its fields in the schema's order, so equal requests have equal texts. */
function fingerprint({ sha256 }: ProvisioningServices, act: ProvisioningAct): string {
  return sha256(JSON.stringify(act));
}

function givesCredentials({ action }: ProvisioningAct): boolean {
  return action === 'register' || action === 'rotate-secret' || action === 'rotate-key';
}
