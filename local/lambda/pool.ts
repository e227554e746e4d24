/** Local Lambda: invokes a function by name or ARN, in one of the function's worker threads. */

import { randomUUID } from 'node:crypto';
import type { PublishMetric } from '../cloudwatch/metrics.ts';
import type { ServiceLimits } from '../limits/limits.ts';
import { quota } from '../limits/quotas.ts';
import { type Endpoints, functionEnvironment } from './environment.ts';
import {
  type ExecutionEnvironment,
  type InvocationResult,
  startExecutionEnvironment,
} from './execution-environment.ts';
import type { LambdaFunction } from './functions.ts';

/** No function has this name or ARN (`ResourceNotFoundException`). */
export class FunctionNotFound extends Error {
  override readonly name = 'FunctionNotFound';
}

/** Lambda refuses the call: the function's reserved concurrency is exhausted, or 0 (`TooManyRequestsException`). */
export class FunctionThrottled extends Error {
  override readonly name = 'FunctionThrottled';
}

export interface Lambda {
  /**
   * Invokes a function synchronously, by its name or ARN (with or without a qualifier). Without limits, a call beyond the function's
   * reserved concurrency waits, because this machine is slower than an AWS account. With limits it is refused as Lambda refuses it.
   *
   * @param payload JSON; the caller checks that it has at most 6 MB.
   * @throws FunctionNotFound, FunctionThrottled. Errors of the function itself are a `functionError`.
   */
  invoke(functionNameOrArn: string, payload: string): Promise<InvocationResult>;
  /**
   * Invokes a function as Step Functions does: if as many calls as the function's reserved concurrency are running or waiting for a thread,
   * the call is refused as Lambda refuses it, with limits and without.
   *
   * @throws FunctionNotFound, FunctionThrottled.
   */
  invokeWithinConcurrency(functionNameOrArn: string, payload: string): Promise<InvocationResult>;
  stop(): Promise<void>;
}

export interface LambdaOptions {
  readonly functions: readonly LambdaFunction[];
  /** Returns the endpoints of the AWS stand-ins; called when a thread starts. */
  readonly endpoints: () => Endpoints;
  readonly log: (functionName: string, line: string) => void;
  /**
   * Most threads of one function at once. A further call waits instead of being refused, because the limit is this machine's and not the
   * account's concurrency.
   *
   * @default 4
   */
  readonly threadsPerFunction?: number;
  /**
   * Most idle threads of all functions; beyond them the thread that was unused for longest ends.
   *
   * @default 16
   */
  readonly idleThreads?: number;
  /**
   * The account's concurrency, of which functions reserve theirs.
   *
   * @default no limit, neither for the account nor for synchronous calls of a function
   */
  readonly limits?: Pick<ServiceLimits, 'accountConcurrency'>;
  /**
   * Gets the metrics of each function, and of all functions together.
   *
   * @default none
   */
  readonly publish?: PublishMetric;
}

/**
 * Milliseconds for which a call waits for a busy thread before a new one is started: a warm thread is usually free again in a few
 * milliseconds, and a cold start costs a tenth of a second of CPU.
 */
const patienceMs = 250;

interface Lane {
  readonly lambda: LambdaFunction;
  readonly idle: ExecutionEnvironment[];
  readonly waiting: (() => void)[];
  busy: number;
}

