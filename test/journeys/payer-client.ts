import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { provision, register, registrationOf } from './journey.ts';

/** Another payer's application in the sandbox, with a key pair and a verified organization. */

export const payerNpi = { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' } as const;

/** Registers the application as the portal does, and verifies its organization as an operator does. */
export async function registerPayer(lob: LineOfBusiness) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const kid = randomUUID();
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const key = { kty: 'EC', crv: 'P-384', x, y, kid, alg: 'ES384', use: 'sig' } as const;
  const { clientId, subscriptionKey } = await register('sandbox', {
    ...registrationOf(lob),
    products: ['payer-access'],
    grantTypes: ['client_credentials'],
    redirectUris: [],
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys: [key] },
  });
  const action = 'verify-organization';
  await provision('sandbox', { action, requestId: randomUUID(), clientId, organization: [payerNpi] });
  return { clientId, subscriptionKey, kid, privateKey };
}
