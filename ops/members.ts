/** Commands `members …`, and the loading of synthetic members into the local system. */

import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { type Environment, environments } from '../lambdas/catalog/environments.ts';
import { type IngestAnswer, type MemberLoad, memberLoad } from '../lambdas/loads/ingest/ingest-contract.ts';
import { jsonFault } from '../lambdas/platform/kernel/json-faults.ts';
import type { TestMemberView } from '../lambdas/portal/api/views.ts';
import { membersSweepAccounts } from './account-sweep.ts';
import type { Command, CommandGroup } from './command-line/command.ts';
import { environmentOf, UsageError } from './command-line/command-line.ts';
import { InvocationFailed } from './command-line/invoke.ts';
import {
  type CommandContext,
  commonOptions,
  dryRunOptions,
  functionName,
  localOptions,
} from './command-line/operation.ts';
import { table } from './command-line/table.ts';
import type { ExitCode } from './command-line/terminal.ts';
import { membersGenerate } from './generate-members.ts';
import { type SyntheticMember, syntheticMembers } from './generator/members.ts';
import { payerCohort } from './generator/payer-cohort.ts';
import { sandboxPersonas, seededTestMembers, testMembers } from './generator/personas.ts';
import { loadRepresentation } from './load-representation.ts';
import { pathInMember, splitMemberLoad } from './member-parts.ts';
import { problemText, sendCommandRequest } from './portal/command-request.ts';
import { publication } from './portal/test-members.ts';

/**
 * Number of loads at once in each environment. In the cloud: enough to hide the round trips. Locally: as many as two cores can handle; more
 * would start more instances of the function, each waiting longer for the store.
 */
const loadsAtATime = { inTheCloud: 6, here: 2 } as const;

/**
 * Most attempts to send a part whose outcome is unknown. A function that timed out has loaded some of it, and finds that unchanged at the
 * next attempt.
 */
const mostTries = 5;

/** `members …`: load and list members. */
export const memberCommands: CommandGroup = {
  name: 'members',
  about: 'Loads and lists members.',
  commands: [
    {
      name: 'load',
      about:
        'Loads the members of a file, as lambdas/loads/ingest/ingest-contract.ts describes them. Without --file, loads the synthetic members (not into a deployed production). Sends large members in parts. Safe to repeat.',
      options: [...dryRunOptions, 'file'],
      run: membersLoad,
    },
    {
      name: 'list',
      about: 'Lists the synthetic members with their passwords, which are public test credentials.',
      options: ['environment', ...localOptions],
      run: membersList,
    },
    {
      name: 'represent',
      about:
        'Loads the personal representative among the sandbox’s synthetic members, by a drop, and waits. Load the members before.',
      options: commonOptions,
      run: loadRepresentation,
    },
    {
      name: 'generate',
      about:
        'Writes a synthetic population as a drop for the command `loads start`. With --dry-run, describes the first members.',
      options: [...localOptions, 'lob', 'members', 'seed', 'folder', 'dry-run'],
      run: membersGenerate,
    },
    {
      name: 'sweep-accounts',
      about:
        'Looks which accounts were disabled or enabled in the user pool, at once instead of within 15 minutes: no application refreshes a token of a disabled account.',
      options: dryRunOptions,
      run: membersSweepAccounts,
    },
  ],
};

export const seedCommand: Command = {
  name: 'seed',
  about:
    'Loads the synthetic members of both environments into the local system, and publishes the sandbox’s on the portal’s page of test members.',
  options: [...localOptions, 'personas', 'payer-cohort'],
  run: seed,
};

/** `members list`: the synthetic members and their public test credentials. */
function membersList(operation: CommandContext): ExitCode {
  const { values, print } = operation;
  const environment = environmentOf(values);
  const members = { [environment]: allSyntheticMembers(environment) };
  print(values.json === true ? asJson(members) : asTable(members));
  return 0;
}

/** `members load`: loads the synthetic members, or the members of a file, into one environment. */
async function membersLoad(operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  const environment = environmentOf(values);
  if (values.file === undefined) refuseSyntheticAmongReal(operation, environment);
  const members = values.file === undefined ? loadedMembers(environment) : readMembers(values.file);
  if (values['dry-run'] === true) {
    for (const member of members) print(JSON.stringify({ ...member, password: undefined }));
    return 0;
  }
  const refused = await loadMembers(operation, environment, members);
  if (values.json === true) print(JSON.stringify({ loaded: members.length - refused, refused }));
  else print(`${members.length - refused} of ${members.length} members loaded into ${environment}`);
  return refused === 0 ? 0 : 1;
}

function personaMembers(): readonly SyntheticMember[] {
  return sandboxPersonas().map(({ member }) => member);
}

/** The synthetic members for a deployed environment; in the sandbox including those for payers' tests. */
function loadedMembers(environment: Environment): readonly MemberLoad[] {
  return [...allSyntheticMembers(environment), ...(environment === 'sandbox' ? payerCohort() : [])];
}

/** The synthetic members of an environment that have a password, including personas. */
function allSyntheticMembers(environment: Environment): readonly SyntheticMember[] {
  return [...syntheticMembers(environment), ...(environment === 'sandbox' ? personaMembers() : [])];
}

/**
 * `seed`: loads the synthetic members into both local environments, and publishes the sandbox's on the portal's page of test members;
 * prints their table at the end if nothing was refused. With `--personas`: loads the sandbox's personas instead, which have thousands of
 * resources, and publishes them. With `--payer-cohort`: loads the members for other payers' tests.
 */
