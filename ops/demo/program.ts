/** The program `npm run demo`: its options, and a journey for each line of business. */

import { parseArgs } from 'node:util';
import { type Environment, environments } from '../../lambdas/catalog/environments.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { environmentOf, linesOfBusinessOf, UsageError } from '../command-line/command-line.ts';
import { createInvoke, InvocationFailed } from '../command-line/invoke.ts';
import { type LocalSystem, localOrigins, readLocalSystem } from '../command-line/system.ts';
import { type ExitCode, exitCodeOf, type Terminal } from '../command-line/terminal.ts';
import { createHttp } from '../http/client.ts';
import { runSmoke, type SmokeRequest } from '../smoke/smoke.ts';
import { Unexpected } from './expect.ts';
import { runJourney } from './journey.ts';
import { createMask } from './mask.ts';
import { createScene } from './scene.ts';
import { createTranscript } from './transcript.ts';

const help = `Runs an app and a member through HTTP against the local system: registration, consent, tokens, the Patient,
coverage, claims, prior authorizations, metadata, and calls that must be refused. Prints each request and response
with masked secrets.

  npm run demo -- [--lob CODE]... [--environment sandbox|production] [--all] [--quiet] [--system FILE]

  --lob          default DSNP; separate several with commas
  --environment  default sandbox
  --all          every line of business in both environments
  --quiet        print one line for each

npm run demo -- --target FILE [--environment sandbox|production] [--lob CODE]... [--mail ADDRESS] [--phone NUMBER]
                [--allow-synthetic-data] [--json | --quiet]

The smoke test of a deployed environment: the same journey, a rotated key, a search of the directory, a drop of ten rows, and
a code by e-mail and by text message. It ends the applications that it registered.

  --target       outputs of all stacks of the environment, as \`cdk deploy --outputs-file FILE\` writes them, or
                 .local/system.json. Calls AWS with the credentials of the environment's account
  --lob          default: all that are deployed
  --mail         your address, for the code by e-mail (on the local system: its inbox)
  --phone        your number in E.164 (+12025550100), for the code by text message, which takes a minute
  --allow-synthetic-data
                 write into a deployed production, too. Without it only reads are checked there
  --json         print the outcomes as JSON

Exit codes: 0 all responses match the contract, 1 a difference, 2 invalid command line.`;

type Options = ReturnType<typeof parse>['values'];

interface Asked {
  readonly pairs: readonly (readonly [Environment, LineOfBusiness])[];
  readonly quiet: boolean;
  readonly system: LocalSystem;
}

function readAsked(values: Options): Asked {
  const system = readLocalSystem(values.system);
  if (system === undefined) throw new UsageError('no local system is running; run `npm start` first');
  const asked = linesOfBusinessOf(values.lob ?? ['DSNP']);
  const one = environmentOf(values.environment === undefined ? {} : { environment: values.environment });
  const lobs = values.all === true && values.lob === undefined ? lineOfBusinessCodes : asked;
  const shown = values.all === true && values.environment === undefined ? environments : [one];
  const pairs = shown.flatMap((environment) => lobs.map((lob) => [environment, lob] as const));
  return { pairs, quiet: values.quiet === true, system };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        lob: { type: 'string', multiple: true },
        environment: { type: 'string', short: 'e' },
        all: { type: 'boolean' },
        quiet: { type: 'boolean', short: 'q' },
        system: { type: 'string' },
        target: { type: 'string' },
        mail: { type: 'string' },
        phone: { type: 'string' },
        'allow-synthetic-data': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The command line cannot be read.');
  }
}

/** Runs `npm run demo`. */
export async function runDemo(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const program = async (): Promise<ExitCode> => {
    const { values } = parse(args);
    if (values.help === true) {
      terminal.out(help);
      return 0;
    }
    if (values.target !== undefined)
      return await runSmoke(smokeRequest(values.target, values), process.env, terminal);
    const wrong = (['mail', 'phone', 'allow-synthetic-data', 'json'] as const).find((name) => values[name]);
    if (wrong !== undefined) throw new UsageError(`--${wrong} is for the smoke test; give --target too`);
    return await run(readAsked(values), terminal);
  };
  return await exitCodeOf(program, 'npm run demo -- --help', terminal, args.includes('--json'));
}

/** Makes the request for a smoke test of the options. */
function smokeRequest(file: string, values: Options): SmokeRequest {
  for (const name of ['system', 'all'] as const) {
    if (values[name] !== undefined) throw new UsageError(`--${name} and --target exclude each other`);
  }
  const { mail: email, phone } = values;
  if (email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    throw new UsageError(`--mail ${email}: expected an e-mail address`);
  }
  if (phone !== undefined && !/^\+1\d{10}$/.test(phone)) {
    throw new UsageError(`--phone ${phone}: expected a US number like +12025550100`);
  }
  return {
    file,
    environment: environmentOf(values.environment === undefined ? {} : { environment: values.environment }),
    lobs: values.lob === undefined ? undefined : linesOfBusinessOf(values.lob),
    allowsSyntheticData: values['allow-synthetic-data'] === true,
    email,
    phone,
    json: values.json === true,
    quiet: values.quiet === true,
  };
}

async function run({ pairs, quiet, system }: Asked, terminal: Terminal): Promise<ExitCode> {
  const http = createHttp();
  const invoke = createInvoke(system);
  for (const [environment, lob] of pairs) {
    const mask = createMask();
    const lines: string[] = [];
    const write = quiet ? (line: string) => void lines.push(line) : terminal.out;
    const began = performance.now();
    try {
      const transcript = createTranscript(http, mask, write);
      const origins = localOrigins(system, environment);
      const provisioningFunction = system.functions[environment].provisioning;
      await runJourney(createScene({ environment, lob, origins, provisioningFunction, invoke, transcript }));
    } catch (error) {
      // After a failure the end of the transcript is printed in quiet mode too.
      for (const line of lines.slice(-40)) terminal.out(line);
      terminal.err(`\nFAILED ${environment} ${lob}: ${mask.hide(failure(error))}`);
      return 1;
    }
    terminal.out(
      `${quiet ? '' : '\n'}ok ${environment} ${lob} (${Math.round(performance.now() - began)} ms)`,
    );
  }
  return 0;
}

function failure(error: unknown): string {
  if (error instanceof Unexpected || error instanceof InvocationFailed) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
