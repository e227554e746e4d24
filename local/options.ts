/** Parses the command line of `npm start`. */

import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type AccountGap, accountGaps, isAccountGap } from './aws/account/account-gaps.ts';
import { type LimitsMode, limitsModes } from './limits/limits.ts';

/** Options of `npm start -- …`. */
export interface StartOptions {
  readonly port: number;
  /** Whether to begin without state. */
  readonly fresh: boolean;
  /** Whether to print function logs and messages of the stand-ins on the terminal too. */
  readonly verbose: boolean;
  readonly help: boolean;
  /** Folder of all state that survives the process. */
  readonly stateDirectory: string;
  /** Address of another DynamoDB to use instead of the embedded engine. */
  readonly dynamoDbEndpoint?: string;
  /** Number of roles in each LOB's synthetic Provider Directory; undefined for the command's default. */
  readonly directoryRoles?: number;
  /**
   * Whether to load the sandbox's personas and the members for other payers' tests, in the background, and to let members of one line of
   * business sign in at a stand-in of a member portal.
   */
  readonly personas: boolean;
  readonly limits: LimitsMode;
  /** The things that the account lacks, for rehearsals of `npm run preflight`. */
  readonly accountGaps: ReadonlySet<AccountGap>;
  /** Context values of the CDK app, as with `cdk --context`. */
  readonly context: Readonly<Record<string, string>>;
}

/** The command line is invalid; the message is one line. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

export const usageText = `npm start -- [options]

  --port N     port of every host (or the variable PORT); default 8080; 0 selects a free one
  --fresh      delete the state first
  --state DIR  folder of the state; default .local
  --directory-roles N
               roles of each synthetic Provider Directory; default 1000
  --without-personas
               leave out the sandbox's personas and its members for other payers,
               who are loaded in the background, and the stand-in of a plan's
               member portal
  --limits aws|local|off
               how strictly AWS's quotas are kept (concurrency, capacity of tables, rates):
               as in AWS, scaled to this machine, or not at all; default local
  --account-lacks NAME
               lets the AWS account lack something, to rehearse npm run preflight;
               may be repeated: ${Object.keys(accountGaps).join(', ').replace('issued', '\n               issued').replace('log-role', '\n               log-role')}
  --verbose    print the functions' logs and their AWS calls
  --context NAME=VALUE
               context of the CDK app, as for cdk deploy; may be repeated
  --help       print this help`;

/**
 * Parses the options.
 *
 * @throws OptionsError
 */
export function readOptions(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  projectDirectory: string,
): StartOptions {
  const values = parse(args);
  if (values.state === '') throw new OptionsError('--state needs a folder');
  // An empty variable counts as unset.
  const port = readPort(values.port ?? (environment.PORT || '8080'));
  const endpoint = environment.AWS_ENDPOINT_URL_DYNAMODB;
  return {
    port,
    fresh: values.fresh === true,
    verbose: values.verbose === true,
    help: values.help === true,
    personas: values['without-personas'] !== true,
    // The path must be absolute, because programs that start in the project's folder get it.
    stateDirectory: resolve(values.state ?? join(projectDirectory, '.local')),
    limits: readLimits(values.limits ?? 'local'),
    accountGaps: new Set((values['account-lacks'] ?? []).map(readGap)),
    context: readContext(values.context ?? []),
    ...(values['directory-roles'] !== undefined && { directoryRoles: readRoles(values['directory-roles']) }),
    ...(endpoint === undefined || endpoint === '' ? {} : { dynamoDbEndpoint: endpoint }),
  };
}

function readRoles(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new OptionsError(`--directory-roles ${text} is invalid; use a number from 1`);
}

function readLimits(text: string): LimitsMode {
  const mode = limitsModes.find((each) => each === text);
  if (mode !== undefined) return mode;
  throw new OptionsError(`--limits ${text} is invalid; use ${limitsModes.join(', ')}`);
}

function readGap(text: string): AccountGap {
  if (isAccountGap(text)) return text;
  throw new OptionsError(`--account-lacks ${text} is invalid; use ${Object.keys(accountGaps).join(', ')}`);
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new OptionsError(`${text === '' ? 'nothing' : text} is not a port; use a number from 1 to 65535`);
}

/** Parses context values, and refuses those that the local system sets itself: `configuration` and `port`. */
function readContext(texts: readonly string[]): Record<string, string> {
  const pairs = texts.map((text) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new OptionsError(`--context ${text} is invalid; use NAME=VALUE`);
    if (name === 'configuration' || name === 'port')
      throw new OptionsError(`--context ${name} can't be set here`);
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        fresh: { type: 'boolean' },
        verbose: { type: 'boolean' },
        'directory-roles': { type: 'string' },
        'without-personas': { type: 'boolean' },
        limits: { type: 'string' },
        'account-lacks': { type: 'string', multiple: true },
        state: { type: 'string' },
        context: { type: 'string', multiple: true },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    const [what = ''] = (error as Error).message.split('\n');
    throw new OptionsError(`${what} (npm start -- --help)`);
  }
}
