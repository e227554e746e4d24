/** Reads OAuth clients from DynamoDB for the authorization server. */

import * as z from 'zod/mini';
import { interfaceNames } from '../../catalog/interface-families.ts';
import { lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import { clientJwks } from '../../catalog/oauth/client-jwks.ts';
import { demonstration } from '../../catalog/oauth/demonstration.ts';
import { organizationIdentifier } from '../../catalog/payer/organization-identifiers.ts';
import type { Table } from '../../platform/table/table.ts';
import { clientKey } from '../../platform/table/table-keys.ts';
import type { ClientReader } from '../oauth/client-ports.ts';

/** The attributes of a client item that the authorization server reads; provisioning writes it (`client-registry.ts`). */
const storedClient = z.object({
  clientId: z.string(),
  state: z.enum(['active', 'suspended', 'revoked']),
  clientName: z.string(),
  displayName: z.optional(z.string()),
  grantTypes: z.array(z.enum(['authorization_code', 'client_credentials', demonstration.grantType])),
  tokenEndpointAuthMethod: z.enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']),
  jwks: z.optional(clientJwks),
  jwksUri: z.optional(z.string()),
  linesOfBusiness: z.array(z.enum(lineOfBusinessCodes)),
  products: z.array(z.enum(interfaceNames)),
  organization: z.optional(z.array(organizationIdentifier)),
  redirectUris: z.array(z.string()),
  postLogoutRedirectUris: z.optional(z.array(z.string())),
  initiateLoginUri: z.optional(z.string()),
  applicationUri: z.optional(z.string()),
  privacyUri: z.optional(z.string()),
  termsOfServiceUri: z.optional(z.string()),
  contactEmail: z.optional(z.string()),
  attested: z.boolean(),
  pkceRequired: z.boolean(),
  demonstratedPatientId: z.optional(z.string()),
  secrets: z.array(
    z.object({
      secretId: z.optional(z.string()),
      sha256: z.string(),
      expiresAt: z.optional(z.string()),
    }),
  ),
});

/**
 * Form of a client ID: VSCHAR (RFC 6749 appendix A.1), at most 64 characters. Other text is no client's ID, and DynamoDB refuses some of
 * it, such as half a surrogate pair.
 */
const clientIdPattern = /^[\x21-\x7e]{1,64}$/;

/** Finds OAuth clients by strongly consistent reads, so that a suspension takes effect at once. */
export function createClientReader(table: Table): ClientReader {
  return {
    async find(clientId) {
      if (!clientIdPattern.test(clientId)) return undefined;
      const item = await table.get(clientKey(clientId));
      return item === undefined ? undefined : storedClient.parse(item);
    },
  };
}
