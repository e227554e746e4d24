/** SMART configuration documents (`.well-known/smart-configuration`, SMART App Launch 2.2) of Patient Access and Payer Access. */

import { authorizationServerEndpoints, type EnvironmentOrigins } from '../addresses.ts';
import type { LineOfBusiness } from '../lines-of-business.ts';
import { authorizationServerMetadata } from './authorization-server-metadata.ts';
import { machineServerMetadata } from './machine-server-metadata.ts';

/**
 * `.well-known/smart-configuration` of a LOB's Patient Access base (SMART App Launch 2.2, "Conformance"): the metadata of the authorization server,
 * the page where a member ends an application's access, and what the server can do.
 */
export function smartConfiguration(origins: EnvironmentOrigins, lob: LineOfBusiness) {
  return {
    ...authorizationServerMetadata(origins, lob),
    management_endpoint: authorizationServerEndpoints(origins, lob).management,
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
 * `.well-known/smart-configuration` of a LOB's Payer Access base. No member is present there: the only grant is client credentials,
 * at the machine-to-machine token host.
 *
 * @param resourceId the environment resource id, which the scope names.
 */
export function payerSmartConfiguration(origins: EnvironmentOrigins, resourceId: string) {
  return {
    ...machineServerMetadata(origins, resourceId),
    // SMART App Launch 2.2 requires the field of every server, also where no code is issued.
    code_challenge_methods_supported: ['S256'],
    capabilities: ['client-confidential-symmetric', 'client-confidential-asymmetric', 'permission-v2'],
  } as const;
}
