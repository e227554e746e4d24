/** Options and dependencies that CLI commands share. */

import { userInfo } from 'node:os';
import type { Environment } from '../../lambdas/catalog/environments.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { environmentOf, linesOfBusinessOf, UsageError } from './command-line.ts';
import { createInvoke, type Invoke } from './invoke.ts';
import type { OptionName, OptionValues } from './options.ts';
import { type LocalSystem, readLocalSystem } from './system.ts';
import type { Terminal } from './terminal.ts';

/** The dependencies of a command. */
export interface CommandContext {
  readonly values: OptionValues;
  /** The command's argument, if it takes one. */
  readonly words: readonly string[];
  readonly print: (text: string) => void;
  /** Prints a line on standard error, apart from the command's output. */
  readonly note: (text: string) => void;
  /** Present if standard error is a terminal. */
  readonly live?: Terminal['live'];
  /** Asks the person a question; absent without a terminal. */
  readonly ask?: Terminal['ask'];
  readonly invoke: Invoke;
  /** The local system, if the command is sent to it. */
  readonly system: LocalSystem | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Options of a command that can be sent to the local system. */
export const localOptions: readonly OptionName[] = ['local', 'system', 'json'];

/** Options of a command that invokes a function of an environment. */
export const commonOptions: readonly OptionName[] = ['environment', 'function', ...localOptions];

/**
 * Options of commands that print their request with `--dry-run`. Commands without these options refuse `--dry-run`, so that they never act
 * on a dry run.
 */
export const dryRunOptions: readonly OptionName[] = [...commonOptions, 'dry-run'];

/** Chooses the local system, unless the operator's AWS profile is set. */
export function chooseSystem(
  values: OptionValues,
  variables: CommandContext['variables'],
): LocalSystem | undefined {
  const asked = values.local === true || values.system !== undefined;
  if (!asked && variables.AWS_PROFILE !== undefined) return undefined;
  const system = readLocalSystem(values.system);
  if (asked && system === undefined) {
    throw new UsageError('no local system is running; run `npm start` first');
  }
  return system;
}

export function createOperation(
  given: Pick<CommandContext, 'values' | 'words' | 'variables' | 'print' | 'note' | 'live' | 'ask'>,
): CommandContext {
  const system = chooseSystem(given.values, given.variables);
  return { ...given, system, invoke: createInvoke(system) };
}

/** Name or ARN of the function to invoke: from `--function`, the environment variable, or the local system. */
export function functionName(
  operation: CommandContext,
  name: keyof LocalSystem['functions'][Environment],
  environment: Environment = environmentOf(operation.values),
): string {
  const found = operation.values.function ?? findFunction(operation, name, environment);
  if (found === undefined) {
    throw new UsageError(
      `no function to invoke; start the local system (npm start), or set --function or ${variableOf(name)}`,
    );
  }
  return found;
}

/** A further function, beside the one that `--function` names; undefined if it is not known. */
export function findFunction(
  { system, variables, values }: CommandContext,
  name: keyof LocalSystem['functions'][Environment],
  environment: Environment = environmentOf(values),
): string | undefined {
  return system?.functions[environment][name] ?? variables[variableOf(name)];
}

/**
 * Name of the operator, for timelines and the audit trail. The name is not verified: if two operators must approve, the portal accepts no
 * approval from the command line.
 */
export function operatorName({ values, variables }: Pick<CommandContext, 'values' | 'variables'>): string {
  return values.operator ?? variables.OPERATOR ?? variables.USER ?? userInfo().username;
}

function variableOf(name: string): string {
  return `${name.replace(/[A-Z]/, '_$&').toUpperCase()}_FUNCTION`;
}

/**
 * The single line of business of a command.
 *
 * @param command its name, for the usage error.
 */
export function lineOfBusinessOf({ lob = [] }: OptionValues, command: string): LineOfBusiness {
  const [found, ...others] = linesOfBusinessOf(lob);
  if (found === undefined || others.length > 0) throw new UsageError(`${command} needs one --lob`);
  return found;
}

/**
 * Makes the function that sends requests to an operators' function. It takes a request and the kind of the expected response, and returns
 * undefined for a refusal, which it prints.
 *
 * @param refused makes the text of a refusal.
 */
export function askerOf<Request extends object, Answer extends { readonly kind: string }>(
  name: Parameters<typeof functionName>[1],
  refused: (refusal: Extract<Answer, { kind: 'refused' }>) => string,
) {
  return async <Kind extends Answer['kind']>(
    operation: CommandContext,
    request: Request,
    kind: Kind,
  ): Promise<Extract<Answer, { kind: Kind }> | undefined> => {
    const answer = (await operation.invoke(functionName(operation, name), request)) as Answer;
    if (answer.kind === kind) return answer as Extract<Answer, { kind: Kind }>;
    if (answer.kind !== 'refused') throw new Error(`${name} answered ${answer.kind}`);
    const refusal = answer as Extract<Answer, { kind: 'refused' }>;
    const message = refused(refusal);
    operation.print(
      operation.values.json === true ? JSON.stringify({ ...refusal, message }) : `refused: ${message}`,
    );
    return undefined;
  };
}

/** Whether `--dry-run` is set; then prints the request instead of sending it. */
export function isDryRun({ values, print }: CommandContext, request: object): boolean {
  if (values['dry-run'] === true) print(JSON.stringify(request, undefined, 2));
  return values['dry-run'] === true;
}
