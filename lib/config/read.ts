import {
  type Configuration,
  ConfigurationError,
  type ConfigurationInput,
  parseConfiguration,
} from './configuration.ts';
import { defaultPort, local } from './local.ts';
import { production } from './production.ts';
import { sandbox } from './sandbox.ts';

/** The context values that choose between the deployed system and the one-machine system. */
export interface ConfigurationContext {
  /** `local`, or absent for the deployed system. */
  readonly configuration?: unknown;
  /** Port of the one-machine system; a number, or text as `--context` gives it. */
  readonly port?: unknown;
}

/**
 * Reads and checks every environment's configuration file.
 *
 * @throws ConfigurationError
 */
export function readConfigurations(context: ConfigurationContext): readonly Configuration[] {
  const overlay = readOverlay(context);
  return [
    parseConfiguration('lib/config/sandbox.ts', overlay(sandbox)),
    parseConfiguration('lib/config/production.ts', overlay(production)),
  ];
}

function readOverlay(context: ConfigurationContext): (input: ConfigurationInput) => ConfigurationInput {
  if (context.configuration === undefined) return (input) => input;
  if (context.configuration !== 'local') {
    throw new ConfigurationError(`context configuration: expected "local", got "${context.configuration}"`);
  }
  const port = context.port === undefined ? defaultPort : Number(context.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new ConfigurationError(`context port: expected a number from 1 to 65535, got "${context.port}"`);
  }
  return (input) => local(input, port);
}