/** Makes the pool that runs the functions. It sets the process's time zone to UTC, Lambda's, since threads can't have their own. */
export function createLambda(options: LambdaOptions): Lambda {
  process.env.TZ = 'UTC';
  const { functions, endpoints, log, threadsPerFunction = 4, idleThreads = 16 } = options;
  const { publish = () => {} } = options;
  /** Lambda publishes these metrics for each function and without dimensions for the account's Region. */
  const count = ({ lambda }: Lane, metric: string, value: number, ofAll = value) => {
    publish('AWS/Lambda', metric, { FunctionName: lambda.name }, value);
    publish('AWS/Lambda', metric, {}, ofAll);
  };
  const lanes = new Map<string, Lane>();
  for (const lambda of functions) {
    const lane: Lane = { lambda, idle: [], waiting: [], busy: 0 };
    lanes.set(lambda.name, lane).set(lambda.arn, lane);
  }
  /** Idle execution environments, those unused for longest first. */
  const idle = new Map<ExecutionEnvironment, Lane>();
  const all = new Set<ExecutionEnvironment>();

  function take(lane: Lane): ExecutionEnvironment {
    for (let sandbox = lane.idle.pop(); sandbox !== undefined; sandbox = lane.idle.pop()) {
      idle.delete(sandbox);
      if (!sandbox.ended) return sandbox;
      all.delete(sandbox);
    }
    const { lambda } = lane;
    const started = startExecutionEnvironment(lambda, functionEnvironment(lambda, endpoints()), (line) =>
      log(lambda.name, line),
    );
    all.add(started);
    return started;
  }

  function giveBack(lane: Lane, sandbox: ExecutionEnvironment): void {
    if (sandbox.ended) {
      all.delete(sandbox);
    } else {
      lane.idle.push(sandbox);
      idle.set(sandbox, lane);
    }
    for (const [oldest, owner] of idle) {
      if (idle.size <= idleThreads) break;
      idle.delete(oldest);
      owner.idle.splice(owner.idle.indexOf(oldest), 1);
      all.delete(oldest);
      oldest.end();
    }
  }

  /** Waits until another thread may run, and counts it in `busy`. */
  async function admitted(lane: Lane): Promise<void> {
    const most = Math.min(threadsPerFunction, lane.lambda.reservedConcurrency ?? threadsPerFunction);
    if (lane.busy === 0 || (lane.busy < most && lane.idle.length > 0)) {
      lane.busy += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      const grow = () => {
        if (lane.busy >= most) return;
        lane.waiting.splice(lane.waiting.indexOf(enter), 1);
        lane.busy += 1;
        resolve();
      };
      const timer = setTimeout(grow, patienceMs);
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      lane.waiting.push(enter);
    });
  }

  async function run(lane: Lane, payload: string): Promise<InvocationResult> {
    await admitted(lane);
    const sandbox = take(lane);
    const startedAt = performance.now();
    count(lane, 'Invocations', 1);
    count(lane, 'ConcurrentExecutions', lane.busy, sum([...new Set(lanes.values())].map(({ busy }) => busy)));
    try {
      const result = await sandbox.run({ requestId: randomUUID(), payload, functionArn: lane.lambda.arn });
      count(lane, 'Errors', result.functionError === undefined ? 0 : 1);
      count(lane, 'Duration', performance.now() - startedAt);
      return result;
    } finally {
      giveBack(lane, sandbox);
      const next = lane.waiting.shift();
      // Passes the free thread to a waiting call, or counts it as free.
      if (next === undefined) lane.busy -= 1;
      else next();
    }
  }

  function throttled(lane: Lane): FunctionThrottled {
    count(lane, 'Throttles', 1);
    return new FunctionThrottled(lane.lambda.name);
  }

  function laneOf(functionNameOrArn: string): Lane {
    const lane = lanes.get(functionNameOrArn) ?? lanes.get(withoutQualifier(functionNameOrArn));
    if (lane === undefined) throw new FunctionNotFound(functionNameOrArn);
    if (lane.lambda.reservedConcurrency === 0) throw throttled(lane);
    return lane;
  }

  const unreserved =
    options.limits === undefined ? Number.POSITIVE_INFINITY : unreservedOf(options.limits, functions);

  /**
   * Runs a call if there is free concurrency.
   *
   * @throws FunctionThrottled if the function's reserved concurrency, or the account's unreserved one for a function without a reservation,
   * is exhausted.
   */
  async function runWithinConcurrency(functionNameOrArn: string, payload: string): Promise<InvocationResult> {
    const lane = laneOf(functionNameOrArn);
    const { reservedConcurrency } = lane.lambda;
    const executions = ({ busy, waiting }: Lane) => busy + waiting.length;
    const isFull =
      reservedConcurrency === undefined
        ? unreserved !== Number.POSITIVE_INFINITY &&
          sum([...new Set(lanes.values())].filter(reservesNone).map(executions)) >= unreserved
        : executions(lane) >= reservedConcurrency;
    if (isFull) throw throttled(lane);
    return await run(lane, payload);
  }

  return {
    invoke:
      options.limits === undefined
        ? async (functionNameOrArn, payload) => await run(laneOf(functionNameOrArn), payload)
        : runWithinConcurrency,
    invokeWithinConcurrency: runWithinConcurrency,
    async stop() {
      for (const sandbox of all) sandbox.end();
      all.clear();
    },
  };
}

const reservesNone = ({ lambda }: Lane) => lambda.reservedConcurrency === undefined;

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/**
 * The concurrency that an account has for functions without a reservation. All environments count as one account here, since they are
 * deployed together.
 */
function unreservedOf(
  { accountConcurrency }: Pick<ServiceLimits, 'accountConcurrency'>,
  functions: readonly LambdaFunction[],
): number {
  const reserved = sum(functions.map(({ reservedConcurrency = 0 }) => reservedConcurrency));
  // If functions reserve more than the account has, which could not be deployed, the part that Lambda always keeps is used.
  return reserved === 0
    ? accountConcurrency
    : Math.max(quota('lambdaUnreserved'), accountConcurrency - reserved);
}

/** A name or ARN without its qualifier: `arn:…:function:name:live` and `name:live`. */
function withoutQualifier(name: string): string {
  const parts = name.split(':');
  return name.startsWith('arn:') ? parts.slice(0, 7).join(':') : (parts[0] ?? name);
}