async function seed(operation: CommandContext): Promise<ExitCode> {
  const { values, print, system } = operation;
  if (system === undefined) throw new UsageError('seed needs the local system; run `npm start` first');
  if (values['payer-cohort'] === true) return await seedPayerCohort(operation);
  if (values.personas === true) return await seedPersonas(operation);
  const refused = await Promise.all(
    environments.map((environment) => loadMembers(operation, environment, syntheticMembers(environment))),
  );
  const published = await publishTestMembers(operation, seededTestMembers());
  if (refused.some((count) => count > 0) || !published) {
    const counts = environments.map((environment, at) => `${refused[at]} of ${environment}`).join(', ');
    print(
      `Some members were not loaded: refused ${counts}${published ? '' : '; the test members were not published in the portal'}`,
    );
    return 1;
  }
  const members = Object.fromEntries(environments.map((each) => [each, syntheticMembers(each)]));
  print(values.json === true ? asJson(members) : asTable(members));
  return 0;
}

async function seedPersonas(operation: CommandContext): Promise<ExitCode> {
  const personas = personaMembers();
  const refused = await loadMembers(operation, 'sandbox', personas);
  const published = refused === 0 && (await publishTestMembers(operation, testMembers()));
  operation.print(`${personas.length - refused} of ${personas.length} personas loaded`);
  return published ? 0 : 1;
}

async function seedPayerCohort(operation: CommandContext): Promise<ExitCode> {
  const members = payerCohort();
  const refused = await loadMembers(operation, 'sandbox', members);
  operation.print(`${members.length - refused} of ${members.length} members of the payers' cohort loaded`);
  return refused === 0 ? 0 : 1;
}

/**
 * Publishes the test members on the portal.
 *
 * @returns false if the portal refused them; true also for a system without a portal.
 */
async function publishTestMembers(
  operation: CommandContext,
  members: readonly TestMemberView[],
): Promise<boolean> {
  if (operation.system?.functions.portal === undefined) return true;
  const seeding = { ...operation, values: { ...operation.values, operator: 'Seed' } };
  const answer = await sendCommandRequest(seeding, publication(members));
  if (answer.kind === 'problem') operation.print(problemText(answer.problem));
  return answer.kind === 'result';
}

/**
 * Refuses synthetic members in a deployed production: their passwords are public, so they belong only into the local system and the
 * sandbox.
 */
function refuseSyntheticAmongReal(operation: CommandContext, environment: Environment): void {
  if (environment === 'production' && operation.system === undefined) {
    throw new UsageError(
      'synthetic members can’t be loaded into a deployed production; give --file with your members',
    );
  }
}

/**
 * Loads members, and prints each refusal.
 *
 * @returns the number of refused members.
 */
export async function loadMembers(
  operation: CommandContext,
  environment: Environment,
  members: readonly MemberLoad[],
): Promise<number> {
  const name = functionName(operation, 'ingest', environment);
  const waiting = [...members];
  let refused = 0;
  const worker = async (): Promise<void> => {
    for (let member = waiting.shift(); member !== undefined; member = waiting.shift()) {
      const issues = await loadParts(operation, name, member);
      if (issues.length === 0) continue;
      refused += 1;
      for (const { path, message } of issues) {
        operation.print(`refused: ${environment} ${member.lob} ${member.memberId} ${path}: ${message}`);
      }
    }
  };
  await Promise.all(
    Array.from(
      { length: operation.system === undefined ? loadsAtATime.inTheCloud : loadsAtATime.here },
      worker,
    ),
  );
  return refused;
}

/** Loads the parts of a member in order. A refused part ends the load; parts before it stay loaded. */
async function loadParts(
  operation: CommandContext,
  name: string,
  member: MemberLoad,
): Promise<readonly { readonly path: string; readonly message: string }[]> {
  for (const part of splitMemberLoad(member)) {
    const answer = await loadPart(operation, name, part);
    if (answer.kind === 'loaded') continue;
    return answer.issues.map(({ path, message }) => ({ path: pathInMember(path, part, member), message }));
  }
  return [];
}

/**
 * Loads one part.
 *
 * @throws InvocationFailed
 */
async function loadPart({ invoke }: CommandContext, name: string, part: MemberLoad): Promise<IngestAnswer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await invoke(name, part)) as IngestAnswer;
    } catch (error) {
      if (!(error instanceof InvocationFailed) || tries === mostTries) throw error;
    }
  }
}

/** Reads members from NDJSON, one on each line, in the format of the ingest contract. */
function readMembers(file: string): MemberLoad[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`--file: ${file} can't be read`);
  }
  return text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => readMember(line, `${file}, line ${number}`));
}

function readMember(line: string, where: string): MemberLoad {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new UsageError(`${where}: not JSON`);
  }
  // A repeated member of an object is refused, because the last one would silently replace the first.
  if (jsonFault(line) === 'duplicate_name') throw new UsageError(`${where}: an object has a name twice`);
  const parsed = z.safeParse(memberLoad, value);
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `${where}: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}: invalid value`,
  );
}

type MembersByEnvironment = Readonly<Record<string, readonly SyntheticMember[]>>;

function asTable(shown: MembersByEnvironment): string {
  const rows = Object.entries(shown).flatMap(([environment, members]) =>
    members.map((member) => [
      environment,
      member.lob,
      member.memberId,
      member.password,
      `${member.givenName} ${member.familyName}`,
      member.email,
      member.patientId,
    ]),
  );
  return table(['environment', 'lob', 'member id', 'password', 'name', 'e-mail', 'patient'], rows);
}

function asJson(shown: MembersByEnvironment): string {
  const members = Object.entries(shown).flatMap(([environment, own]) =>
    own.map(({ resources: _resources, ...member }) => ({ environment, ...member })),
  );
  return JSON.stringify(members, undefined, 2);
}
