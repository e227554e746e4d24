/** Configuration of the local system: addresses below `localhost`. */

import type { ConfigurationInput } from './configuration.ts';
import type { PortalConfigurationInput } from './portal-configuration.ts';

/** Port of the one-machine system, unless the context sets another. */
export const defaultPort = 8080;

/**
 * Makes the configuration of an environment on one machine: the deployed configuration, with host names that browsers resolve without DNS
 * (RFC 6761 section 6.3). Only the addresses differ, so that the local system runs what is deployed.
 */
export function local(configuration: ConfigurationInput, port: number): ConfigurationInput {
  const { hostedZone: _isNotNeeded, ...same } = configuration;
  return { ...same, domain: `${configuration.environment}.localhost`, scheme: 'http', port };
}

/**
 * Makes the portal's configuration on one machine: with local addresses, without calls to applications' URLs on the internet, and with
 * verification codes in the local inbox as the operators' second factor.
 */
export function localPortal(configuration: PortalConfigurationInput, port: number): PortalConfigurationInput {
  const hostname = 'portal.localhost';
  const { hostedZone: _isNotNeeded, ...same } = configuration;
  const own = { networkChecks: false, operatorAuthenticator: 'offered' } as const;
  return { ...same, hostname, senderDomain: hostname, scheme: 'http', port, ...own };
}
