import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** What `npm start -- …` was asked for. */
export interface StartOptions {
  readonly port: number;
  /** Begin with no state. */
  readonly fresh: boolean;
  /** Function logs and the stand-ins' remarks on the terminal too. */
  readonly verbose: boolean;
  readonly help: boolean;
  /** Folder of everything that outlives the process. */
  readonly stateDirectory: string;
  /** A DynamoDB of the person's own. */
  readonly dynamoDbEndpoint?: string;
}

/** A command line that means nothing here; the message is one line. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

export const usage = `npm start -- [options]

  --port N     port of every host (also the variable PORT); 8080 unless given
  --fresh      forget all state first
  --state DIR  folder of the state; .local unless given
  --verbose    what the functions log, too
  --help       this`;

/** @throws OptionsError */
export function readOptions(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  projectDirectory: string,
): StartOptions {
  const values = parse(args);
  const port = Number(values.port ?? environment.PORT ?? 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new OptionsError(
      `${values.port ?? environment.PORT} is no port: a number from 1 to 65535 is needed`,
    );
  }
  const endpoint = environment.AWS_ENDPOINT_URL_DYNAMODB;
  return {
    port,
    fresh: values.fresh === true,
    verbose: values.verbose === true,
    help: values.help === true,
    stateDirectory: values.state ?? join(projectDirectory, '.local'),
    ...(endpoint === undefined || endpoint === '' ? {} : { dynamoDbEndpoint: endpoint }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        fresh: { type: 'boolean' },
        verbose: { type: 'boolean' },
        state: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new OptionsError(`${(error as Error).message} (npm start -- --help)`);
  }
}
