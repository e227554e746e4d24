/** Declares the commands of `npm run ops`, and parses a command line. Help, errors and shell completion are made from the declarations. */

import tab from '@bomb.sh/tab/commander';
import { CommanderError, Option, Command as Parser } from 'commander';
import { UsageError } from './command-line.ts';
import type { CommandContext } from './operation.ts';
import { type OptionDeclaration, type OptionName, type OptionValues, options } from './options.ts';
import { type ExitCode, exitCodes } from './terminal.ts';

/** A command with its options and implementation. */
export interface Command {
  /** Last word of the command's name, with its argument if it takes one: `suspend <client id>`. */
  readonly name: string;
  readonly about: string;
  readonly options: readonly OptionName[];
  /** Changes to the shared declarations of its options. */
  readonly own?: Readonly<Partial<Record<OptionName, Partial<OptionDeclaration>>>>;
  /** Meaning of exit code 1. @default refused */
  readonly failure?: string;
  readonly run: (context: CommandContext) => Promise<ExitCode> | ExitCode;
}

/** Commands on one subject, such as `loads start`, `loads list`. */
export interface CommandGroup {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly Command[];
}

/** A parsed command line. */
export interface CommandLine {
  readonly command: Command;
  /** The argument, if the command takes one. */
  readonly words: readonly string[];
  readonly values: OptionValues;
}

const about = `Operator’s command line: npm run ops -- <command>. A command invokes a function of the local system, or in your AWS account the one that --function or its variable names: ${[
  ...['PROVISIONING', 'INGEST', 'OPERATOR_GRANTS', 'AUDIT_VERIFY', 'KEY_ROTATION', 'LOAD_OPERATIONS'],
  ...['AUDIT_PATIENT_RECORD', 'AUDIT_APPLICATION_RECORD', 'OPERATOR_RECORD'],
  ...['DIRECTORY_OPERATIONS', 'JOB_OPERATIONS', 'ACCOUNT_SWEEP', 'APPLICATION_OPERATIONS'],
]
  .map((name) => `${name}_FUNCTION`)
  .join(', ')}.`;

/** Width of help in characters if the output is not a terminal. */
const helpWidth = 96;

/**
 * Parses a command line.
 *
 * @param print prints help.
 * @returns undefined if help or completion was requested, which is printed.
 * @throws UsageError for an unknown or missing command, argument or option.
 */
export function readCommandLine(
  declared: readonly (CommandGroup | Command)[],
  args: readonly string[],
  print: (text: string) => void = () => {},
): CommandLine | undefined {
  let found: CommandLine | undefined;
  const program = new Parser('ops')
    .description(about)
    .exitOverride()
    .helpCommand(false)
    .configureHelp({
      optionDescription: ({ description, argChoices: [first, ...others] = [] }) =>
        first === undefined || description.includes(first)
          ? description
          : `${description}: ${[first, ...others].join(', ')}`,
    })
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: () => {},
      getOutHelpWidth: () => process.stdout.columns ?? helpWidth,
    });
  const take = (line: CommandLine) => {
    found = line;
  };
  for (const each of declared) {
    if (!('commands' in each)) {
      addCommand(program, each, take);
      continue;
    }
    const group = program.command(each.name).description(each.about).helpCommand(false);
    group.summary(each.commands.map(({ name }) => wordOf(name)).join(', '));
    group.addHelpText('after', exitText());
    for (const command of each.commands) addCommand(group, command, take);
  }
  program.addHelpText('after', exitText());
  const isCompletion = args[0] === 'complete';
  if (isCompletion) tab(program);
  const ordered = isCompletion ? args : inOrder(args, declared);
  const [first = '--json'] = ordered;
  if (isOption(first)) throw new UsageError('no command given');
  try {
    program.parse(ordered, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code !== 'commander.helpDisplayed') throw new UsageError(messageOf(error, program, ordered));
  }
  return found;
}

/** The name of a command without its argument. */
const wordOf = (name: string) => name.split(' ', 1).join();

