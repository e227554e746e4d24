/** Loads the synthetic members and the synthetic directory when the local system starts. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartOptions } from './options.ts';
import { runNode } from './run-node.ts';
import type { System } from './system.ts';

/**
 * Name of the file in the state folder that records a completed load. Change it with the loaded content, so that an older state is loaded
 * again.
 */
export const loadedFile = 'members-8.txt';

/**
 * Loads the synthetic members by the operator's command line, through functions and AWS endpoint, as a platform team would. Does nothing if
 * the state has them already.
 *
 * @returns the printed table of members; undefined if the project has no such command.
 */
export async function seedMembers(
  projectDirectory: string,
  stateDirectory: string,
  system: System,
  log: (line: string) => void,
): Promise<string | undefined> {
  if (!existsSync(join(projectDirectory, 'ops', 'main.ts'))) return undefined;
  const loaded = join(stateDirectory, loadedFile);
  if (existsSync(loaded)) return readFileSync(loaded, 'utf8');
  log('Loading the test members …');
  const table = await runNode(
    projectDirectory,
    ['ops/main.ts', 'seed', '--system', system.systemFile],
    operatorVariables(system),
  );
  writeFileSync(loaded, table);
  return table;
}

/**
 * Name of the file that records an uploaded directory. Change it with the directory's content, and with the format of publications, so that
 * they are built again.
 */
const directoryFile = 'directory-3.txt';

/**
 * Uploads the sandbox's synthetic Provider Directory as a drop by the operator's command line, and gives the page that searches the
 * directory a subscription key. The drop is loaded in the background.
 */
export async function seedDirectory(
  projectDirectory: string,
  { stateDirectory, directoryRoles }: Pick<StartOptions, 'stateDirectory' | 'directoryRoles'>,
  system: System,
): Promise<void> {
  const uploaded = join(stateDirectory, directoryFile);
  if (!existsSync(join(projectDirectory, 'ops', 'main.ts')) || existsSync(uploaded)) return;
  const run = (...words: readonly string[]) =>
    runNode(
      projectDirectory,
      ['ops/main.ts', 'directory', ...words, '--system', system.systemFile],
      operatorVariables(system),
    );
  await run('page-key');
  writeFileSync(
    uploaded,
    await run('load-synthetic', ...(directoryRoles === undefined ? [] : ['--roles', String(directoryRoles)])),
  );
}

/** Name of the file that records the registered demonstration. Change it with the registration. */
const demonstrationFile = 'demonstration-2.txt';

/** Registers the sandbox's demonstration by the operator's command line, which the portal's pages call without an account. */
export async function seedDemonstration(
  projectDirectory: string,
  { stateDirectory }: Pick<StartOptions, 'stateDirectory'>,
  system: System,
): Promise<void> {
  const registered = join(stateDirectory, demonstrationFile);
  if (!existsSync(join(projectDirectory, 'ops', 'main.ts')) || existsSync(registered)) return;
  const words = ['ops/main.ts', 'clients', 'demonstrate', '--system', system.systemFile];
  writeFileSync(registered, await runNode(projectDirectory, words, operatorVariables(system)));
}

/** Name of the file that records the members for other payers' tests. Change it with their content. */
const payerCohortFile = 'payer-cohort-2.txt';

/** Loads the sandbox's members for other payers' tests by the operator's command line. */
export async function seedPayerCohort(
  projectDirectory: string,
  { stateDirectory }: Pick<StartOptions, 'stateDirectory'>,
  system: System,
): Promise<void> {
  const loaded = join(stateDirectory, payerCohortFile);
  if (!existsSync(join(projectDirectory, 'ops', 'main.ts')) || existsSync(loaded)) return;
  const words = ['ops/main.ts', 'seed', '--payer-cohort', '--system', system.systemFile];
  writeFileSync(loaded, await runNode(projectDirectory, words, operatorVariables(system)));
}

/** Name of the file that records loaded personas. Change it with their content. */
const personasFile = 'personas-3.txt';

/** Loads the sandbox's personas by the operator's command line, and shows them in the portal. */
export async function seedPersonas(
  projectDirectory: string,
  { stateDirectory }: Pick<StartOptions, 'stateDirectory'>,
  system: System,
): Promise<void> {
  const loaded = join(stateDirectory, personasFile);
  if (!existsSync(join(projectDirectory, 'ops', 'main.ts')) || existsSync(loaded)) return;
  const run = (...words: readonly string[]) =>
    runNode(
      projectDirectory,
      ['ops/main.ts', ...words, '--system', system.systemFile],
      operatorVariables(system),
    );
  const printed = await run('seed', '--personas');
  writeFileSync(loaded, `${printed}${await run('members', 'represent')}`);
}

function operatorVariables({ awsEndpoint, credentials }: System): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: awsEndpoint,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}

/**
 * Whether the state has test members of an earlier content. Their stored versions may contradict the current content, so that loads would
 * be refused.
 */
export function hasOlderMembers(stateDirectory: string): boolean {
  return readdirSync(stateDirectory).some((name) => /^members.*\.txt$/.test(name) && name !== loadedFile);
}
