/** Parses values that several programs take on their command line: environments, lines of business. */

import { type Environment, environments } from '../../lambdas/catalog/environments.ts';
import {
  type LineOfBusiness,
  lineOfBusinessCodes,
  parseLineOfBusiness,
} from '../../lambdas/catalog/lines-of-business.ts';
import type { OptionValues } from './options.ts';

/** The command line is invalid; the message says what is expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The value of `--environment`; the sandbox by default. */
export function environmentOf({
  environment: name = 'sandbox',
}: Pick<OptionValues, 'environment'>): Environment {
  const environment = environments.find((known) => known === name);
  if (environment === undefined)
    throw new UsageError(`--environment must be one of ${environments.join(', ')}`);
  return environment;
}

/** Parses LOB codes: in several `--lob` options or separated by commas, in upper or lower case. */
export function linesOfBusinessOf(given: readonly string[]): LineOfBusiness[] {
  return listed(given).map((text) => {
    const lob = parseLineOfBusiness(text);
    if (lob === undefined) throw new UsageError(`--lob must be one of ${lineOfBusinessCodes.join(', ')}`);
    return lob;
  });
}

/** The values of an option that may be repeated, or have several values separated by commas. */
export function listed(given: readonly string[]): string[] {
  return given.flatMap((text) => text.split(',')).filter((text) => text !== '');
}
