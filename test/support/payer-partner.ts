/** Registers another payer's application in the sandbox of a running system, and makes its client. */

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { OrganizationIdentifier } from '../../lambdas/catalog/payer/organization-identifiers.ts';
import type { Credentials } from '../../lambdas/clients/provisioning/provisioning-contract.ts';
import { createInvoke } from '../../ops/command-line/invoke.ts';
import { type LocalSystem, localOrigins } from '../../ops/command-line/system.ts';
import { createHttp } from '../../ops/http/client.ts';
import { createPartner, type Partner } from '../../ops/payer-check/partner.ts';
import type { PartnerCredentials } from '../../ops/payer-check/partner-calls.ts';

/** Creates the client of an application. */
export function partnerOf(credentials: PartnerCredentials): Partner {
  return createPartner(credentials, {
    http: createHttp(),
    async download(url) {
      const response = await fetch(url);
      return { status: response.status, headers: {}, body: await response.text() };
    },
    wait: async (seconds) => void (await sleep(seconds * 1000)),
  });
}

/** Registers the application with a key pair, and verifies its organization as an operator does. */
export async function registerPartner(
  system: LocalSystem,
  lob: LineOfBusiness,
  organization: readonly OrganizationIdentifier[],
): Promise<PartnerCredentials> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const own = { kid: randomUUID(), alg: 'ES384', use: 'sig' };
  const provision = async (request: object) =>
    await createInvoke(system)(system.functions.sandbox.provisioning, {
      requestId: randomUUID(),
      ...request,
    });
  const { credentials } = (await provision({
    action: 'register',
    registration: {
      clientName: 'Another payer',
      grantTypes: ['client_credentials'],
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), ...own }] },
      linesOfBusiness: [lob],
      products: ['payer-access'],
      redirectUris: [],
      attested: true,
      pkceRequired: false,
      tier: 'standard',
    },
  })) as { readonly credentials: Credentials };
  const { clientId, subscriptionKey } = credentials;
  await provision({ action: 'verify-organization', clientId, organization: [...organization] });
  return {
    base: fhirBase(localOrigins(system, 'sandbox'), lob, 'payer-access'),
    ...{ lob, clientId, subscriptionKey },
    jwk: { ...privateKey.export({ format: 'jwk' }), ...own },
  };
}
