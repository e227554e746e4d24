import { type ClientChange, changeClient } from './change-client.ts';
import type { Client } from './client.ts';
import type { ProvisioningAnswer } from './provisioning-contract.ts';
import type { ProvisioningServices } from './provisioning-ports.ts';
import { usesSecret } from './registration-contract.ts';
import { type Issue, registrationIssues } from './registration-rules-contract.ts';

/** Puts a new registration in the place of a client's present one; id, state and credentials stay. */
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
    // A client that shows its key from now on has no use for a secret: nobody shall find it live.
    const secrets = usesSecret(act.registration.tokenEndpointAuthMethod) ? client.secrets : [];
    return {
      kind: 'change',
      after: {
        ...{ ...act.registration, clientId, state, secrets, subscriptionKeys, createdAt, updatedAt },
        ...(meteringKey !== undefined && { meteringKey }),
        ...(organization !== undefined && { organization }),
      },
    };
  });
}

/** A client that can keep a secret and one that can't are different clients: the one's tokens aren't the other's. */
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
