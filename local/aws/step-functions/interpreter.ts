/** Local Step Functions: interprets the states of an execution. */

import { quota } from '../../limits/quotas.ts';
import type { MachineDefinition, StateDefinition } from './definition.ts';
import { compilePath, fillParameters, type PathScope, placeResult } from './paths.ts';

/** Services the interpreter uses; each call is made with the state machine's role. */
export interface InterpreterDeps {
  /**
   * Invokes a function with JSON, and returns JSON.
   *
   * @throws TaskFailed
   */
  readonly invoke: (functionArn: string, payload: string) => Promise<string>;
  readonly readObject: (bucket: string, key: string) => string | Promise<string>;
  /**
   * Checks whether a distributed map may start executions.
   *
   * @throws TaskFailed
   */
  readonly checkDistributed: () => void;
  /** Resolves after the time, or when the system ends. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether the system is ending, so that no further state begins. */
  readonly isEnding: () => boolean;
}

/** A state failed; `error` is the error name that Catch and Fail use. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
  readonly error: string;
  constructor(error: string, cause: string) {
    super(cause);
    this.error = error;
  }
}

/** The system is ending; the execution is restarted at the next start. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const mostBytes = quota('executionState');

/**
 * Runs a definition from its first state to its last.
 *
 * @returns the output.
 * @throws TaskFailed if it fails.
 */
export async function interpret(
  deps: InterpreterDeps,
  machine: MachineDefinition,
  input: unknown,
  context: unknown,
  history: History = { events: 1 },
): Promise<unknown> {
  let data = input;
  for (let name = machine.StartAt; ; ) {
    if (deps.isEnding()) throw new Interrupted('the runner ends');
    const state = machine.States[name];
    if (state === undefined) throw new TaskFailed('States.Runtime', `there is no state ${name}`);
    record(history, 2);
    const { output, next } = await runState(deps, state, data, context, history);
    if (Buffer.byteLength(JSON.stringify(output) ?? '') > mostBytes) {
      throw new TaskFailed('States.DataLimitExceeded', `the output of ${name} is larger than 256 KB`);
    }
    data = output;
    if (next === undefined) return data;
    name = next;
  }
}

/** The event history of an execution. AWS records the entry and exit of each state, and three events for each attempt of a task. */
interface History {
  events: number;
}

/** The history of the execution is full; no Catch applies. */
export class HistoryFull extends Error {
  override readonly name = 'HistoryFull';
}

const mostEvents = quota('executionEvents');

function record(history: History, events: number): void {
  history.events += events;
  if (history.events > mostEvents) {
    throw new HistoryFull(`the execution has reached the maximum number of history events (${mostEvents})`);
  }
}

interface Step {
  readonly output: unknown;
  readonly next: string | undefined;
}

async function runState(
  deps: InterpreterDeps,
  state: StateDefinition,
  input: unknown,
  context: unknown,
  history: History,
): Promise<Step> {
  const next = state.Next === undefined ? undefined : String(state.Next);
  switch (state.Type) {
    case 'Succeed':
      return { output: input, next: undefined };
    case 'Fail':
      throw new TaskFailed(String(state.Error ?? 'Failed'), String(state.Cause ?? ''));
    case 'Pass': {
      const result = 'Result' in state ? state.Result : input;
      return { output: placeResult(state.ResultPath, input, result), next };
    }
    case 'Wait': {
      await deps.sleep(Math.max(0, waitingMs(deps, state, { input, context })));
      return { output: input, next };
    }
    case 'Choice':
      return { output: input, next: choose(state, input, context) };
    default:
      return await caught(state, input, async () => {
        const work = state.Type === 'Task' ? runTask : runMap;
        const result = await work(deps, state, input, context, history);
        return { output: placeResult(state.ResultPath, input, result), next };
      });
  }
}

function waitingMs(deps: InterpreterDeps, state: StateDefinition, scope: PathScope): number {
  const [ms, path] =
    state.SecondsPath === undefined
      ? [Date.parse(String(compilePath(String(state.TimestampPath))(scope))) - deps.now(), 'TimestampPath']
      : [Number(compilePath(String(state.SecondsPath))(scope)) * 1000, 'SecondsPath'];
  if (Number.isNaN(ms)) throw new TaskFailed('States.Runtime', `${path} leads to no time`);
  return ms;
}

function choose(state: StateDefinition, input: unknown, context: unknown): string {
  const rules = state.Choices as readonly { Variable: string; StringEquals: string; Next: string }[];
  const found = rules.find(
    ({ Variable, StringEquals }) => compilePath(Variable)({ input, context }) === StringEquals,
  );
  if (found !== undefined) return found.Next;
  if (state.Default === undefined) throw new TaskFailed('States.NoChoiceMatched', 'no choice matched');
  return String(state.Default);
}

interface CatchRule extends ErrorRule {
  readonly Next: string;
  readonly ResultPath?: unknown;
}

