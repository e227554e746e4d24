/** Loads the synthetic members and the synthetic directory when the local system starts. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartOptions } from './options.ts';
import { runNode } from './run-node.ts';
import type { System } from './system.ts';

/**
 * Name of the file in the state directory that records a completed load. It changes with the loaded content, so that an older state
 * is loaded again.
 */
export const loadedFile = 'members-8.txt';

/**
 * Has the operator's command line load the synthetic members, through the functions and the AWS endpoint as a platform
 * team would. State that has them already is left alone.
 *
 * @returns the table of members it prints; undefined where the project has no such command.
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

/** Name of the file that records an uploaded directory. It changes with its content, and with the format of publications: they are built anew. */
const directoryFile = 'directory-3.txt';

/** Has the operator's command line upload the sandbox's synthetic Provider Directory as a drop, which is loaded in the background, and give the page that searches it a key. */
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

/** Name of the file that records the members other payers test with. It changes with their content. */
const payerCohortFile = 'payer-cohort-2.txt';

/** Has the operator's command line load the members of the sandbox that other payers test with. */
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

/** Name of the file that records loaded personas. It changes with their content. */
const personasFile = 'personas-2.txt';

/** Has the operator's command line load the sandbox's personas and show them in the portal. */
export async function seedPersonas(
  projectDirectory: string,
  { stateDirectory }: Pick<StartOptions, 'stateDirectory'>,
  system: System,
): Promise<void> {
  const loaded = join(stateDirectory, personasFile);
  if (!existsSync(join(projectDirectory, 'ops', 'main.ts')) || existsSync(loaded)) return;
  const words = ['ops/main.ts', 'seed', '--personas', '--system', system.systemFile];
  writeFileSync(loaded, await runNode(projectDirectory, words, operatorVariables(system)));
}

function operatorVariables({ awsEndpoint, credentials }: System): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: awsEndpoint,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}

/** Whether the state has test members of other content: a history that this content may contradict, so that loads are refused. */
export function hasOlderMembers(stateDirectory: string): boolean {
  return readdirSync(stateDirectory).some((name) => /^members.*\.txt$/.test(name) && name !== loadedFile);
}
