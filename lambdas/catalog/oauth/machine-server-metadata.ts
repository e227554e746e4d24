import { type EnvironmentOrigins, machineIssuer, machineTokenEndpoint } from '../addresses.ts';
import { assertionAlgorithms } from './assertion-algorithms.ts';
import { confidentialMethods } from './authorization-server-metadata.ts';
import { systemScopesSupported } from './system-scopes.ts';

/**
 * RFC 8414 metadata of the machine-to-machine token host, whose only grant type is client credentials.
 *
 * @param resourceId the environment's resource ID, which is no secret.
 */
export function machineServerMetadata(origins: EnvironmentOrigins, resourceId: string) {
  const issuer = machineIssuer(origins);
  return {
    issuer,
    token_endpoint: machineTokenEndpoint(origins),
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: [`${resourceId}/.default`, ...systemScopesSupported],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: confidentialMethods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  } as const;
}
