/** Values of the command line that several programs read: environments, lines of business. */

import { type Environment, environments } from '../../lambdas/catalog/environments.ts';
import {
  type LineOfBusiness,
  lineOfBusinessCodes,
  parseLineOfBusiness,
} from '../../lambdas/catalog/lines-of-business.ts';
import type { OptionValues } from './options.ts';

/** Thrown for an invalid command line; the message says what is expected. */
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

/** LOB codes, each its own `--lob` or separated by commas, in either case. */
export function linesOfBusinessOf(given: readonly string[]): LineOfBusiness[] {
  return listed(given).map((text) => {
    const lob = parseLineOfBusiness(text);
    if (lob === undefined) throw new UsageError(`--lob must be one of ${lineOfBusinessCodes.join(', ')}`);
    return lob;
  });
}

/** The values of an option that may be given several times or with commas. */
export function listed(given: readonly string[]): string[] {
  return given.flatMap((text) => text.split(',')).filter((text) => text !== '');
}
