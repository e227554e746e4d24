/** Dispatches the commands of `npm run ops`. */

import { sweepAccountsCommand } from './account-sweep.ts';
import { auditVerify } from './audit.ts';
import { auditMetrics } from './audit-metrics.ts';
import { auditReads } from './audit-reads.ts';
import { clientsCommand } from './clients.ts';
import { readCommandLine, UsageError } from './command-line.ts';
import { directoryCommand } from './directory/directory.ts';
import { membersGenerate } from './generate-members.ts';
import { grantsCommand } from './grants.ts';
import { helpText } from './help.ts';
import { jobsCommand } from './jobs.ts';
import { keysCommand } from './keys.ts';
import { loadsCommand } from './loads/loads.ts';
import { membersList, membersLoad, seed } from './members.ts';
import { type CommandContext, createOperation } from './operation.ts';
import { accountsCommand } from './portal/accounts.ts';
import { appsCommand } from './portal/apps.ts';
import { operatorsCommand } from './portal/operators.ts';
import { testMembersCommand } from './portal/test-members.ts';
import { type ExitCode, exitCodeOf, type Terminal } from './terminal.ts';

/** The operator's command line: `npm run ops -- <command>`. */
export async function runOps(
  args: readonly string[],
  variables: CommandContext['variables'],
  terminal: Terminal,
): Promise<ExitCode> {
  const program = () => run(args, variables, terminal);
  return await exitCodeOf(program, 'npm run ops -- --help', terminal, args.includes('--json'));
}

async function run(
  args: readonly string[],
  variables: CommandContext['variables'],
  terminal: Terminal,
): Promise<ExitCode> {
  const { words, values } = readCommandLine(args);
  if (values.help === true) {
    terminal.out(helpText(words));
    return 0;
  }
  const [subject, verb = '', ...rest] = words;
  const { out: print, err: note, live, ask } = terminal;
  const operation = createOperation({ values, words: rest, variables, print, note, live, ask });
  if (subject === 'clients') return await clientsCommand(verb, operation);
  if (subject === 'seed' && verb === '') return await seed(operation);
  if (subject === 'members' && verb === 'list') return membersList(operation);
  if (subject === 'members' && verb === 'generate') return membersGenerate(operation);
  if (subject === 'members' && verb === 'sweep-accounts') return await sweepAccountsCommand(operation);
  if (subject === 'members' && verb === 'load') return await membersLoad(operation);
  if (subject === 'audit' && verb === 'verify') return await auditVerify(operation);
  if (subject === 'audit' && verb === 'reads') return await auditReads(operation);
  if (subject === 'audit' && verb === 'metrics') return await auditMetrics(operation);
  if (subject === 'grants') return await grantsCommand(verb, operation);
  if (subject === 'loads') return await loadsCommand(verb, operation);
  if (subject === 'jobs') return await jobsCommand(verb, operation);
  if (subject === 'directory') return await directoryCommand(verb, operation);
  if (subject === 'keys') return await keysCommand(verb, operation);
  if (subject === 'apps') return await appsCommand(verb, operation);
  if (subject === 'accounts') return await accountsCommand(verb, operation);
  if (subject === 'operators') return await operatorsCommand(verb, operation);
  if (subject === 'test-members') return await testMembersCommand(verb, operation);
  throw new UsageError(words.length === 0 ? 'no command given' : `${words.join(' ')} is not a command`);
}
