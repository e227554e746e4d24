/** Local Step Functions: starts, stores and resumes executions. */

import { randomUUID } from 'node:crypto';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import type { PublishMetric } from '../../cloudwatch/metrics.ts';
import type { InvokeFunction } from '../../lambda/invocation.ts';
import { roleAllows } from '../iam/roles.ts';
import type { State } from '../protocol/state.ts';
import type { ObjectStore } from '../s3/object-store.ts';
import { type MachineDefinition, readDefinition } from './definition.ts';
import { type InterpreterDeps, Interrupted, interpret, TaskFailed } from './interpreter.ts';

/** The state machines of the templates, and their executions. */
export interface Executions {
  has(machineArn: string): boolean;
  /** The status of an execution, and its start in seconds since 1970; undefined if there is no execution with this ARN. */
  describe(
    executionArn: string,
  ): { readonly status: string; readonly stateMachineArn: string; readonly startDate: number } | undefined;
  /**
   * Starts an execution and returns at once. A repeat with the same name and input is the same execution.
   *
   * @returns its ARN and start; undefined if the name belongs to an execution with another input, or one that has ended.
   */
  start(
    machineArn: string,
    input: string,
    name?: string,
  ): { readonly executionArn: string; readonly startDate: number } | undefined;
  /**
   * Ends a running execution before its next state, as an operator would.
   *
   * @returns whether it was running.
   */
  abort(executionArn: string): boolean;
  /** Restarts the executions that were running when the system ended; steps of state machines may be repeated. */
  resume(): void;
  /** Starts nothing more, and waits for running executions to end. */
  stop(): Promise<void>;
}

interface Machine {
  readonly resource: Resource;
  readonly definition: MachineDefinition;
}

interface ExecutionRow {
  readonly arn: string;
  readonly machine: string;
  readonly input: string;
}

/** Converts Lambda's refusal of a further concurrent execution to Step Functions' error name. */
function throttled(error: unknown): never {
  if (error instanceof Error && error.name === 'FunctionThrottled') {
    throw new TaskFailed('Lambda.TooManyRequestsException', 'Rate Exceeded.');
  }
  throw error;
}

/** Longest timeout of a Node timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/**
 * Reads the state machines of the templates.
 *
 * @throws AssemblyError for a definition, or a part of one, that is not supported here.
 */
