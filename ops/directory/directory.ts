/** Commands `directory …`: builds and publications of the Provider Directory, and the sandbox's synthetic one. */

import { rmSync } from 'node:fs';
import { lineOfBusinessCodes, linesOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type {
  DirectoryBuild,
  DirectoryOperation,
  DirectoryOperationAnswer,
} from '../../lambdas/provider-directory/build/directory-operations-contract.ts';
import type { CommandGroup } from '../command-line/command.ts';
import { environmentOf, linesOfBusinessOf, UsageError } from '../command-line/command-line.ts';
import {
  askerOf,
  type CommandContext,
  commonOptions,
  dryRunOptions,
  isDryRun,
  lineOfBusinessOf,
} from '../command-line/operation.ts';
import { table } from '../command-line/table.ts';
import type { ExitCode } from '../command-line/terminal.ts';
import { readDropFolder } from '../loads/drop-folder.ts';
import { ingestBucketOf, s3Client } from '../loads/loads.ts';
import { uploadDrop } from '../loads/upload.ts';
import { uploadNppes } from './nppes.ts';
import { pageKey } from './page-key.ts';
import { printReport } from './report.ts';
import { writeSyntheticDrop } from './synthetic-drop.ts';

const nothingPublished = 'refused, or nothing is published';

/** `directory …`: builds and publications of the Provider Directory. */
export const directoryCommands: CommandGroup = {
  name: 'directory',
  about:
    'Publications of the Provider Directory: each reconciled load of a directory (`loads start --product directory`) starts a build. A build that is refused leaves the last publication.',
  commands: [
    {
      name: 'builds',
      about: 'Lists builds, newest first, with the reasons of those that were refused.',
      options: ['lob', 'limit', ...commonOptions],
      run: builds,
    },
    {
      name: 'show',
      about: 'Shows the publications that are kept: the current one, and the one before it.',
      options: ['lob', ...commonOptions],
      failure: nothingPublished,
      run: show,
    },
    {
      name: 'report',
      about: 'Shows how much of the published directory is verified and complete.',
      options: ['lob', 'findings', ...commonOptions],
      failure: nothingPublished,
      run: report,
    },
    {
      name: 'nppes <file>',
      about:
        'Uploads the NPIs of NPPES’s monthly CSV; builds of every LOB of the environment compare their directories with them.',
      options: ['lob', ...commonOptions],
      run: nppes,
    },
    {
      name: 'publish',
      about: 'Builds what is loaded, and waits.',
      options: ['lob', 'accept-loss', ...dryRunOptions],
      failure: 'refused, or not published',
      run: publish,
    },
    {
      name: 'page-key',
      about: 'Registers the portal’s page "Find a doctor" and gives it a subscription key.',
      options: dryRunOptions,
      run: pageKey,
    },
    {
      name: 'load-synthetic',
      about: 'Uploads a synthetic directory as a drop (not into a deployed production).',
      options: ['lob', 'roles', ...commonOptions],
      run: loadSynthetic,
    },
  ],
};

const ask = askerOf<DirectoryOperation, DirectoryOperationAnswer>(
  'directoryOperations',
  () => 'this line of business has no directory',
);

const lobOf = ({ values }: CommandContext) => lineOfBusinessOf(values, 'directory');

async function builds(operation: CommandContext): Promise<ExitCode> {
  const limit = Number(operation.values.limit ?? 20);
  const answer = await ask(operation, { action: 'builds', lob: lobOf(operation), limit }, 'builds');
  if (answer === undefined) return 1;
  printBuilds(operation, answer.builds);
  return 0;
}

function printBuilds({ values, print }: CommandContext, all: readonly DirectoryBuild[]): void {
  if (values.json === true) {
    print(JSON.stringify(all, undefined, 2));
    return;
  }
  const rows = all.map(({ id, state, startedAt, endedAt = '', resources = {}, bytes, reasons = [] }) => [
    ...[id, state, startedAt, endedAt],
    String(Object.values(resources).reduce((sum, each) => sum + each, 0)),
    bytes === undefined ? '' : `${(bytes / 1_000_000).toFixed(1)} MB`,
    reasons.map(({ code }) => code).join(', '),
  ]);
  print(table(['build', 'state', 'started', 'ended', 'resources', 'file', 'reasons'], rows));
  for (const { id, reasons = [] } of all) for (const { message } of reasons) print(`${id}: ${message}`);
}

async function show(operation: CommandContext): Promise<ExitCode> {
  const answer = await ask(operation, { action: 'show', lob: lobOf(operation) }, 'show');
  if (answer === undefined) return 1;
  const { print, values } = operation;
  if (values.json === true) print(JSON.stringify(answer, undefined, 2));
  else if (answer.current === undefined) print('nothing is published');
  else {
    const rows = (['current', 'previous'] as const).flatMap((kept) => {
      const publication = answer[kept];
      if (publication === undefined) return [];
      const { id, builtAt, bytes, resources } = publication;
      const counts = Object.entries(resources).map(([type, count]) => `${count} ${type}`);
      return [[kept, id, builtAt, `${(bytes / 1_000_000).toFixed(1)} MB`, counts.join(', ')]];
    });
    print(table(['', 'publication', 'built', 'file', 'resources'], rows));
  }
  return answer.current === undefined ? 1 : 0;
}

async function report(operation: CommandContext): Promise<ExitCode> {
  const answer = await ask(operation, { action: 'report', lob: lobOf(operation) }, 'report');
  return answer === undefined ? 1 : await printReport(operation, answer);
}

async function nppes(operation: CommandContext): Promise<ExitCode> {
  const [path = ''] = operation.words;
  const answer = await ask(operation, { action: 'bucket', lob: lobOf(operation) }, 'bucket');
  return answer === undefined ? 1 : await uploadNppes(operation, answer.bucket, path);
}

const pollMs = 500;
/** Longest wait for a build in milliseconds: a build may take a quarter of an hour, and is tried three times. */
const patienceMs = 50 * 60_000;

/** Starts a build from the loaded resources, and waits for its end. */
async function publish(operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  const lob = lobOf(operation);
  const request = { action: 'publish', lob, acceptLoss: values['accept-loss'] === true } as const;
  if (isDryRun(operation, request)) return 0;
  const newest = async () => (await ask(operation, { action: 'builds', lob, limit: 1 }, 'builds'))?.builds[0];
  const before = await newest();
  if ((await ask(operation, request, 'started')) === undefined) return 1;
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const build = await newest();
    if (build !== undefined && build.id !== before?.id && build.state !== 'running') {
      printBuilds(operation, [build]);
      return build.state === 'published' ? 0 : 1;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  print('the build has not ended: directory builds shows it');
  return 3;
}

/** Number of roles in a synthetic directory by default; with the resources they need, about two thousand resources. */
const usualRoles = 1_000;

/** Uploads a synthetic directory as a drop, for one LOB or for all that have a directory. The load and the build start by themselves. */
async function loadSynthetic(operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  if (environmentOf(values) === 'production' && operation.system === undefined) {
    throw new UsageError('a synthetic directory can’t be loaded into a deployed production');
  }
  const roles = Number(values.roles ?? usualRoles);
  if (!Number.isSafeInteger(roles) || roles < 1) throw new UsageError('--roles is a whole number');
  const chosen = values.lob === undefined ? lineOfBusinessCodes : linesOfBusinessOf(values.lob);
  const lobs = chosen.filter((lob) => linesOfBusiness[lob].providerDirectory);
  const bucket = await ingestBucketOf(operation);
  for (const lob of lobs) {
    const folder = await writeSyntheticDrop(lob, roles);
    try {
      const options = { lob, source: 'synthetic-directory', drop: `roles-${roles}`, kind: 'full' };
      const drop = await readDropFolder(folder, { ...options, product: 'directory' });
      await uploadDrop(s3Client(operation), bucket, drop, () => {});
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  print(
    `uploaded a directory of ${roles} roles for ${lobs.join(', ')}; loads list and directory builds show them`,
  );
  return 0;
}
