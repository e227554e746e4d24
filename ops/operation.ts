/** Common options and dependencies of CLI commands. */

import type { Environment } from '../lambdas/catalog/environments.ts';
import { environmentOf, type OptionName, type OptionValues, UsageError } from './command-line.ts';
import { createInvoke, type Invoke } from './invoke.ts';
import { type LocalSystem, readLocalSystem } from './system.ts';

/** The dependencies of a command. */
export interface CommandContext {
  readonly values: OptionValues;
  /** The arguments after the command's two words. */
  readonly words: readonly string[];
  readonly print: (text: string) => void;
  readonly invoke: Invoke;
  /** The system on this machine, where the command goes to it. */
  readonly system: LocalSystem | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Options every command that invokes a function has. */
export const commonOptions: readonly OptionName[] = [
  'environment',
  'function',
  'local',
  'system',
  'json',
  'dry-run',
  'help',
];

/** This machine's system, unless the operator's AWS profile says otherwise. */
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
  given: Pick<CommandContext, 'values' | 'words' | 'variables' | 'print'>,
): CommandContext {
  const system = chooseSystem(given.values, given.variables);
  return { ...given, system, invoke: createInvoke(system) };
}

/** The function to invoke: `--function`, the environment variable, or the one of the system on this machine. */
export function functionName(
  operation: CommandContext,
  name: keyof LocalSystem['functions'][Environment],
  environment: Environment = environmentOf(operation.values),
): string {
  const variable = `${name.replace(/[A-Z]/, '_$&').toUpperCase()}_FUNCTION`;
  const found =
    operation.values.function ??
    operation.system?.functions[environment][name] ??
    operation.variables[variable];
  if (found === undefined) {
    throw new UsageError(
      `no function to invoke; start the local system (npm start), or set --function or ${variable}`,
    );
  }
  return found;
}
