/** Reads the command line of `npm run ops`: options, environments, lines of business. */

import { parseArgs } from 'node:util';
import { type Environment, environments } from '../lambdas/catalog/environments.ts';
import {
  type LineOfBusiness,
  lineOfBusinessCodes,
  parseLineOfBusiness,
} from '../lambdas/catalog/lines-of-business.ts';

/** Thrown for an invalid command line; the message says what is expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const options = {
  environment: { type: 'string', short: 'e' },
  function: { type: 'string' },
  local: { type: 'boolean' },
  system: { type: 'string' },
  json: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  'request-id': { type: 'string' },
  name: { type: 'string' },
  'display-name': { type: 'string' },
  lob: { type: 'string', multiple: true },
  product: { type: 'string', multiple: true },
  grant: { type: 'string', multiple: true },
  'redirect-uri': { type: 'string', multiple: true },
  'logout-redirect-uri': { type: 'string', multiple: true },
  'initiate-login-uri': { type: 'string' },
  'application-uri': { type: 'string' },
  'privacy-uri': { type: 'string' },
  'terms-uri': { type: 'string' },
  'contact-email': { type: 'string' },
  public: { type: 'boolean' },
  key: { type: 'string' },
  jwks: { type: 'string' },
  'jwks-uri': { type: 'string' },
  'no-pkce': { type: 'boolean' },
  attested: { type: 'boolean' },
  tier: { type: 'string' },
  npi: { type: 'string', multiple: true },
  naic: { type: 'string', multiple: true },
  'tax-id': { type: 'string', multiple: true },
  oid: { type: 'string', multiple: true },
  'overlap-seconds': { type: 'string' },
  'created-at': { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  file: { type: 'string' },
  folder: { type: 'string' },
  members: { type: 'string' },
  seed: { type: 'string' },
  personas: { type: 'boolean' },
  'payer-cohort': { type: 'boolean' },
  source: { type: 'string' },
  drop: { type: 'string' },
  kind: { type: 'string' },
  'accept-loss': { type: 'boolean' },
  roles: { type: 'string' },
  findings: { type: 'string' },
  kid: { type: 'string' },
  patient: { type: 'string' },
  member: { type: 'string' },
  client: { type: 'string' },
  all: { type: 'boolean' },
  year: { type: 'string' },
  ledger: { type: 'string' },
  'seals-only': { type: 'boolean' },
  suspended: { type: 'boolean' },
  limit: { type: 'string' },
  after: { type: 'string' },
  state: { type: 'string' },
  version: { type: 'string' },
  criterion: { type: 'string' },
  field: { type: 'string' },
  reason: { type: 'string' },
  note: { type: 'string' },
  applications: { type: 'string', multiple: true },
  operator: { type: 'string' },
  email: { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  phone: { type: 'string' },
} as const;

export type OptionName = keyof typeof options;
export type OptionValues = ReturnType<typeof parse>['values'];

export interface CommandLine {
  /** The arguments that aren't options: `clients`, `suspend`, `<client id>`. */
  readonly words: readonly string[];
  readonly values: OptionValues;
}

function parse(args: readonly string[]) {
  return parseArgs({ args: joinValues(args, options), options, allowPositionals: true, strict: true });
}

/**
 * Joins an option to a value that begins with a dash: `--key -Ab1` becomes `--key=-Ab1`, which `parseArgs` takes. One of 64 random
 * keys and secrets begins so. The name of an option is no value.
 */
export function joinValues(
  args: readonly string[],
  options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>,
): string[] {
  const typeOf = (word: string) =>
    word.startsWith('--') && Object.hasOwn(options, word.slice(2)) ? options[word.slice(2)]?.type : undefined;
  const joined: string[] = [];
  for (const word of args) {
    const before = joined.at(-1) ?? '';
    if (
      typeOf(before) === 'string' &&
      word.startsWith('-') &&
      typeOf(word.split('=', 1)[0] ?? '') === undefined
    )
      joined[joined.length - 1] = `${before}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** @throws UsageError for an option that doesn't exist or lacks its value. */
export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const { positionals, values } = parse(args);
    return { words: positionals, values };
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'The command line cannot be read.',
    );
  }
}

/** Refuses options the command doesn't have. */
export function allowOnly(values: OptionValues, allowed: readonly OptionName[], command: string): void {
  for (const name of Object.keys(values)) {
    if (!(allowed as readonly string[]).includes(name)) {
      throw new UsageError(`${command} has no option --${name}`);
    }
  }
}

/** The value of `--environment`; the sandbox by default. */
export function environmentOf(values: OptionValues): Environment {
  const name = values.environment ?? 'sandbox';
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
