/** `npm start`: synthesizes, deploys and serves the whole system on this machine. */

import { join } from 'node:path';
import { AssemblyError } from './assembly/assembly-error.ts';
import { EngineFailed, EngineMissing } from './aws/dynamodb/engine.ts';
import { banner, missingMembersText } from './banner.ts';
import { limitsOf } from './limits/limits.ts';
import { OptionsError, readOptions, type StartOptions, usageText } from './options.ts';
import { CommandFailed } from './run-node.ts';
import {
  hasOlderMembers,
  seedDemonstration,
  seedDirectory,
  seedMembers,
  seedPayerCohort,
  seedPersonas,
} from './seed.ts';
import { StateDirectoryError } from './state-directory.ts';
import { startSystem } from './system.ts';

const projectDirectory = join(import.meta.dirname, '..');

/** Runs `npm start`: the whole system on this machine, until Ctrl-C. */
async function run(options: StartOptions): Promise<void> {
  const startedAt = performance.now();
  console.log('Starting …');
  const starting = startSystem({
    projectDirectory,
    port: options.port,
    stateDirectory: options.stateDirectory,
    fresh: options.fresh,
    context: options.context,
    planPortal: options.personas,
    limits: limitsOf(options.limits),
    accountGaps: options.accountGaps,
    log: (line) => console.log(line),
    requestLog: (line) => console.log(line),
    ...(options.verbose
      ? { functionLog: (line: string) => console.log(line), callLog: (line: string) => console.log(line) }
      : {}),
    ...(options.dynamoDbEndpoint === undefined ? {} : { dynamoDbEndpoint: options.dynamoDbEndpoint }),
  });
  endOnSignal(async () => (await starting.catch(() => undefined))?.stop());
  const system = await starting;
  const log = (line: string) => console.log(line);
  const members = await seedMembers(projectDirectory, options.stateDirectory, system, log).catch(
    (error: unknown) => ({
      missing: message(error),
      isOlderState: hasOlderMembers(options.stateDirectory),
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const elsewhere = options.stateDirectory !== join(projectDirectory, '.local');
  console.log(banner(system, members, seconds, elsewhere));
  if (typeof members !== 'object') {
    // Runs in the background, because the members' APIs work without it.
    const demonstrated = seedDemonstration(projectDirectory, options, system).catch((error: unknown) =>
      console.error(`The sandbox's demonstration could not be registered: ${message(error)}`),
    );
    // The directory is loaded in the background, because the members' APIs work without it.
    seedDirectory(projectDirectory, options, system).catch((error: unknown) =>
      console.error(`The synthetic Provider Directory could not be loaded: ${message(error)}`),
    );
    if (options.personas) {
      // After the demonstration, which loads a member of the cohort.
      demonstrated
        .then(() => seedPayerCohort(projectDirectory, options, system))
        .catch((error: unknown) => console.error(`The payers' cohort could not be loaded: ${message(error)}`))
        .then(() => seedPersonas(projectDirectory, options, system))
        .catch((error: unknown) =>
          console.error(`The sandbox's personas could not be loaded: ${message(error)}`),
        );
    }
  }
  // The message is printed last, where a reader looks for errors.
  if (typeof members === 'object') console.error(missingMembersText(system, members, elsewhere));
}

/** Ends the system in order at the first signal, and at once at a second one. */
function endOnSignal(stop: () => Promise<void>): void {
  let ending = false;
  const end = () => {
    if (ending) process.exit(130);
    ending = true;
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  // The terminal was closed.
  process.on('SIGHUP', end);
  // npm sends signals only to its shell, so the system ends when that shell is gone.
  const parent = process.ppid;
  const orphaned = () => {
    if (process.ppid !== parent && !ending) end();
  };
  if (process.env.npm_lifecycle_event !== undefined) setInterval(orphaned, 500).unref();
}

/** Text for an error: one line if a person can resolve it; for a defect, its stack. */
function explain(error: unknown, { port }: StartOptions): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `port ${port} is in use; stop the process that uses it, or choose another port: PORT=8081 npm start`;
  if (code === 'EACCES' && syscall === 'listen')
    return `port ${port} needs privileges this user does not have; choose another port: PORT=8081 npm start`;
  // For a full disk, or a folder without write permission, the message names the file.
  if (['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'].includes(code ?? '')) return message(error);
  const known = [EngineMissing, EngineFailed, AssemblyError, CommandFailed, StateDirectoryError];
  if (known.some((type) => error instanceof type)) return message(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<void> {
  let options: StartOptions;
  try {
    options = readOptions(process.argv.slice(2), process.env, projectDirectory);
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
  if (options.help) {
    console.log(usageText);
    return;
  }
  try {
    await run(options);
  } catch (error) {
    console.error(explain(error, options));
    process.exit(1);
  }
}

await main();
