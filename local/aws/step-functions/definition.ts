/** Local Step Functions: parses state machine definitions. */

import { AssemblyError } from '../../assembly/assembly-error.ts';
import { compilePath } from './paths.ts';

/** A state as the definition has it. */
export interface StateDefinition {
  readonly Type: string;
  readonly [field: string]: unknown;
}

export interface MachineDefinition {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, StateDefinition>>;
}

/** Fields of the states language that the interpreter supports, by type of state. */
const fields: Readonly<Record<string, readonly string[]>> = {
  Task: ['Resource', 'Parameters', 'ResultPath', 'Retry', 'Catch', 'Next', 'End'],
  Pass: ['Result', 'ResultPath', 'Next', 'End'],
  Choice: ['Choices', 'Default'],
  Map: [
    ...['ItemsPath', 'ItemReader', 'ItemProcessor', 'MaxConcurrency', 'MaxConcurrencyPath', 'Label'],
    ...['ToleratedFailurePercentage', 'ResultPath', 'Catch', 'Next', 'End'],
  ],
  Wait: ['TimestampPath', 'SecondsPath', 'Next', 'End'],
  Succeed: [],
  Fail: ['Error', 'Cause'],
};

/** Error names in Retry and Catch that are supported here: all errors, and Lambda's own. */
const errorNames = /^(States\.ALL|Lambda\.\w+)$/;

const machineFields = ['StartAt', 'States', 'Comment', 'ProcessorConfig'];

/**
 * Parses a definition in the Amazon States Language. Features that the interpreter does not support are refused by name.
 *
 * @throws AssemblyError
 * @see https://states-language.net/spec.html
 */
export function readDefinition(text: string, place: string): MachineDefinition {
  let definition: unknown;
  try {
    definition = JSON.parse(text);
  } catch {
    throw new AssemblyError(`${place}: the definition is no JSON`);
  }
  checkMachine(definition as MachineDefinition, place);
  return definition as MachineDefinition;
}

function checkMachine(machine: MachineDefinition, place: string): void {
  refuseOthers(Object.keys(machine), machineFields, place);
  if (machine.States[machine.StartAt] === undefined) {
    throw new AssemblyError(`${place}: there is no state ${machine.StartAt}`);
  }
  for (const [name, state] of Object.entries(machine.States)) checkState(machine, state, `${place}: ${name}`);
}

function checkState(machine: MachineDefinition, state: StateDefinition, place: string): void {
  const known = fields[state.Type];
  if (known === undefined) throw unknown(`states of type ${state.Type}`, place);
  refuseOthers(Object.keys(state), ['Type', 'Comment', ...known], place);
  const next = [state.Next, state.Default, ...listOf(state.Catch).map(({ Next }) => Next)];
  for (const name of [...next, ...listOf(state.Choices).map(({ Next }) => Next)]) {
    if (name !== undefined && machine.States[String(name)] === undefined) {
      throw new AssemblyError(`${place}: there is no state ${String(name)}`);
    }
  }
  if (state.ResultPath !== undefined && state.ResultPath !== null)
    compilePath(String(state.ResultPath), place);
  checkParameters(state.Parameters, place);
  for (const rule of listOf(state.Choices)) {
    refuseOthers(Object.keys(rule), ['Variable', 'StringEquals', 'Next'], place);
    compilePath(String(rule.Variable), place);
  }
  for (const rule of listOf(state.Retry)) {
    const retried = ['IntervalSeconds', 'MaxAttempts', 'BackoffRate', 'MaxDelaySeconds', 'JitterStrategy'];
    refuseOthers(Object.keys(rule), ['ErrorEquals', ...retried], place);
  }
  for (const rule of listOf(state.Catch)) {
    refuseOthers(Object.keys(rule), ['ErrorEquals', 'ResultPath', 'Next'], place);
  }
  for (const rule of [...listOf(state.Retry), ...listOf(state.Catch)]) {
    const names = (rule.ErrorEquals ?? []) as readonly string[];
    const other = names.find((name) => !errorNames.test(name));
    if (other !== undefined) throw unknown(`ErrorEquals ${other}`, place);
  }
  if (state.Type === 'Task' && !String(state.Resource).startsWith('arn:aws:lambda:')) {
    throw unknown(`the resource ${String(state.Resource)}`, place);
  }
  if (state.Type === 'Wait') compilePath(String(state.SecondsPath ?? state.TimestampPath), place);
  if (state.MaxConcurrencyPath !== undefined) compilePath(String(state.MaxConcurrencyPath), place);
  if (state.Type === 'Map') checkMap(state, place);
}

function checkMap(state: StateDefinition, place: string): void {
  const { ProcessorConfig: config, ...processor } = state.ItemProcessor as MachineDefinition & {
    readonly ProcessorConfig?: { readonly Mode?: string; readonly ExecutionType?: string };
  };
  refuseOthers(Object.keys(config ?? {}), ['Mode', 'ExecutionType'], place);
  checkMachine(processor, place);
  if (state.ItemReader === undefined) {
    compilePath(String(state.ItemsPath ?? '$'), place);
    return;
  }
  if (config?.Mode !== 'DISTRIBUTED') throw unknown('an inline Map with an ItemReader', place);
  const reader = state.ItemReader as Readonly<Record<string, unknown>>;
  refuseOthers(Object.keys(reader), ['Resource', 'ReaderConfig', 'Parameters'], place);
  const { InputType, ...otherConfig } = reader.ReaderConfig as Readonly<Record<string, unknown>>;
  refuseOthers(Object.keys(otherConfig), [], place);
  if (reader.Resource !== 'arn:aws:states:::s3:getObject' || InputType !== 'JSON') {
    throw unknown(`the reader ${String(reader.Resource)} of ${String(InputType)}`, place);
  }
  checkParameters(reader.Parameters, place);
}

function checkParameters(parameters: unknown, place: string): void {
  for (const [name, value] of Object.entries((parameters ?? {}) as object)) {
    if (name.endsWith('.$')) compilePath(String(value), place);
    else if (typeof value === 'object' && value !== null)
      throw unknown('Parameters within Parameters', place);
  }
}

function refuseOthers(given: readonly string[], known: readonly string[], place: string): void {
  const [other] = given.filter((name) => !known.includes(name));
  if (other !== undefined) throw unknown(other, place);
}

function unknown(what: string, place: string): AssemblyError {
  return new AssemblyError(`${place}: ${what}: not known on one machine`);
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value : [];
}
