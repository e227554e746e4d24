/** Runs the checks of an account, and prints what to do. */

import { join } from 'node:path';
import { UsageError } from '../command-line/command-line.ts';
import { accountConfiguration, readLocalSystem } from '../command-line/system.ts';
import { type ExitCode, exitCodeOf, type Terminal } from '../command-line/terminal.ts';
import { AccountUnreachable, accountRights, type CloudAccount, RightMissing } from './account.ts';
import type { AccountFinding } from './account-finding.ts';
import { awsAccount } from './aws-account.ts';
import { type Check, type Checked, checks, preflightRights } from './checks.ts';
import { readNeeds, type StageNeeds } from './needs.ts';

/** A finding with the check that made it. */
export type CheckResult = AccountFinding & { readonly check: string };

/**
 * Runs all checks. A check whose right is missing is `unknown` and names the right.
 *
 * @returns the findings in the order of the checks.
 */
export async function inspect(
  needs: StageNeeds,
  account: CloudAccount,
  now: Date,
): Promise<readonly CheckResult[]> {
  const stacks = await existingStacks(needs, account);
  const results: CheckResult[] = [];
  for (const check of checks) {
    const findings = await findingsOf(check, { needs, account, stacks, now });
    results.push(...findings.map((each) => ({ check: check.id, ...each })));
  }
  return results;
}

/** Status of the existing stacks, by name. Without the right to ask, none: the check `stacks` then names the right. */
async function existingStacks(
  needs: StageNeeds,
  account: CloudAccount,
): Promise<ReadonlyMap<string, string>> {
  const statuses = new Map<string, string>();
  for (const name of needs.stacks) {
    const status = await account.stackStatus(name).catch(ignoreMissingRight);
    if (status !== undefined) statuses.set(name, status);
  }
  return statuses;
}

function ignoreMissingRight(error: unknown): undefined {
  if (!(error instanceof RightMissing)) throw error;
}

async function findingsOf(check: Check, checked: Checked): Promise<readonly AccountFinding[]> {
  try {
    // The statuses were asked before; this asks for one again, so that a missing right is a finding of this check.
    if (check.id === 'stacks') await checked.account.stackStatus(checked.needs.stacks[0] ?? '');
    return [await check.find(checked)].flat();
  } catch (error) {
    if (!(error instanceof RightMissing)) throw error;
    const rights = check.asks.flatMap((each) => accountRights[each]);
    return [
      {
        state: 'unknown',
        found: `AWS refused the question: ${error.message}.`,
        act: `Allow ${rights.join(', ')}. \`npm run preflight -- --policy\` prints a policy with all rights of the checks.`,
      },
    ];
  }
}

const words = { ready: 'ready', todo: 'to do', unknown: 'unknown' } as const;

/** The report for a person: a line for each ready check, then a numbered list of acts. */
export function report({ stage, account, region }: StageNeeds, results: readonly CheckResult[]): string {
  const lines = results.map(
    ({ state, check, found }) => `${words[state].padEnd(7)}  ${check.padEnd(14)}  ${found}`,
  );
  const acts = results.filter(({ state }) => state !== 'ready');
  const list = acts.flatMap(({ act = '', found }, index) => [`${index + 1}. ${found}`, `   ${act}`]);
  const end =
    acts.length === 0
      ? [`Everything is ready: npx cdk deploy '${stage}/*'`]
      : ['To do, in this order:', '', ...list];
  return [`${stage}: account ${account}, ${region}`, '', ...lines, '', ...end].join('\n');
}

/** The identity-based policy that a caller of `npm run preflight` needs. */
export function policyDocument(): string {
  const statement = { Sid: 'Preflight', Effect: 'Allow', Action: preflightRights(), Resource: '*' };
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] }, undefined, 2);
}

const help = `npm run preflight -- <sandbox|production|portal> [--json]
npm run preflight -- --policy

Asks the stage's AWS account whether everything is there that the deployment needs. Reads only. Without AWS_PROFILE the local system answers.

--json     prints the findings as JSON
--policy   prints the IAM policy with the rights that the questions need

Exit codes: 0 everything is ready, 1 something is to do, 2 invalid command line, 3 something could not be found out.`;

interface PreflightDeps {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** Folder of the synthesized templates for AWS. */
  readonly assembly: string;
}

/** Runs `npm run preflight` with its arguments. */
export async function preflightCommand(args: readonly string[], deps: PreflightDeps): Promise<ExitCode> {
  const { terminal, variables } = deps;
  const asJson = args.includes('--json');
  const program = async (): Promise<ExitCode> => {
    const unknown = args.find(
      (arg) => arg.startsWith('--') && !['--json', '--policy', '--help'].includes(arg),
    );
    if (unknown !== undefined) throw new UsageError(`preflight has no option ${unknown}`);
    if (args.includes('--help')) {
      terminal.out(help);
      return 0;
    }
    if (args.includes('--policy')) {
      terminal.out(policyDocument());
      return 0;
    }
    const [stage, ...others] = args.filter((arg) => !arg.startsWith('--'));
    if (stage === undefined || others.length > 0) throw new UsageError('expected: preflight <stage>');
    const system = variables.AWS_PROFILE === undefined ? readLocalSystem() : undefined;
    const needs = readNeeds(system === undefined ? deps.assembly : localAssembly, stage);
    const account = awsAccount(accountConfiguration(system, needs.account), needs.account, needs.region);
    const results = await inspect(needs, account, new Date()).catch((error: unknown) => {
      if (!(error instanceof AccountUnreachable)) throw error;
      return error;
    });
    if (results instanceof AccountUnreachable) {
      const { message } = results;
      terminal.err(asJson ? JSON.stringify({ error: 'outcome_unknown', message }) : message);
      return 3;
    }
    terminal.out(asJson ? JSON.stringify({ ...summary(needs), findings: results }) : report(needs, results));
    if (results.some(({ state }) => state === 'todo')) return 1;
    return results.some(({ state }) => state === 'unknown') ? 3 : 0;
  };
  return await exitCodeOf(program, 'npm run preflight -- --help', terminal, asJson);
}

const localAssembly = join(import.meta.dirname, '../..', '.local', 'assembly');

function summary({ stage, account, region }: StageNeeds) {
  return { stage, account, region };
}
