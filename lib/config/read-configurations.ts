/** Reads all configuration files. */

import { ConfigurationError } from './common-fields.ts';
import { type Configuration, parseConfiguration } from './configuration.ts';
import { withContextValues } from './context-values.ts';
import { isHostOf } from './hosts.ts';
import { defaultPort, local, localPortal } from './local.ts';
import { portal } from './portal.ts';
import { type PortalConfiguration, parsePortalConfiguration } from './portal-configuration.ts';
import { production } from './production.ts';
import { sandbox } from './sandbox.ts';

/**
 * Context values that choose between the deployed and the one-machine system. A further value `<file>.<field>` sets a field of a
 * configuration file, to try it out: `--context sandbox.subscriptionKey=optional`.
 */
export interface ConfigurationContext {
  /** `local` for the one-machine system; absent for the deployed system. */
  readonly configuration?: unknown;
  /** Port of the one-machine system: a number, or text as `--context` passes it. */
  readonly port?: unknown;
  readonly [name: string]: unknown;
}

/**
 * Reads and validates every environment's configuration file.
 *
 * @throws ConfigurationError
 */
export function readConfigurations(context: ConfigurationContext): readonly Configuration[] {
  const port = readLocalPort(context);
  const read = (file: 'sandbox' | 'production', deployed: typeof sandbox) => {
    const input = withContextValues(file, deployed, context);
    return parseConfiguration(`lib/config/${file}.ts`, port === undefined ? input : local(input, port));
  };
  const first = read('sandbox', sandbox);
  const second = read('production', production);
  assertDistinctEnvironments('lib/config/production.ts', second, first);
  return [first, second];
}

/**
 * Checks that two environments have different hosts, none of them below the other's, and don't accept each other's tokens.
 *
 * @throws ConfigurationError
 */
export function assertDistinctEnvironments(file: string, one: Configuration, other: Configuration): void {
  const same = (['domain', 'resourceId'] as const).filter((field) => one[field] === other[field]);
  const lines = same.map((field) => `  ${field}: must differ from ${other.environment}'s`);
  if (isHostOf(one.domain, other) || isHostOf(other.domain, one)) {
    lines.push(
      `  domain: ${one.domain} and ${other.domain}, the domain of ${other.environment}, overlap; expected two of which neither is auth., token. or ` +
        'api. of the other, or below it',
    );
  }
  if (lines.length > 0) throw new ConfigurationError(`${file} is invalid:\n${lines.join('\n')}`);
}

/**
 * Reads and validates the portal's configuration file.
 *
 * @param environments the environments that the portal manages.
 * @throws ConfigurationError
 */
export function readPortalConfiguration(
  context: ConfigurationContext,
  environments: readonly Configuration[],
): PortalConfiguration {
  const port = readLocalPort(context);
  const deployed = withContextValues('portal', portal, context);
  const input = port === undefined ? deployed : localPortal(deployed, port);
  return parsePortalConfiguration('lib/config/portal.ts', input, environments);
}

/** The port of the one-machine system; undefined for the deployed system. */
function readLocalPort(context: ConfigurationContext): number | undefined {
  if (context.configuration === undefined) return undefined;
  if (context.configuration !== 'local') {
    throw new ConfigurationError(`context configuration: expected "local", got "${context.configuration}"`);
  }
  const port = context.port === undefined ? defaultPort : Number(context.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new ConfigurationError(`context port: expected a number from 1 to 65535, got "${context.port}"`);
  }
  return port;
}