export function executions(deps: {
  readonly assembly: Assembly;
  readonly state: State;
  readonly objects: ObjectStore;
  readonly invoke: InvokeFunction;
  readonly now: () => number;
  readonly log: (line: string) => void;
  readonly publish?: PublishMetric;
}): Executions {
  const { assembly, state, now, log, publish = () => {} } = deps;
  state.define(`CREATE TABLE IF NOT EXISTS states_executions (
    arn TEXT PRIMARY KEY, machine TEXT NOT NULL, input TEXT NOT NULL, status TEXT NOT NULL, started INTEGER NOT NULL)`);
  const machines = new Map(
    assembly.ofType('AWS::StepFunctions::StateMachine').map((resource): [string, Machine] => {
      const place = `stack ${resource.stack}: ${resource.logicalId}`;
      return [
        resource.arn,
        { resource, definition: readDefinition(String(resource.properties.DefinitionString), place) },
      ];
    }),
  );
  const underWay = new Set<Promise<void>>();
  const sleeping = new Set<() => void>();
  const aborted = new Set<string>();
  let ending = false;

  function sleep(ms: number): Promise<void> {
    if (ending) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        sleeping.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(ms, longestTimer));
      sleeping.add(wake);
    });
  }

  function interpreterDeps({ resource }: Machine, executionArn: string): InterpreterDeps {
    const role = String(resource.properties.RoleArn);
    const check = (action: string, on: string) => {
      if (roleAllows(assembly, role, 'states.amazonaws.com', action, on)) return;
      const message = `the role of ${resource.logicalId} may not ${action} on ${on}`;
      log(`aws: states: ${message}`);
      throw new TaskFailed('States.Permissions', message);
    };
    return {
      async invoke(functionArn, payload) {
        check('lambda:InvokeFunction', functionArn);
        const { payload: answer, functionError } = await deps.invoke(functionArn, payload).catch(throttled);
        if (functionError === undefined) return answer;
        const { errorType = 'Error', errorMessage = '' } = JSON.parse(answer) as Record<string, string>;
        throw new TaskFailed(errorType, errorMessage);
      },
      readObject(bucket, key) {
        check('s3:GetObject', `arn:aws:s3:::${bucket}/${key}`);
        const object = deps.objects.find(bucket, key);
        if (object === undefined) throw new TaskFailed('States.ItemReaderFailed', 'there is no such object');
        return deps.objects.read(object, 0, object.bytes).toString('utf8');
      },
      checkDistributed: () => check('states:StartExecution', resource.arn),
      sleep,
      now,
      isEnding: () => ending || aborted.has(executionArn),
    };
  }

  async function carryOut({ arn, machine, input }: ExecutionRow): Promise<void> {
    const found = machines.get(machine);
    if (found === undefined) return;
    const context = { Execution: { Id: arn, Name: arn.split(':').at(-1) }, StateMachine: { Id: machine } };
    const end = (status: 'SUCCEEDED' | 'FAILED') => {
      state.write('UPDATE states_executions SET status = ? WHERE arn = ?', status, arn);
      count(machine, status === 'FAILED' ? 'ExecutionsFailed' : 'ExecutionsSucceeded');
    };
    try {
      await interpret(interpreterDeps(found, arn), found.definition, JSON.parse(input), context);
      if (!aborted.has(arn)) end('SUCCEEDED');
    } catch (error) {
      if (ending || aborted.has(arn) || error instanceof Interrupted) return;
      end('FAILED');
      const name = error instanceof TaskFailed ? error.error : error instanceof Error ? error.name : 'Error';
      log(`aws: states: an execution of ${found.resource.logicalId} failed: ${name}`);
    }
  }

  function count(machineArn: string, metric: string): void {
    publish('AWS/States', metric, { StateMachineArn: machineArn }, 1);
  }

  function run(row: ExecutionRow): void {
    const running = carryOut(row).finally(() => {
      underWay.delete(running);
      aborted.delete(row.arn);
    });
    underWay.add(running);
  }

  return {
    has: (machineArn) => machines.has(machineArn),
    describe(executionArn) {
      const row = state.one<{ status: string; machine: string; started: number }>(
        'SELECT status, machine, started FROM states_executions WHERE arn = ?',
        executionArn,
      );
      return row && { status: row.status, stateMachineArn: row.machine, startDate: row.started / 1000 };
    },
    start(machineArn, input, name = randomUUID()) {
      const arn = `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;
      const known = state.one<{ input: string; status: string; started: number }>(
        'SELECT input, status, started FROM states_executions WHERE arn = ?',
        arn,
      );
      if (known !== undefined) {
        const isSame = known.input === input && known.status === 'RUNNING';
        return isSame ? { executionArn: arn, startDate: known.started / 1000 } : undefined;
      }
      const started = now();
      const values = [arn, machineArn, input, 'RUNNING', started];
      state.write('INSERT INTO states_executions VALUES (?, ?, ?, ?, ?)', ...values);
      count(machineArn, 'ExecutionsStarted');
      run({ arn, machine: machineArn, input });
      return { executionArn: arn, startDate: started / 1000 };
    },
    abort(executionArn) {
      const row = state.one<{ machine: string }>(
        "SELECT machine FROM states_executions WHERE status = 'RUNNING' AND arn = ?",
        executionArn,
      );
      if (row === undefined) return false;
      aborted.add(executionArn);
      state.write("UPDATE states_executions SET status = 'ABORTED' WHERE arn = ?", executionArn);
      count(row.machine, 'ExecutionsAborted');
      return true;
    },
    resume() {
      const rows = state.all<ExecutionRow>(
        "SELECT arn, machine, input FROM states_executions WHERE status = 'RUNNING'",
      );
      for (const row of rows) run(row);
    },
    async stop() {
      ending = true;
      for (const wake of [...sleeping]) wake();
      await Promise.all(underWay);
    },
  };
}