/** Moves the command's words to the beginning, since options may come before them. */
function inOrder(args: readonly string[], declared: readonly (CommandGroup | Command)[]): readonly string[] {
  const names = new Map(declared.map((each) => [wordOf(each.name), each]));
  const at = args.findIndex((word) => names.has(word));
  if (at < 0) return args;
  const [name = ''] = args.slice(at);
  const found = names.get(name);
  const rest = args.toSpliced(at, 1);
  return [name, ...(found !== undefined && 'commands' in found ? inOrder(rest, found.commands) : rest)];
}

const isOption = (word: string) => word.startsWith('--') && Object.hasOwn(options, word.slice(2));

function exitText(failure: string = exitCodes[1]): string {
  const codes = Object.entries({ ...exitCodes, 1: failure }).map(([code, says]) => `${code} ${says}`);
  return `\nExit codes: ${codes.join(', ')}.`;
}

function addCommand(parent: Parser, command: Command, take: (line: CommandLine) => void): void {
  const { about, failure } = command;
  const parser = parent.command(wordOf(command.name)).description(about);
  if (command.name.includes('<')) parser.argument(command.name.replace(/^.*?</, '<'));
  const names = new Map<string, OptionName>();
  for (const optionName of command.options) {
    const option = optionOf(optionName, { ...options[optionName], ...command.own?.[optionName] });
    names.set(option.attributeName(), optionName);
    parser.addOption(option);
  }
  parser.addHelpText('after', exitText(failure));
  parser.action(() => {
    const given = Object.entries(parser.opts<Record<string, unknown>>()).filter(
      ([attribute]) => parser.getOptionValueSource(attribute) === 'cli',
    );
    const values = Object.fromEntries(
      // `--no-pkce` is parsed as the value false of `pkce`.
      given.map(([attribute, value]) => [names.get(attribute), value === false ? true : value]),
    );
    take({ command, words: parser.args, values });
  });
}

function optionOf(name: string, { short, value, about, choices, isList, group }: OptionDeclaration): Option {
  const flags = [...(short === undefined ? [] : [`-${short}`]), `--${name}`].join(', ');
  const option = new Option(value === undefined ? flags : `${flags} <${value}>`, about);
  if (group !== undefined) option.helpGroup(`${group}:`);
  if (choices !== undefined) option.choices(choices);
  if (value === undefined) return option;
  return option.argParser((text: string, before: unknown) => {
    // The name of an option is not accepted as a value. Other text with a leading dash is, because one of 64 random keys begins with a
    // dash.
    if (isOption(text)) throw new UsageError(`--${name} lacks its value`);
    if (isList === true) return [...((before as readonly string[] | undefined) ?? []), text];
    if (choices?.includes(text) === false) {
      throw new UsageError(`--${name} must be one of ${choices.join(', ')}`);
    }
    return text;
  });
}

/** Rewords an error of the parser for the command that was meant. */
function messageOf({ code, message }: CommanderError, program: Parser, args: readonly string[]): string {
  const group = program.commands.find((each) => each.name() === args[0]);
  const command = group?.commands.find((each) => each.name() === args[1]) ?? group;
  const title = [group, ...(command === group ? [] : [command])].map((each) => each?.name()).join(' ');
  switch (code) {
    case 'commander.unknownCommand':
    case 'commander.help':
      if (group === undefined) return `${args[0]} is not a command`;
      return `${args.slice(0, 2).join(' ')} is not a command; use ${group.commands.map((each) => each.name()).join(', ')}`;
    case 'commander.unknownOption':
      return `${title} ${message.replace(/^error: unknown option '(.*?)'/, 'has no option $1')}`.trim();
    case 'commander.missingArgument':
    case 'commander.excessArguments':
      return [
        'expected:',
        title,
        ...(command?.registeredArguments ?? []).map((each) => `<${each.name()}>`),
      ].join(' ');
    default:
      return message.replace(/^error: /, '');
  }
}
