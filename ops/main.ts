import { clientsCommand } from './clients.ts';
import { readCommandLine, UsageError } from './command-line.ts';
import { helpText } from './help.ts';
import { InvocationFailed } from './invoke.ts';
import { membersList, membersLoad, seed } from './members.ts';
import { createOperation, type ExitCode } from './operation.ts';
import { SystemFileBroken } from './system.ts';

/** The operator's command line: `npm run ops -- <command>`. */
async function run(args: readonly string[]): Promise<ExitCode> {
  const { words, values } = readCommandLine(args);
  if (values.help === true) {
    console.log(helpText(words));
    return 0;
  }
  const [subject, verb = '', ...rest] = words;
  const operation = createOperation(values, rest, process.env);
  if (subject === 'clients') return await clientsCommand(verb, operation);
  if (subject === 'seed' && verb === '') return await seed(operation);
  if (subject === 'members' && verb === 'list') return membersList(operation);
  if (subject === 'members' && verb === 'load') return await membersLoad(operation);
  throw new UsageError(words.length === 0 ? 'which command?' : `no command ${words.join(' ')}`);
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError || error instanceof SystemFileBroken) {
    console.error(`${error.message}\n(npm run ops -- --help)`);
    process.exitCode = 2;
  } else if (error instanceof InvocationFailed) {
    console.error(error.message);
    process.exitCode = 3;
  } else throw error;
}
