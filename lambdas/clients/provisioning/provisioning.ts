/** Dispatches the requests to the `provisioning` function. */

import * as z from 'zod/mini';
import { issueMessage } from '../../catalog/fhir/issue-message.ts';
import { changeClient } from './change-client.ts';
import { clientCalls } from './client-calls.ts';
import { clientUsage, describeClient } from './describe-client.ts';
import {
  type DataFreshness,
  type ProvisioningAnswer,
  type ProvisioningRequest,
  provisioningRequest,
} from './provisioning-contract.ts';
import type { ProvisioningServices } from './provisioning-ports.ts';
import { registerClient } from './register-client.ts';
import { rotateKey, rotateSecret, stopCredential } from './rotate-credentials.ts';
import { showCredentials } from './show-credentials.ts';
import { updateClient } from './update-client.ts';

/** Parses an invocation's payload and carries it out. A refusal is returned as an answer; a thrown error is a defect. */
export async function provision(
  provisioning: ProvisioningServices,
  payload: unknown,
): Promise<ProvisioningAnswer> {
  const parsed = z.safeParse(provisioningRequest, payload);
  if (parsed.success) return await carryOut(provisioning, parsed.data);
  const issues = parsed.error.issues.map((issue) => ({
    path: issue.path.join('.'),
    message: issueMessage(issue),
  }));
  return { kind: 'refusal', refusal: { code: 'invalid_request', issues } };
}

async function carryOut(
  provisioning: ProvisioningServices,
  request: ProvisioningRequest,
): Promise<ProvisioningAnswer> {
  switch (request.action) {
    case 'register':
      return await registerClient(provisioning, request);
    case 'update':
      return await updateClient(provisioning, request);
    case 'suspend':
    case 'resume':
      return await changeClient(provisioning, request, (client) => ({ kind: 'change', after: client }));
    case 'revoke':
      // Removes the encrypted secrets of a revoked client, so that View Credentials no longer shows them.
      return await changeClient(provisioning, request, (client) => ({
        kind: 'change',
        after: { ...client, secrets: [] },
      }));
    case 'verify-organization':
      return await changeClient(provisioning, request, (client) => ({
        kind: 'change',
        after: { ...client, organization: request.organization },
      }));
    case 'rotate-secret':
      return await rotateSecret(provisioning, request);
    case 'rotate-key':
      return await rotateKey(provisioning, request);
    case 'stop-secret':
    case 'stop-key':
      return await stopCredential(provisioning, request);
    case 'describe':
      return await describeClient(provisioning, request.clientId);
    case 'usage':
      return await clientUsage(provisioning, request);
    case 'credentials':
      return await showCredentials(provisioning, request);
    case 'calls':
      return await clientCalls(provisioning, request);
    case 'health':
      return { kind: 'healthy', healthy: true, data: byLob(await provisioning.freshness()) };
  }
}

/** Combines the sources of each LOB: late if any source is late, with the source that is due first and the load that was last. */
function byLob(sources: readonly DataFreshness[]): readonly DataFreshness[] {
  return [...Map.groupBy(sources, ({ lob }) => lob)].map(([lob, own]) => ({
    lob,
    late: own.some(({ late }) => late),
    freshUntil: own.map(({ freshUntil }) => freshUntil).sort()[0] ?? '',
    reconciledAt:
      own
        .map(({ reconciledAt }) => reconciledAt)
        .sort()
        .at(-1) ?? '',
  }));
}
