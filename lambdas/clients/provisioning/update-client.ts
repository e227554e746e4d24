import { type ClientChange, changeClient } from './change-client.ts';
import type { Client } from './client.ts';
import type { ProvisioningAnswer } from './provisioning-contract.ts';
import type { ProvisioningServices } from './provisioning-ports.ts';
import { usesSecret } from './registration-contract.ts';
import { type Issue, registrationIssues } from './registration-rules-contract.ts';

/** Replaces a client's registration. ID, state and credentials stay. */
export async function updateClient(
  provisioning: ProvisioningServices,
  act: Extract<ClientChange, { readonly action: 'update' }>,
): Promise<ProvisioningAnswer> {
  const { environment, tiers } = provisioning;
  return await changeClient(provisioning, act, (client) => {
    const issues = [
      ...registrationIssues(act.registration, environment, tiers),
      ...kindIssues(client, act.registration.tokenEndpointAuthMethod),
    ];
    if (issues.length > 0) return { kind: 'refusal', refusal: { code: 'invalid_request', issues } };
    const { clientId, state, subscriptionKeys, meteringKey, organization, createdAt, updatedAt } = client;
    // A client that changes to public keys loses its secrets.
    const secrets = usesSecret(act.registration.tokenEndpointAuthMethod) ? client.secrets : [];
    return {
      kind: 'change',
      after: {
        ...act.registration,
        clientId,
        state,
        secrets,
        subscriptionKeys,
        createdAt,
        updatedAt,
        ...(meteringKey !== undefined && { meteringKey }),
        ...(organization !== undefined && { organization }),
      },
    };
  });
}

/** Issues of an update that would change a confidential client to a public one, or the reverse, which is not allowed. */
function kindIssues(client: Client, method: Client['tokenEndpointAuthMethod']): readonly Issue[] {
  return (client.tokenEndpointAuthMethod === 'none') === (method === 'none')
    ? []
    : [
        {
          path: 'registration.tokenEndpointAuthMethod',
          message: 'the same kind of client, public or confidential; register another client to change it',
        },
      ];
}
