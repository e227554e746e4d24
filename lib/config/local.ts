/** Configuration of the local system: addresses below `localhost`. */

import type { ConfigurationInput } from './configuration.ts';
import type { PortalConfigurationInput } from './portal-configuration.ts';

/** The port of the one-machine system unless the context says otherwise. */
export const defaultPort = 8080;

/**
 * An environment as it runs on one machine: the deployed configuration under hosts a browser finds without DNS
 * (RFC 6761 section 6.3). Only the address differs, so that what runs locally is what is deployed.
 */
export function local(configuration: ConfigurationInput, port: number): ConfigurationInput {
  const { hostedZone: _isNotNeeded, ...same } = configuration;
  return { ...same, domain: `${configuration.environment}.localhost`, scheme: 'http', port };
}

/**
 * The portal on one machine: its address, no calls to the addresses of applications, which lie outside, and operators who may decide
 * with the code the inbox shows.
 */
export function localPortal(configuration: PortalConfigurationInput, port: number): PortalConfigurationInput {
  const hostname = 'portal.localhost';
  const { hostedZone: _isNotNeeded, ...same } = configuration;
  const own = { networkChecks: false, operatorAuthenticator: 'offered' } as const;
  return { ...same, hostname, senderDomain: hostname, scheme: 'http', port, ...own };
}
