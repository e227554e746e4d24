/** Lists a client's calls from the log of calls. */

import type { ProvisioningAnswer, ProvisioningRequest } from './provisioning-contract.ts';
import type { ProvisioningServices } from './provisioning-ports.ts';

/** Lists a page of a client's logged calls, newest first. */
export async function clientCalls(
  { registry, callLog }: ProvisioningServices,
  { clientId, from, to, before, filter, limit }: Extract<ProvisioningRequest, { readonly action: 'calls' }>,
): Promise<ProvisioningAnswer> {
  if (from > to) {
    const issues = [{ path: 'from', message: 'not later than `to`' }];
    return { kind: 'refusal', refusal: { code: 'invalid_request', issues } };
  }
  if ((await registry.client(clientId)) === undefined) {
    return { kind: 'refusal', refusal: { code: 'client_not_found' } };
  }
  const range = { from, to, limit, ...(before === undefined ? {} : { before }) };
  return {
    kind: 'calls',
    ...(await callLog.calls({ clientId, ...range, ...(filter === undefined ? {} : { filter }) })),
  };
}