/** Applies `Catch`: the error is placed into the output by `ResultPath`. */
async function caught(state: StateDefinition, input: unknown, work: () => Promise<Step>): Promise<Step> {
  try {
    return await work();
  } catch (error) {
    const rule = ruleFor((state.Catch ?? []) as readonly CatchRule[], error);
    if (rule === undefined || error instanceof Interrupted || error instanceof HistoryFull) throw error;
    const told = { Error: errorName(error), Cause: error instanceof Error ? error.message : 'unknown' };
    return { output: placeResult(rule.ResultPath, input, told), next: rule.Next };
  }
}

interface ErrorRule {
  readonly ErrorEquals: readonly string[];
}

/** The first rule of a Retry or Catch that matches the error. */
function ruleFor<Rule extends ErrorRule>(rules: readonly Rule[], error: unknown): Rule | undefined {
  const name = errorName(error);
  return rules.find(({ ErrorEquals }) => ErrorEquals.includes(name) || ErrorEquals.includes('States.ALL'));
}

function errorName(error: unknown): string {
  if (error instanceof TaskFailed) return error.error;
  return error instanceof Error ? error.name : 'States.Runtime';
}

interface RetryRule extends ErrorRule {
  readonly IntervalSeconds?: number;
  readonly MaxAttempts?: number;
  readonly BackoffRate?: number;
  readonly MaxDelaySeconds?: number;
  readonly JitterStrategy?: string;
}

async function runTask(
  deps: InterpreterDeps,
  state: StateDefinition,
  input: unknown,
  context: unknown,
  history: History,
): Promise<unknown> {
  const payload = JSON.stringify(fillParameters(state.Parameters, { input, context }));
  const rules = (state.Retry ?? []) as readonly RetryRule[];
  /** Each rule counts its own attempts (states language, "Retrying after error"). */
  const attempts = new Map<RetryRule, number>();
  for (;;) {
    record(history, 3);
    try {
      return JSON.parse(await deps.invoke(String(state.Resource), payload));
    } catch (error) {
      const rule = ruleFor(rules, error);
      if (rule === undefined || deps.isEnding()) throw error;
      const attempt = attempts.get(rule) ?? 0;
      const { IntervalSeconds = 1, MaxAttempts = 3, BackoffRate = 2, MaxDelaySeconds = 86_400 } = rule;
      if (attempt >= MaxAttempts) throw error;
      attempts.set(rule, attempt + 1);
      const seconds = Math.min(MaxDelaySeconds, IntervalSeconds * BackoffRate ** attempt);
      await deps.sleep(1000 * seconds * (rule.JitterStrategy === 'FULL' ? Math.random() : 1));
    }
  }
}

async function runMap(
  deps: InterpreterDeps,
  state: StateDefinition,
  input: unknown,
  context: unknown,
  history: History,
): Promise<unknown> {
  const processor = state.ItemProcessor as MachineDefinition & {
    readonly ProcessorConfig?: { readonly Mode?: string };
  };
  // The iterations of a distributed map are executions of their own, each with its own history.
  const isDistributed = processor.ProcessorConfig?.Mode === 'DISTRIBUTED';
  const childHistory = isDistributed ? () => undefined : () => history;
  if (isDistributed) deps.checkDistributed();
  const items = await readItems(deps, state, { input, context });
  const results: unknown[] = new Array(items.length);
  const failures: unknown[] = [];
  const most = (items.length * Number(state.ToleratedFailurePercentage ?? 0)) / 100;
  let at = 0;
  const worker = async (): Promise<void> => {
    while (at < items.length && failures.length <= most) {
      const own = at;
      at += 1;
      try {
        results[own] = await interpret(deps, processor, items[own], context, childHistory());
      } catch (error) {
        if (error instanceof Interrupted || error instanceof HistoryFull) throw error;
        failures.push(error);
      }
    }
  };
  const { MaxConcurrencyPath: path, MaxConcurrency = 0 } = state;
  const given = path === undefined ? MaxConcurrency : compilePath(String(path))({ input, context });
  const atOnce = Math.min(items.length, Number(given) || 40);
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > most) throw failures[0];
  return results.filter((result) => result !== undefined);
}

async function readItems(
  deps: InterpreterDeps,
  state: StateDefinition,
  scope: { readonly input: unknown; readonly context: unknown },
): Promise<readonly unknown[]> {
  const reader = state.ItemReader as { readonly Parameters: unknown } | undefined;
  if (reader === undefined) return compilePath(String(state.ItemsPath ?? '$'))(scope) as readonly unknown[];
  const { Bucket, Key } = fillParameters(reader.Parameters, scope) as { Bucket: string; Key: string };
  const items: unknown = JSON.parse(await deps.readObject(Bucket, Key));
  if (!Array.isArray(items)) throw new TaskFailed('States.ItemReaderFailed', 'the object is no JSON array');
  return items;
}
