/** SMART configuration documents (`.well-known/smart-configuration`, SMART App Launch 2.2) of Patient Access and Payer Access. */

import { authorizationServerEndpoints, type EnvironmentOrigins } from '../addresses.ts';
import type { LineOfBusiness } from '../lines-of-business.ts';
import { userAccessBrandsAddress } from '../user-access-brands.ts';
import { authorizationServerMetadata } from './authorization-server-metadata.ts';
import { machineServerMetadata } from './machine-server-metadata.ts';

/**
 * The `.well-known/smart-configuration` of a LOB's Patient Access base (SMART App Launch 2.2, "Conformance"): metadata of the authorization
 * server, the page where a member ends an application's access, and capabilities.
 */
export function smartConfiguration(origins: EnvironmentOrigins, lob: LineOfBusiness) {
  return {
    ...authorizationServerMetadata(origins, lob),
    management_endpoint: authorizationServerEndpoints(origins, lob).management,
    user_access_brand_bundle: userAccessBrandsAddress(origins, lob),
    capabilities: [
      'launch-standalone',
      'authorize-post',
      'client-public',
      'client-confidential-symmetric',
      'client-confidential-asymmetric',
      'sso-openid-connect',
      'context-standalone-patient',
      'permission-offline',
      'permission-patient',
      'permission-user',
      'permission-v1',
      'permission-v2',
    ],
  } as const;
}

/**
 * The `.well-known/smart-configuration` of a LOB's Payer Access base. Its only grant type is client credentials, at the machine-to-machine
 * token host, because no member signs in.
 *
 * @param resourceId the environment's resource ID, which the scope contains.
 */
export function payerSmartConfiguration(origins: EnvironmentOrigins, resourceId: string) {
  return {
    ...machineServerMetadata(origins, resourceId),
    // SMART App Launch 2.2 requires this field even of a server without authorization codes.
    code_challenge_methods_supported: ['S256'],
    capabilities: ['client-confidential-symmetric', 'client-confidential-asymmetric', 'permission-v2'],
  } as const;
}
