/** Carries out the steps of a release (`npm run release`). */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../command-line/command-line.ts';
import { localSystemFile } from '../command-line/system.ts';
import { table } from '../command-line/table.ts';
import { type ExitCode, exitCodeOf, type Terminal } from '../command-line/terminal.ts';
import { AssemblyChanged, stacksOf, verifyFingerprint, writeFingerprint } from './assembly.ts';
import { deployedTemplates } from './deployed.ts';
import { deployToMachine } from './machine.ts';
import {
  assemblyFolder,
  driftSteps,
  firstLineOfBusiness,
  machineSteps,
  type ReleaseStep,
  releaseSteps,
} from './steps.ts';
import { rightChanges, type Templates, templateChanges } from './template-changes.ts';

const everyStep = [...releaseSteps, ...machineSteps, ...driftSteps];

const help = `npm run release -- all [--yes]
npm run release -- STEP...
npm run release -- diff FOLDER STAGE

Carries out the steps of a release one after the other, and ends at the first that fails. \`all\` carries out the release, and asks before it
deploys to production; --yes answers. Where stages have accounts of their own, carry out the steps of each with its credentials, as
.github/workflows/release.yml does.

${everyStep.map(({ id, about }) => `  ${id.padEnd(19)} ${about}`).join('\n')}

diff compares the stage in ${assemblyFolder} with another cloud assembly instead of the account.

Exit codes: 0 done, 1 a step failed, 2 invalid command line, 3 AWS gave no answer.`;

interface ReleaseDeps {
  readonly terminal: Terminal;
  /** Folder of the repository. */
  readonly root: string;
  /** Runs a command in the repository, and returns its exit code. */
  readonly run: (command: readonly string[]) => number;
  /** Reads the deployed templates. @default from AWS */
  readonly deployed?: typeof deployedTemplates;
}

/** Runs `npm run release` with its arguments. */
export async function releaseCommand(args: readonly string[], deps: ReleaseDeps): Promise<ExitCode> {
  const { terminal, root } = deps;
  const program = async (): Promise<ExitCode> => {
    const words = args.filter((arg) => !arg.startsWith('--'));
    const wrong = args.find((arg) => arg.startsWith('--') && !['--yes', '--help'].includes(arg));
    if (wrong !== undefined) throw new UsageError(`release has no option ${wrong}`);
    if (args.includes('--help')) {
      terminal.out(help);
      return 0;
    }
    if (words[0] === 'diff') {
      const [, folder, stage, ...others] = words;
      if (folder === undefined || stage === undefined || others.length > 0) {
        throw new UsageError('expected: release diff FOLDER STAGE');
      }
      if (!existsSync(join(folder, `assembly-${stage}`))) {
        throw new UsageError(
          `${folder} is no cloud assembly with the stage ${stage}; expected the output of cdk synth`,
        );
      }
      terminal.out(changesText(templatesIn(folder, stage), templatesIn(join(root, assemblyFolder), stage)));
      return 0;
    }
    return await runSteps(stepsNamed(words), args.includes('--yes'), deps);
  };
  return await exitCodeOf(program, 'npm run release -- --help', terminal);
}

function stepsNamed(words: readonly string[]): readonly ReleaseStep[] {
  if (words.length === 0) throw new UsageError('expected the name of a step, or all');
  if (words[0] === 'all' && words.length === 1) return releaseSteps;
  return words.map((word) => {
    const step = everyStep.find(({ id }) => id === word);
    if (step === undefined) throw new UsageError(`release has no step ${word}`);
    return step;
  });
}

/** Carries out steps in order. The approval of a step that is named alone is the workflow's: its GitHub environment has reviewers. */
async function runSteps(
  steps: readonly ReleaseStep[],
  isApproved: boolean,
  deps: ReleaseDeps,
): Promise<ExitCode> {
  const { terminal } = deps;
  for (const step of steps) {
    terminal.out(`== ${step.id}: ${step.about}`);
    if (step.approval === true && steps.length > 1 && !isApproved && !(await isApprovedBy(terminal))) {
      terminal.err(`${step.id} was not approved. The steps before it are done; nothing after it was begun.`);
      return 1;
    }
    try {
      const code = await carryOut(step, deps);
      if (code !== 0) {
        terminal.err(`${step.id} failed with exit code ${code}. Nothing after it was begun.`);
        return 1;
      }
    } catch (error) {
      if (!(error instanceof AssemblyChanged)) throw error;
      terminal.err(`${step.id}: ${error.message}`);
      return 1;
    }
  }
  return 0;
}

async function isApprovedBy({ ask }: Terminal): Promise<boolean> {
  return (await ask?.('Deploy to production? Type production to approve: '))?.trim() === 'production';
}

async function carryOut({ act, stage }: ReleaseStep, deps: ReleaseDeps): Promise<number> {
  const { run, root, terminal, deployed = deployedTemplates } = deps;
  const folder = join(root, assemblyFolder);
  if ('fingerprint' in act) {
    terminal.out(`${assemblyFolder}: ${writeFingerprint(folder)}`);
    return 0;
  }
  // Everything that concerns a stage is done with the assembly that was built, or not at all.
  if (stage !== undefined) terminal.out(`${assemblyFolder}: ${verifyFingerprint(folder)}`);
  if ('command' in act) return run(act.command);
  if ('machine' in act) return await deployToMachine(firstLineOfBusiness, { ...deps, file: localSystemFile });
  const stacks = stacksOf(folder, act.changes);
  terminal.out(changesText(await deployed(stacks), templatesIn(folder, act.changes)));
  return 0;
}

function templatesIn(folder: string, stage: string): Templates {
  return new Map(stacksOf(folder, stage).map(({ name, template }) => [name, template]));
}

/** Two tables: the resources that change, and the rights that are gained or lost. */
export function changesText(deployed: Templates, released: Templates): string {
  const resources = templateChanges(deployed, released);
  const rights = rightChanges(deployed, released);
  const resourceRows = resources.map(({ stack, change, type, id }) => [stack, change, type, id]);
  const rightRows = rights.map(({ holder, change, action, on }) => [holder, change, action, on]);
  return [
    resourceRows.length === 0
      ? 'No resource changes.'
      : table(['stack', 'change', 'type', 'resource'], resourceRows),
    '',
    rightRows.length === 0 ? 'No right changes.' : table(['function', 'change', 'action', 'on'], rightRows),
  ].join('\n');
}
