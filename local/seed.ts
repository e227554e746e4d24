import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from './run-node.ts';
import type { System } from './system.ts';

/**
 * Name of the file in the state directory that records a completed load. It changes with the loaded content, so that an older state
 * is loaded again.
 */
export const loadedFile = 'members-5.txt';

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
  const table = await runNode(projectDirectory, ['ops/main.ts', 'seed', '--system', system.systemFile], {
    AWS_ENDPOINT_URL: system.awsEndpoint,
    AWS_ACCESS_KEY_ID: system.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: system.credentials.secretAccessKey,
  });
  writeFileSync(loaded, table);
  return table;
}

/** Whether the state has test members of other content: a history that this content may contradict, so that loads are refused. */
export function hasOlderMembers(stateDirectory: string): boolean {
  return readdirSync(stateDirectory).some((name) => /^members.*\.txt$/.test(name) && name !== loadedFile);
}
